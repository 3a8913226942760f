// Joint drift: how far rotation within a substep leaves the rows linearized at its beginning.
//
// Always inlined into the kernels, which choose the instruction set.
#pragma once

#include "fast/joint_lanes.h"

namespace rigor::fast {

/// 1 for small rotations in a substep and 0 beyond a radian: there a change of the angular velocity
/// moves an axis in quite another direction, and what is predicted or corrected would build up.
template <int W>
RIGOR_INLINE Lanes<W> trust_in_drift(const LaneVec<W>& w_a, const LaneVec<W>& w_b, Lanes<W> h) {
    const Lanes<W> z = (dot(w_a, w_a) + dot(w_b, w_b)) * (h * h), squared = z * z;
    return Lanes<W>(1.0f) / (Lanes<W>(1.0f) + squared * squared);
}

/// The same for the two rows that keep an axis of b along the one of a: that axis is u x v, and the
/// errors of the rows are the components of b's axis along -v and u, which turn with a. The other
/// way round where a spins, with errors of the opposite sign.
template <int W>
RIGOR_INLINE void predict_alignment_drift(typename JointBlock<W>::Row* rows, const LaneVec<W>& w_a,
                                          const LaneVec<W>& w_b, Lanes<W> h, Lanes<W> sign) {
    const LaneVec<W> u = read_vector<W>(rows[0].angular_a), v = read_vector<W>(rows[1].angular_a);
    const LaneVec<W> axis = cross(u, v), bent = bend(w_b, axis, h);
    const LaneVec<W> moving = cross(w_b, axis) + bent;
    const auto drift_along = [&](const LaneVec<W>& p) {
        const LaneVec<W> bent_p = bend(w_a, p, h);
        return dot(p, bent) + dot(bent_p, axis) + h * dot(cross(w_a, p) + bent_p, moving);
    };
    const Lanes<W> trust = trust_in_drift<W>(w_a, w_b, h);
    write<W>(rows[0].drift, -sign * trust * drift_along(v));
    write<W>(rows[1].drift, sign * trust * drift_along(u));
    for (int i = 0; i < 2; ++i) write<W>(rows[i].error, trust * read<W>(rows[i].error));
}

/// The same for the row of a universal joint, which keeps an axis of a across one of b.
template <int W>
RIGOR_INLINE void predict_crossing_drift(JointBlock<W>& block, std::size_t row,
                                         const SolverBody* bodies, const LaneVec<W>& w_a,
                                         const LaneVec<W>& w_b, Lanes<W> h) {
    const JointPose<Lanes<W>> pose = pose_now<W>(block, bodies);
    const SixDofShape& shape = block.layout.six_dof;
    const int i = shape.is_locked(3) ? 0 : shape.is_locked(4) ? 1 : 2;
    const LaneVec<W>&y = pose.axes_a.column((i + 1) % 3), &z = pose.axes_b.column((i + 2) % 3);
    const LaneVec<W> bent_y = bend(w_a, y, h), bent_z = bend(w_b, z, h);
    const Lanes<W> drift =
        dot(y, bent_z) + dot(bent_y, z) + h * dot(cross(w_a, y) + bent_y, cross(w_b, z) + bent_z);
    write<W>(block.rows[row].drift, -(trust_in_drift<W>(w_a, w_b, h) * drift));
}

/// How many equality rows remove rotations; they are the last.
inline int rotation_rows(const JointLayout& layout) {
    switch (layout.type) {
        case JointType::hinge:
        case JointType::wheel:
            return 2;
        case JointType::fixed:
        case JointType::slider:
            return 3;
        case JointType::six_dof:
            return layout.six_dof.locked_turns();
        default:
            return 0;
    }
}

/// The velocities with which drift is predicted: those after the warm start, which are nearly those
/// of the substep. Where large impulses all but cancel their errors turn a light body fast, and
/// drift is quadratic in that: there those at the end of the last substep.
template <int W>
RIGOR_INLINE LaneVelocity<W> reliable_velocity(const SolverBody* bodies, const SolverBody* ended,
                                               const std::array<SolverBodyIndex, W>& of,
                                               Lanes<W> h) {
    constexpr float kMaxTurn = 0.1f; // rad
    const LaneVelocity<W> now = gather_velocity<W>(bodies, of),
                          then = gather_velocity<W>(ended, of);
    const LaneVec<W> change = (now.w - then.w) * h;
    const auto is_wild = dot(change, change) > Lanes<W>(kMaxTurn * kMaxTurn);
    const auto choose = [&](const LaneVec<W>& a, const LaneVec<W>& b) {
        return LaneVec<W>{select(is_wild, b.x, a.x), select(is_wild, b.y, a.y),
                          select(is_wild, b.z, a.z)};
    };
    return {choose(now.v, then.v), choose(now.w, then.w)};
}

/// Which rates the equality rows need for their errors to vanish at the end of the substep. Bodies
/// that are locked to each other turn alike, without drift.
template <int W>
RIGOR_INLINE void predict_drift_block(JointBlock<W>& block, const SolverBody* bodies,
                                      const SolverBody* ended, float h) {
    using F = Lanes<W>;
    const LaneVelocity<W> a = reliable_velocity<W>(bodies, ended, block.body_a, F(h));
    const LaneVelocity<W> b = reliable_velocity<W>(bodies, ended, block.body_b, F(h));
    const LaneVec<W> anchor_a = read_vector<W>(block.current_anchor_a),
                     anchor_b = read_vector<W>(block.current_anchor_b);
    const LaneVec<W> bent = bend(b.w, anchor_b, F(h)) - bend(a.w, anchor_a, F(h));
    const LaneVec<W> velocity = b.v + cross(b.w, anchor_b) - a.v - cross(a.w, anchor_a);
    const LaneVec<W> gap = read_vector<W>(block.current_gap);
    const JointType type = block.layout.type;
    const bool turns =
        type == JointType::slider || type == JointType::wheel || type == JointType::six_dof;
    const int turning_rows = rotation_rows(block.layout);
    const auto translations = static_cast<std::size_t>(block.layout.equality_rows - turning_rows);
    for (std::size_t i = 0; i < translations; ++i) {
        auto& row = block.rows[i];
        const LaneVec<W> d = read_vector<W>(row.linear);
        F drift = dot(d, bent);
        if (turns) drift = drift + turning_drift(d, a.w, velocity, gap, F(h));
        if (type == JointType::distance) drift = drift + swinging_drift(d, velocity, gap, F(h));
        write<W>(row.drift, drift);
    }
    if (turning_rows == 2 && block.layout.a_spins)
        predict_alignment_drift<W>(&block.rows[translations], b.w, a.w, F(h), F(-1.0f));
    else if (turning_rows == 2)
        predict_alignment_drift<W>(&block.rows[translations], a.w, b.w, F(h), F(1.0f));
    if (turning_rows == 1) predict_crossing_drift<W>(block, translations, bodies, a.w, b.w, F(h));
}

} // namespace rigor::fast
