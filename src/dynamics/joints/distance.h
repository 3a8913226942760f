// Distance joint: a massless rod between two points, or a rope and a bumper when it has a range.
#pragma once

#include "dynamics/joints/row.h"

namespace rigor {

/// The error is relative to `length`, the coordinate to zero.
template <class F>
void distance_rows(const JointPose<F>& pose, F length, JointRow<F>* rows) {
    // Coincident points have no direction: x is used.
    const F squared = dot(pose.gap, pose.gap), shortest = F(1e-12f);
    const F apart = sqrt(max(squared, shortest));
    const Vec3<F> d =
        Vec3<F>{select(squared > shortest, pose.gap.x, apart), pose.gap.y, pose.gap.z} *
        (F(1) / apart);
    rows[0] = {d, cross(pose.arm_a, d), cross(pose.arm_b, d), apart - length};
}

/// Correction of the rate because the rod rotates at steady velocities.
template <class F>
F swinging_drift(const Vec3<F>& d, const Vec3<F>& velocity, const Vec3<F>& gap, F h) {
    const F apart = sqrt(max(dot(gap, gap), F(1e-12f))), rate = dot(velocity, d);
    const F across = max(dot(velocity, velocity) - rate * rate, F(0));
    // Bounded: at most to the end of the tangent.
    return F(0.5f) * h * across / (apart + h * sqrt(across));
}

} // namespace rigor
