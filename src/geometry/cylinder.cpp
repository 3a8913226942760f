#include "geometry/cylinder.h"

#include "geometry/convex.h"
#include "geometry/convex_instantiation.h"
#include "geometry/ray_quadrics.h"
#include "geometry/revolution_profile.h"

// Features: 0 the side, 1 the top, 2 the bottom.

namespace rigor {
namespace {

template <class S>
std::optional<RayHit<S>> cast_sharp(const Cylinder<S>& cylinder, const Ray<S>& given) {
    const std::optional<UnitRay<S>> ray = unit_ray(given);
    if (!ray) return cast_point(cylinder, given);
    RaySpan<S> span = cylinder_span(*ray, cylinder.radius);
    span.clip_plane(*ray, {S(0), S(0), S(1)}, cylinder.half_height, 1);
    span.clip_plane(*ray, {S(0), S(0), S(-1)}, cylinder.half_height, 2);
    return first_hit(span, *ray);
}

// In the profile the core is a rectangle.
template <class S>
SurfacePoint<S> closest_on_core(const Cylinder<S>& cylinder, const Vec3<S>& point) {
    const ProfileFrame<S> frame(point);
    const S up = point.z < S(0) ? S(-1) : S(1);
    const std::uint32_t cap = up > S(0) ? 1 : 2;
    const S r = frame.at.r;
    const S beyond_side = r - cylinder.radius;
    const S beyond_cap = std::abs(point.z) - cylinder.half_height;
    if (beyond_side > S(0) && beyond_cap > S(0)) { // the rim
        const Vec3<S> away = normalize(Vec3<S>{beyond_side, S(0), up * beyond_cap});
        return frame.lift({cylinder.radius, up * cylinder.half_height}, {away.x, away.z},
                          away.x * beyond_side + away.z * up * beyond_cap,
                          beyond_cap > beyond_side ? cap : 0);
    }
    if (beyond_side > beyond_cap) {
        return frame.lift({cylinder.radius, point.z}, {S(1), S(0)}, beyond_side, 0);
    }
    return frame.lift({r, up * cylinder.half_height}, {S(0), up}, beyond_cap, cap);
}

} // namespace

template <class S>
Vec3<S> core_support(const Cylinder<S>& cylinder, const Vec3<S>& direction) {
    const Vec3<S> rim = normalize(Vec3<S>{direction.x, direction.y, S(0)}) * cylinder.radius;
    return {rim.x, rim.y, direction.z < S(0) ? -cylinder.half_height : cylinder.half_height};
}

template <class S>
Vec3<S> support(const Cylinder<S>& cylinder, const Vec3<S>& direction) {
    return rounded_support(cylinder, direction);
}

// A disk with the unit normal u extends R sqrt(1 - u_i²) along axis i; with the columns of the
// rotation, 1 - u_i² is a sum of squares without cancellation.
template <class S>
Aabb<S> bounds(const Cylinder<S>& cylinder, const Pose<S>& pose) {
    const Mat3<S> m = to_matrix(pose.q);
    Vec3<S> extent = abs(m.cz) * cylinder.half_height;
    for (int i = 0; i < 3; ++i) {
        extent[i] += cylinder.radius * std::sqrt(m.cx[i] * m.cx[i] + m.cy[i] * m.cy[i]);
    }
    return box_around(pose.p, extent, cylinder.rounding);
}

template <class S>
S bounding_radius(const Cylinder<S>& cylinder, const Vec3<S>& center) {
    const S r = std::sqrt(center.x * center.x + center.y * center.y) + cylinder.radius;
    const S z = std::abs(center.z) + cylinder.half_height;
    return std::sqrt(r * r + z * z) + cylinder.rounding;
}

template <class S>
std::optional<RayHit<S>> cast_ray(const Cylinder<S>& cylinder, const Ray<S>& ray) {
    if (cylinder.rounding == S(0)) return cast_sharp(cylinder, ray);
    return cast_convex(cylinder, ray, bounding_radius(cylinder, Vec3<S>{}));
}

template <class S>
SurfacePoint<S> closest_point(const Cylinder<S>& cylinder, const Vec3<S>& point) {
    return grow(closest_on_core(cylinder, point), cylinder.rounding);
}

RIGOR_INSTANTIATE_CONVEX(Cylinder)

} // namespace rigor
