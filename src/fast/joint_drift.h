// How far the motion of a substep bends away from the rows at its beginning.
//
// Always inlined into the kernels, which choose the instruction set.
#pragma once

#include "fast/joint_lanes.h"

namespace rigor::fast {

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
    write<W>(rows[0].drift, -sign * drift_along(v));
    write<W>(rows[1].drift, sign * drift_along(u));
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
    write<W>(block.rows[row].drift, -(dot(y, bent_z) + dot(bent_y, z) +
                                      h * dot(cross(w_a, y) + bent_y, cross(w_b, z) + bent_z)));
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

/// Which rates the equality rows need for their errors to vanish at the end of the substep. Bodies
/// that are locked to each other turn alike, without drift.
template <int W>
RIGOR_INLINE void predict_drift_block(JointBlock<W>& block, const SolverBody* bodies, float h) {
    using F = Lanes<W>;
    const LaneVelocity<W> a = gather_velocity<W>(bodies, block.body_a);
    const LaneVelocity<W> b = gather_velocity<W>(bodies, block.body_b);
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
