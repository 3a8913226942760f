// The rows of W joints in lanes, from the poses of their bodies.
//
// Always inlined into the kernels, which choose the instruction set.
#pragma once

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
            if (block.layout.has_stiffness)
                return soft_six_dof_rows(pose, block.layout.six_dof, rows);
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
/// Where the displacements of the bodies take them.
template <int W>
RIGOR_INLINE JointPose<Lanes<W>> pose_now(const JointBlock<W>& block, const SolverBody* bodies) {
    return pose_at<W>(block, gather_displacement<W>(bodies, block.body_a),
                      gather_displacement<W>(bodies, block.body_b));
}

/// The square of the arm from which an error of distance is seen as an angle. A rod between the
/// centers of bodies is an arm itself.
template <int W>
RIGOR_INLINE Lanes<W> squared_arm_of(const JointPose<Lanes<W>>& pose, JointType type) {
    constexpr float kLeastArm = 1e-3f; // m
    const Lanes<W> arms =
        dot(pose.arm_a, pose.arm_a) + dot(pose.arm_b, pose.arm_b) + Lanes<W>(kLeastArm * kLeastArm);
    return type == JointType::distance ? arms + dot(pose.gap, pose.gap) : arms;
}

template <int W>
RIGOR_INLINE Lanes<W> rate_of(const typename JointBlock<W>::Row& row, const LaneVelocity<W>& a,
                              const LaneVelocity<W>& b) {
    return dot(read_vector<W>(row.linear), b.v - a.v) + dot(read_vector<W>(row.angular_b), b.w) -
           dot(read_vector<W>(row.angular_a), a.w);
}

/// Whether a joint has three rows along the axes of the world, at its current anchors: kernels do
/// without its rows then, which are mostly zeros and ones.
template <int W>
RIGOR_INLINE bool is_ball(const JointBlock<W>& block) {
    return block.layout.type == JointType::ball && block.layout.dofs == 0;
}

/// The rates of these three.
template <int W>
RIGOR_INLINE LaneVec<W> ball_rate(const JointBlock<W>& block, const LaneVelocity<W>& a,
                                  const LaneVelocity<W>& b) {
    return b.v - a.v + cross(b.w, read_vector<W>(block.current_anchor_b)) -
           cross(a.w, read_vector<W>(block.current_anchor_a));
}

template <int W>
using Row = typename JointBlock<W>::Row;

/// A number of each row.
template <int W>
RIGOR_INLINE LaneVec<W> read_rows(const JointBlock<W>& block, Column<W> Row<W>::*column) {
    return {read<W>(block.rows[0].*column), read<W>(block.rows[1].*column),
            read<W>(block.rows[2].*column)};
}
template <int W>
RIGOR_INLINE void write_rows(JointBlock<W>& block, Column<W> Row<W>::*column, const LaneVec<W>& v) {
    write<W>(block.rows[0].*column, v.x);
    write<W>(block.rows[1].*column, v.y);
    write<W>(block.rows[2].*column, v.z);
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
