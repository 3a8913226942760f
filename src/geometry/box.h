// Box centered at the origin, optionally with rounded edges and corners.
#pragma once

#include <optional>

#include "geometry/query_types.h"
#include "rigor/pose.h"

namespace rigor {

/// All points within `rounding` of the core |x_i| <= half_i. The core may be flat: a fully rounded
/// box is a capsule or a ball.
template <class S>
struct Box {
    Vec3<S> half; ///< of the core
    S rounding{};
};

/// From the outer size: full edge lengths. The rounding lies inside it.
template <class S>
Box<S> make_box(const Vec3<S>& size, S rounding = S(0)) {
    const Vec3<S> half = size * S(0.5) - Vec3<S>{rounding, rounding, rounding};
    return {max(half, Vec3<S>{}), rounding};
}

template <class S>
S radius_of(const Box<S>& box) {
    return box.rounding;
}

template <class S>
Vec3<S> support(const Box<S>& box, const Vec3<S>& direction);
template <class S>
Vec3<S> core_support(const Box<S>& box, const Vec3<S>& direction);
template <class S>
Aabb<S> bounds(const Box<S>& box, const Pose<S>& pose);
template <class S>
S bounding_radius(const Box<S>& box, const Vec3<S>& center);
template <class S>
std::optional<RayHit<S>> cast_ray(const Box<S>& box, const Ray<S>& ray);
template <class S>
SurfacePoint<S> closest_point(const Box<S>& box, const Vec3<S>& point);

} // namespace rigor
