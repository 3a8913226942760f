// Plane, the half-space normal·x <= offset.
#pragma once

#include <optional>

#include "geometry/query_types.h"
#include "rigor/pose.h"

namespace rigor {

template <class S>
struct Plane {
    Vec3<S> normal{S(0), S(0), S(1)}; ///< unit
    S offset{};
};

/// The signed height of a point above the plane.
template <class S>
constexpr S height_over(const Plane<S>& plane, const Vec3<S>& point) {
    return dot(plane.normal, point) - plane.offset;
}

/// The boundary point nearest to the origin, for any direction: a half-space has no farthest point,
/// except along its normal.
template <class S>
Vec3<S> support(const Plane<S>& plane, const Vec3<S>& direction);
/// Infinite on all sides except along an axis exactly parallel to the normal.
template <class S>
Aabb<S> bounds(const Plane<S>& plane, const Pose<S>& pose);
/// Infinite.
template <class S>
S bounding_radius(const Plane<S>& plane, const Vec3<S>& center);
template <class S>
std::optional<RayHit<S>> cast_ray(const Plane<S>& plane, const Ray<S>& ray);
template <class S>
SurfacePoint<S> closest_point(const Plane<S>& plane, const Vec3<S>& point);

} // namespace rigor
