// Bounds of a moving solid: constant velocity, and rotation at a constant rate about a center.
//
// The bounding sphere of [Kavan 2003, 3.2] holds for any rotation but is as loose for a small one.
// Between its two ends a point of the solid, at the distance p from the axis of a rotation by the
// angle a, follows a curve whose second derivative is at most p a², so it deviates from the segment
// between the ends by at most p a²/8: the box of both ends, grown by that, is a bound too, and
// nearly tight for small rotations. The result is the intersection of both.
#pragma once

#include "geometry/query_types.h"
#include "rigor/pose.h"
#include "rigor/rotation.h"

namespace rigor {

/// One step: the solid starts at `start`, its point `local_center` moves by `displacement` at
/// constant velocity, and it rotates about that point by `rotation`, a rotation vector in world
/// axes, at a constant rate.
template <class S>
struct Motion {
    Pose<S> start;
    Vec3<S> local_center;
    Vec3<S> displacement;
    Vec3<S> rotation;
};

/// The pose after the fraction t of the motion.
template <class S>
Pose<S> pose_at(const Motion<S>& motion, S t) {
    const Quat<S> q = from_rotation_vector(motion.rotation * t) * motion.start.q;
    const Vec3<S> center = transform(motion.start, motion.local_center) + motion.displacement * t;
    return {center - rotate(q, motion.local_center), q};
}

/// The bounding box of a moving solid, from the boxes at both ends and the bounding radius about
/// the center.
template <class S>
Aabb<S> swept_bounds(const Aabb<S>& first, const Aabb<S>& last, const Motion<S>& motion, S radius);

/// For any solid with `bounds` and `bounding_radius`.
template <class S, class Solid>
Aabb<S> swept_bounds(const Solid& solid, const Motion<S>& motion) {
    return swept_bounds(bounds(solid, motion.start), bounds(solid, pose_at(motion, S(1))), motion,
                        bounding_radius(solid, motion.local_center));
}

/// Upper bound of the speed of a solid's points, for a solid that moves at `velocity` and rotates
/// at `angular_velocity` about a point with the bounding radius `radius` [Kavan 2003, lemma in
/// 3.1].
template <class S>
S surface_speed_bound(const Vec3<S>& velocity, const Vec3<S>& angular_velocity, S radius) {
    return length(velocity) + length(angular_velocity) * radius;
}

} // namespace rigor
