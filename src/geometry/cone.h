// Cone along z, apex up, optionally with rounded apex and rim.
#pragma once

#include <optional>

#include "geometry/query_types.h"
#include "rigor/pose.h"

namespace rigor {

/// All points within `rounding` of the core. A cone offset inward by the rounding is again a cone,
/// only shifted: hence the two heights.
template <class S>
struct Cone {
    S radius{}; ///< of the core's base
    S base{};   ///< height of the core's base
    S apex{};   ///< height of the core's apex
    S rounding{};
};

/// From the outer size; the origin is at half the outer height. The rounding must be less than
/// `cone_inradius`.
template <class S>
Cone<S> make_cone(S radius, S height, S rounding = S(0));

/// The radius of the largest ball inside a cone.
template <class S>
S cone_inradius(S radius, S height);

template <class S>
S radius_of(const Cone<S>& cone) {
    return cone.rounding;
}

template <class S>
Vec3<S> support(const Cone<S>& cone, const Vec3<S>& direction);
template <class S>
Vec3<S> core_support(const Cone<S>& cone, const Vec3<S>& direction);
template <class S>
Aabb<S> bounds(const Cone<S>& cone, const Pose<S>& pose);
template <class S>
S bounding_radius(const Cone<S>& cone, const Vec3<S>& center);
template <class S>
std::optional<RayHit<S>> cast_ray(const Cone<S>& cone, const Ray<S>& ray);
template <class S>
SurfacePoint<S> closest_point(const Cone<S>& cone, const Vec3<S>& point);

} // namespace rigor
