#include "geometry/plane.h"

#include "geometry/convex.h"

namespace rigor {

template <class S>
Vec3<S> support(const Plane<S>& plane, const Vec3<S>&) {
    return plane.normal * plane.offset;
}

template <class S>
Aabb<S> bounds(const Plane<S>& plane, const Pose<S>& pose) {
    const S infinity = std::numeric_limits<S>::infinity();
    const Vec3<S> all{infinity, infinity, infinity};
    Aabb<S> box{-all, all};
    const Vec3<S> n = rotate(pose.q, plane.normal);
    const Vec3<S> top = transform(pose, plane.normal * plane.offset);
    for (int i = 0; i < 3; ++i) {
        if (n[(i + 1) % 3] != S(0) || n[(i + 2) % 3] != S(0)) continue;
        (n[i] > S(0) ? box.hi : box.lo)[i] = top[i];
    }
    return box;
}

template <class S>
S bounding_radius(const Plane<S>&, const Vec3<S>&) {
    return std::numeric_limits<S>::infinity();
}

template <class S>
std::optional<RayHit<S>> cast_ray(const Plane<S>& plane, const Ray<S>& given) {
    const std::optional<UnitRay<S>> ray = unit_ray(given);
    if (!ray) return cast_point(plane, given);
    // A ray parallel to the plane is inside only when its origin is below the surface.
    if (height_over(plane, ray->origin) < S(0)) return inside_hit(-ray->direction);
    RaySpan<S> span;
    span.clip_plane(*ray, plane.normal, plane.offset, 0);
    if (span.enter < S(0)) return {};
    return first_hit(span, *ray);
}

template <class S>
SurfacePoint<S> closest_point(const Plane<S>& plane, const Vec3<S>& point) {
    const S height = height_over(plane, point);
    return {point - plane.normal * height, plane.normal, height, 0};
}

#define RIGOR_INSTANTIATE(S)                                                    \
    template Vec3<S> support(const Plane<S>&, const Vec3<S>&);                  \
    template Aabb<S> bounds(const Plane<S>&, const Pose<S>&);                   \
    template S bounding_radius(const Plane<S>&, const Vec3<S>&);                \
    template std::optional<RayHit<S>> cast_ray(const Plane<S>&, const Ray<S>&); \
    template SurfacePoint<S> closest_point(const Plane<S>&, const Vec3<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
