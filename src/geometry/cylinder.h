// Cylinder along z, centered at the origin, optionally with rounded rims.
#pragma once

#include <algorithm>
#include <optional>

#include "geometry/query_types.h"
#include "rigor/pose.h"

namespace rigor {

/// All points within `rounding` of the core, which may be a disk or a segment.
template <class S>
struct Cylinder {
    S radius{};      ///< of the core
    S half_height{}; ///< of the core
    S rounding{};
};

/// From the outer size. The rounding lies inside it.
template <class S>
Cylinder<S> make_cylinder(S radius, S height, S rounding = S(0)) {
    return {std::max(radius - rounding, S(0)), std::max(height * S(0.5) - rounding, S(0)),
            rounding};
}

template <class S>
S radius_of(const Cylinder<S>& cylinder) {
    return cylinder.rounding;
}

template <class S>
Vec3<S> support(const Cylinder<S>& cylinder, const Vec3<S>& direction);
template <class S>
Vec3<S> core_support(const Cylinder<S>& cylinder, const Vec3<S>& direction);
template <class S>
Aabb<S> bounds(const Cylinder<S>& cylinder, const Pose<S>& pose);
template <class S>
S bounding_radius(const Cylinder<S>& cylinder, const Vec3<S>& center);
template <class S>
std::optional<RayHit<S>> cast_ray(const Cylinder<S>& cylinder, const Ray<S>& ray);
template <class S>
SurfacePoint<S> closest_point(const Cylinder<S>& cylinder, const Vec3<S>& point);

} // namespace rigor
