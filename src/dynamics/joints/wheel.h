// Wheel joint: b rotates about an axle of a, with suspension along the steering axis and steering
// about it. Its coordinates are the suspension travel and the spin.
#pragma once

#include "dynamics/joints/row.h"

namespace rigor {

/// The axle of a, steered.
template <class F>
Vec3<F> steered_axle(const Mat3<F>& axes_a, F sine, F cosine) {
    return axes_a.cx * cosine + axes_a.cy * sine;
}

template <class F>
void wheel_rows(const JointPose<F>& pose, F steer_sine, F steer_cosine, JointRow<F>* rows) {
    const Mat3<F>& a = pose.axes_a;
    const Vec3<F> axle = steered_axle(a, steer_sine, steer_cosine);
    rows[0] = along_row(pose, a.cx);
    rows[1] = along_row(pose, a.cy);
    align_rows(axle, pose.axes_b.cx, cross(a.cz, axle), a.cz, rows + 2);
    rows[4] = along_row(pose, a.cz);
    rows[5] = twist_row(axle, pose.axes_b.cx);
}

} // namespace rigor
