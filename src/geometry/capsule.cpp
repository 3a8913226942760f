#include "geometry/capsule.h"

#include "geometry/convex.h"
#include "geometry/convex_instantiation.h"
#include "geometry/ray_quadrics.h"

namespace rigor {

template <class S>
Vec3<S> core_support(const Capsule<S>& capsule, const Vec3<S>& direction) {
    return {S(0), S(0), direction.z < S(0) ? -capsule.half_length : capsule.half_length};
}

template <class S>
Vec3<S> support(const Capsule<S>& capsule, const Vec3<S>& direction) {
    return rounded_support(capsule, direction);
}

template <class S>
Aabb<S> bounds(const Capsule<S>& capsule, const Pose<S>& pose) {
    const Vec3<S> axis = rotate(pose.q, Vec3<S>{S(0), S(0), capsule.half_length});
    return box_around(pose.p, abs(axis), capsule.radius);
}

template <class S>
S bounding_radius(const Capsule<S>& capsule, const Vec3<S>& center) {
    const Vec3<S> farthest{center.x, center.y, std::abs(center.z) + capsule.half_length};
    return length(farthest) + capsule.radius;
}

// The capsule is a cylinder and two balls: the ray enters it where it first enters one of them.
template <class S>
std::optional<RayHit<S>> cast_ray(const Capsule<S>& capsule, const Ray<S>& given) {
    const std::optional<UnitRay<S>> ray = unit_ray(given);
    if (!ray) return cast_point(capsule, given);
    const S h = capsule.half_length;
    RaySpan<S> middle = cylinder_span(*ray, capsule.radius);
    middle.clip_plane(*ray, {S(0), S(0), S(1)}, h, 0);
    middle.clip_plane(*ray, {S(0), S(0), S(-1)}, h, 0);
    std::optional<RayHit<S>> first;
    for (const RaySpan<S>& part : {middle, ball_span(*ray, {S(0), S(0), h}, capsule.radius),
                                   ball_span(*ray, {S(0), S(0), -h}, capsule.radius)}) {
        const std::optional<RayHit<S>> hit = first_hit(part, *ray);
        if (hit && (!first || hit->inside || hit->t < first->t)) first = hit;
    }
    return first;
}

template <class S>
SurfacePoint<S> closest_point(const Capsule<S>& capsule, const Vec3<S>& point) {
    const S z = std::clamp(point.z, -capsule.half_length, capsule.half_length);
    const Vec3<S> from_core{point.x, point.y, point.z - z};
    const Vec3<S> normal = unit_or(from_core, {S(1), S(0), S(0)});
    return grow({{S(0), S(0), z}, normal, dot(normal, from_core), 0}, capsule.radius);
}

RIGOR_INSTANTIATE_CONVEX(Capsule)

} // namespace rigor
