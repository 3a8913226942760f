// Capsule along z. Its core is a segment.
#pragma once

#include <optional>

#include "geometry/query_types.h"
#include "rigor/pose.h"

namespace rigor {

template <class S>
struct Capsule {
    S radius{};
    S half_length{}; ///< from the origin to the center of a cap
};

template <class S>
S radius_of(const Capsule<S>& capsule) {
    return capsule.radius;
}

template <class S>
Vec3<S> support(const Capsule<S>& capsule, const Vec3<S>& direction);
template <class S>
Vec3<S> core_support(const Capsule<S>& capsule, const Vec3<S>& direction);
template <class S>
Aabb<S> bounds(const Capsule<S>& capsule, const Pose<S>& pose);
template <class S>
S bounding_radius(const Capsule<S>& capsule, const Vec3<S>& center);
template <class S>
std::optional<RayHit<S>> cast_ray(const Capsule<S>& capsule, const Ray<S>& ray);
template <class S>
SurfacePoint<S> closest_point(const Capsule<S>& capsule, const Vec3<S>& point);

} // namespace rigor
