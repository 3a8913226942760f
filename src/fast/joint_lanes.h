// The rows of W joints in lanes, from the poses of their bodies.
//
// Always inlined into the kernels, which choose the instruction set.
#pragma once

#include <initializer_list>

#include "dynamics/joints/ball.h"
#include "dynamics/joints/cone_twist.h"
#include "dynamics/joints/distance.h"
#include "dynamics/joints/fixed.h"
#include "dynamics/joints/hinge.h"
#include "dynamics/joints/slider.h"
#include "dynamics/joints/wheel.h"
#include "fast/joint_block.h"
#include "fast/lane_gather.h"
#include "rigor/rotation.h"

namespace rigor::fast {

template <int W>
RIGOR_INLINE void make_rows(const JointPose<Lanes<W>>& pose, const JointBlock<W>& block,
                            JointRow<Lanes<W>>* rows) {
    switch (block.layout.type) {
        case JointType::hinge:
            return hinge_rows(pose, rows, block.layout.a_spins);
        case JointType::slider:
            return slider_rows(pose, rows);
        case JointType::fixed:
            return fixed_rows(pose, rows);
        case JointType::distance:
            return distance_rows(pose, read<W>(block.length), rows);
        case JointType::cone_twist:
            return cone_twist_rows(pose, rows);
        case JointType::six_dof:
            return six_dof_rows(pose, block.layout.six_dof, rows);
        case JointType::wheel:
            return wheel_rows(pose, read<W>(block.steer_sine), read<W>(block.steer_cosine), rows);
        default:
            return ball_rows(pose, block.layout.dofs > 0, rows);
    }
}

/// Whether the rows of a joint depend on the orientation of its frames.
constexpr bool has_axes(JointType type) {
    return type != JointType::ball && type != JointType::distance;
}

template <int W>
RIGOR_INLINE Mat3<Lanes<W>> turned_axes(const std::array<Column<W>, 4>& frame,
                                        const Quat<Lanes<W>>& turn) {
    return to_matrix(turn * Quat<Lanes<W>>{read<W>(frame[0]), read<W>(frame[1]), read<W>(frame[2]),
                                           read<W>(frame[3])});
}

template <int W>
RIGOR_INLINE JointPose<Lanes<W>> pose_at(const JointBlock<W>& block, const LaneDisplacement<W>& a,
                                         const LaneDisplacement<W>& b) {
    const LaneVec<W> anchor_a = read_vector<W>(block.anchor_a),
                     anchor_b = read_vector<W>(block.anchor_b);
    JointPose<Lanes<W>> pose;
    pose.arm_a = rotate(a.rotation, anchor_a);
    pose.arm_b = rotate(b.rotation, anchor_b);
    pose.gap = read_vector<W>(block.gap) + (b.translation - a.translation) +
               (pose.arm_b - anchor_b) - (pose.arm_a - anchor_a);
    if (has_axes(block.layout.type)) {
        pose.axes_a = turned_axes<W>(block.frame_a, a.rotation);
        pose.axes_b = turned_axes<W>(block.frame_b, b.rotation);
    }
    return pose;
}
template <int W>
RIGOR_INLINE JointPose<Lanes<W>> pose_now(const JointBlock<W>& block, const SolverBody* bodies) {
    return pose_at<W>(block, gather_displacement<W>(bodies, block.body_a),
                      gather_displacement<W>(bodies, block.body_b));
}

/// Where steady velocities take a body in a time h. The series are those of sin(z)/z and cos(z) in
/// z², exact to rounding up to half a turn.
template <int W>
RIGOR_INLINE LaneDisplacement<W> moved(const LaneDisplacement<W>& from,
                                       const LaneVelocity<W>& velocity, Lanes<W> h) {
    using F = Lanes<W>;
    const LaneVec<W> half = velocity.w * (F(0.5f) * h);
    const F z = min(dot(half, half), F(2.5f));
    const auto series = [&](F first, std::initializer_list<float> divisors) {
        F sum = first;
        for (const float d : divisors) sum = F(1.0f) - z * F(1 / d) * sum;
        return sum;
    };
    const F sine = series(1.0f, {12 * 13, 10 * 11, 8 * 9, 6 * 7, 4 * 5, 2 * 3});
    const F cosine = series(1.0f, {13 * 14, 11 * 12, 9 * 10, 7 * 8, 5 * 6, 3 * 4, 1 * 2});
    const Quat<F> turn = Quat<F>::from_parts(cosine, half * sine);
    return {from.translation + velocity.v * h, turn * from.rotation};
}

/// The pose to which the velocities lead in a time h.
template <int W>
RIGOR_INLINE JointPose<Lanes<W>> pose_ahead(const JointBlock<W>& block, const SolverBody* bodies,
                                            Lanes<W> h) {
    const auto ahead = [&](const std::array<SolverBodyIndex, W>& of) {
        return moved<W>(gather_displacement<W>(bodies, of), gather_velocity<W>(bodies, of), h);
    };
    return pose_at<W>(block, ahead(block.body_a), ahead(block.body_b));
}

template <int W>
RIGOR_INLINE Lanes<W> rate_of(const typename JointBlock<W>::Row& row, const LaneVelocity<W>& a,
                              const LaneVelocity<W>& b) {
    return dot(read_vector<W>(row.linear), b.v - a.v) + dot(read_vector<W>(row.angular_b), b.w) -
           dot(read_vector<W>(row.angular_a), a.w);
}

/// x := inv(L D Lᵀ) x.
template <int W>
RIGOR_INLINE void solve_factors(const JointBlock<W>& block, Lanes<W>* x) {
    const auto lower = [&](int i, int j) {
        return read<W>(block.lower[static_cast<std::size_t>(i * (i - 1) / 2 + j)]);
    };
    const int n = block.layout.equality_rows;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) x[i] = x[i] - lower(i, j) * x[j];
    for (int i = n - 1; i >= 0; --i) {
        x[i] = x[i] * read<W>(block.inv_pivots[static_cast<std::size_t>(i)]);
        for (int j = i + 1; j < n; ++j) x[i] = x[i] - lower(j, i) * x[j];
    }
}

} // namespace rigor::fast
