#include "geometry/sphere.h"

#include "geometry/convex.h"
#include "geometry/convex_instantiation.h"
#include "geometry/ray_quadrics.h"

namespace rigor {

template <class S>
Vec3<S> support(const Sphere<S>& sphere, const Vec3<S>& direction) {
    return rounded_support(sphere, direction);
}

template <class S>
Vec3<S> core_support(const Sphere<S>&, const Vec3<S>&) {
    return {};
}

template <class S>
Aabb<S> bounds(const Sphere<S>& sphere, const Pose<S>& pose) {
    return expand(Aabb<S>{pose.p, pose.p}, sphere.radius);
}

template <class S>
S bounding_radius(const Sphere<S>& sphere, const Vec3<S>& center) {
    return length(center) + sphere.radius;
}

template <class S>
std::optional<RayHit<S>> cast_ray(const Sphere<S>& sphere, const Ray<S>& given) {
    const std::optional<UnitRay<S>> ray = unit_ray(given);
    if (!ray) return cast_point(sphere, given);
    return first_hit(ball_span(*ray, Vec3<S>{}, sphere.radius), *ray);
}

template <class S>
SurfacePoint<S> closest_point(const Sphere<S>& sphere, const Vec3<S>& point) {
    const Vec3<S> normal = unit_or(point, {S(0), S(0), S(1)});
    return {normal * sphere.radius, normal, dot(normal, point) - sphere.radius, 0};
}

RIGOR_INSTANTIATE_CONVEX(Sphere)

} // namespace rigor
