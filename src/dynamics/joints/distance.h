// Distance: a massless rod between two points, or a rope and a bumper when it has a range.
#pragma once

#include "dynamics/joints/row.h"

namespace rigor {

/// The error is measured from `length`, the coordinate from zero.
template <class F>
void distance_rows(const JointPose<F>& pose, F length, JointRow<F>* rows) {
    // Two points that have come together part in any direction: along x.
    const F squared = dot(pose.gap, pose.gap), shortest = F(1e-12f);
    const F apart = sqrt(max(squared, shortest));
    const Vec3<F> d =
        Vec3<F>{select(squared > shortest, pose.gap.x, apart), pose.gap.y, pose.gap.z} *
        (F(1) / apart);
    const Vec3<F> velocity = pose.velocity();
    const F rate = dot(velocity, d);
    const F swinging = max(dot(velocity, velocity) - rate * rate, F(0)) / apart;
    rows[0] = {d, cross(pose.arm_a, d), cross(pose.arm_b, d), apart - length,
               pose.half_step * swinging};
}

} // namespace rigor
