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
RIGOR_INLINE JointPose<Lanes<W>> pose_now(const JointBlock<W>& block, const SolverBody* bodies) {
    const LaneDisplacement<W> a = gather_displacement<W>(bodies, block.body_a);
    const LaneDisplacement<W> b = gather_displacement<W>(bodies, block.body_b);
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
RIGOR_INLINE Lanes<W> rate_of(const typename JointBlock<W>::Row& row, const LaneVelocity<W>& a,
                              const LaneVelocity<W>& b) {
    return dot(read_vector<W>(row.linear), b.v - a.v) + dot(read_vector<W>(row.angular_b), b.w) -
           dot(read_vector<W>(row.angular_a), a.w);
}

} // namespace rigor::fast
