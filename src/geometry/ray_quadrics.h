// Ray intervals inside a ball and inside an infinite cylinder.
//
// Both are computed from the point of closest approach instead of by the textbook quadratic b² -
// 4ac, whose difference cancels when the ray starts far away [Haines 2019].
#pragma once

#include "geometry/convex.h"

namespace rigor {

template <class S>
RaySpan<S> no_span() {
    const S infinity = std::numeric_limits<S>::infinity();
    return {infinity, -infinity, {}, 0};
}

template <class S>
RaySpan<S> ball_span(const UnitRay<S>& ray, const Vec3<S>& center, S radius) {
    const Vec3<S> from_center = ray.origin - center;
    const S middle = -dot(from_center, ray.direction);
    const Vec3<S> nearest = from_center + ray.direction * middle;
    const S inside = radius * radius - length_squared(nearest);
    if (inside < S(0)) return no_span<S>();
    const S half = std::sqrt(inside);
    return {middle - half, middle + half, normalize(nearest - ray.direction * half), 0};
}

/// Of the cylinder of all points within `radius` of the z axis.
template <class S>
RaySpan<S> cylinder_span(const UnitRay<S>& ray, S radius) {
    const Vec3<S> o{ray.origin.x, ray.origin.y, S(0)}, u{ray.direction.x, ray.direction.y, S(0)};
    const S a = dot(u, u);
    if (a == S(0)) return dot(o, o) <= radius * radius ? RaySpan<S>{} : no_span<S>();
    // The least distance to the axis is |o x u| / |u|.
    const S moment = o.x * u.y - o.y * u.x;
    const S inside = radius * radius - moment * moment / a;
    if (inside < S(0)) return no_span<S>();
    const S middle = -dot(o, u) / a;
    const S half = std::sqrt(inside / a);
    const Vec3<S> nearest = Vec3<S>{u.y, -u.x, S(0)} * (moment / a);
    return {middle - half, middle + half, normalize(nearest - u * half), 0};
}

} // namespace rigor
