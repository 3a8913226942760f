// Sphere centered at the origin. Its core is a point.
#pragma once

#include <optional>

#include "geometry/query_types.h"
#include "rigor/pose.h"

namespace rigor {

template <class S>
struct Sphere {
    S radius{};
};

template <class S>
S radius_of(const Sphere<S>& sphere) {
    return sphere.radius;
}

template <class S>
Vec3<S> support(const Sphere<S>& sphere, const Vec3<S>& direction);
template <class S>
Vec3<S> core_support(const Sphere<S>& sphere, const Vec3<S>& direction);
template <class S>
Aabb<S> bounds(const Sphere<S>& sphere, const Pose<S>& pose);
template <class S>
S bounding_radius(const Sphere<S>& sphere, const Vec3<S>& center);
template <class S>
std::optional<RayHit<S>> cast_ray(const Sphere<S>& sphere, const Ray<S>& ray);
template <class S>
SurfacePoint<S> closest_point(const Sphere<S>& sphere, const Vec3<S>& point);

} // namespace rigor
