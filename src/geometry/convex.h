// Common to the convex solids: each is the Minkowski sum of a core and a ball of radius `rounding`.
//
// Support and signed distance then follow from those of the core:
//
//     support          s(d) = s_core(d) + r d/|d|
//     signed distance  f(x) = f_core(x) - r
//
// The second holds inside the core too: the depth of a point in a convex body is its least distance
// to a supporting plane, and the ball moves each of these planes out by r.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/query_types.h"
#include "rigor/pose.h"
#include "rigor/rotation.h"

namespace rigor {

/// The unit vector along v; `otherwise` when v has no direction.
template <class S>
Vec3<S> unit_or(const Vec3<S>& v, const Vec3<S>& otherwise) {
    const Vec3<S> unit = normalize(v);
    return unit == Vec3<S>{} ? otherwise : unit;
}

/// The direction from a corner or edge point of a core to a point outside it. When they are so
/// close that their difference is mostly rounding, it could have any direction, even inward: then
/// `otherwise`, which should be a normal of a face there.
template <class S>
Vec3<S> direction_from(const Vec3<S>& corner, const Vec3<S>& point, const Vec3<S>& otherwise) {
    const Vec3<S> away = point - corner;
    const S noise = S(16) * std::numeric_limits<S>::epsilon() * max_component(abs(corner));
    return max_component(abs(away)) > noise ? normalize(away) : otherwise;
}

/// The support point of a rounded solid, from that of its core. Without a direction, that along z.
template <class S, class Solid>
Vec3<S> rounded_support(const Solid& solid, const Vec3<S>& direction) {
    const S rounding = radius_of(solid);
    if (rounding == S(0)) return core_support(solid, direction);
    const Vec3<S> d = unit_or(direction, {S(0), S(0), S(1)});
    return core_support(solid, d) + d * rounding;
}

/// The closest point of the rounded solid, from that of its core.
template <class S>
SurfacePoint<S> grow(const SurfacePoint<S>& core, S rounding) {
    return {core.point + core.normal * rounding, core.normal, core.distance - rounding,
            core.feature};
}

/// The box with center c and half extents h, grown by a radius.
template <class S>
Aabb<S> box_around(const Vec3<S>& c, const Vec3<S>& h, S radius) {
    return expand(Aabb<S>{c - h, c + h}, radius);
}

/// A ray with a unit direction: `s` below is a length, t = s / speed.
template <class S>
struct UnitRay {
    Vec3<S> origin;
    Vec3<S> direction;
    S speed{};
    S length{};

    Vec3<S> at(S s) const { return origin + direction * s; }
};

/// Nothing when the ray has no direction, no length, or a component that is not finite.
template <class S>
std::optional<UnitRay<S>> unit_ray(const Ray<S>& ray) {
    if (!is_finite(ray.origin) || !is_finite(ray.direction) || !(ray.max_t >= S(0))) return {};
    const Vec3<S> direction = normalize(ray.direction);
    if (direction == Vec3<S>{}) return {};
    const S speed = dot(direction, ray.direction);
    return UnitRay<S>{ray.origin, direction, speed, ray.max_t * speed};
}

/// The interval of a ray inside a convex solid, clipped part by part.
template <class S>
struct RaySpan {
    S enter = -std::numeric_limits<S>::infinity();
    S exit = std::numeric_limits<S>::infinity();
    Vec3<S> normal;
    std::uint32_t feature = 0;

    bool empty() const { return !(enter <= exit); }

    void clip(S s0, S s1, const Vec3<S>& entry_normal, std::uint32_t entry_feature = 0) {
        if (s0 > enter) {
            enter = s0;
            normal = entry_normal;
            feature = entry_feature;
        }
        exit = std::min(exit, s1);
    }

    /// Clips to the half-space below the plane n·x = offset. A ray in the plane itself is kept:
    /// touching counts.
    void clip_plane(const UnitRay<S>& ray, const Vec3<S>& n, S offset, std::uint32_t face) {
        const S gap = offset - dot(n, ray.origin);
        const S slope = dot(n, ray.direction);
        const S infinity = std::numeric_limits<S>::infinity();
        if (slope < S(0)) {
            clip(gap / slope, infinity, n, face);
        } else if (slope > S(0)) {
            exit = std::min(exit, gap / slope);
        } else if (gap < S(0)) {
            exit = -infinity;
        }
    }
};

/// The hit of a ray that starts inside.
template <class S>
RayHit<S> inside_hit(const Vec3<S>& normal) {
    return {S(0), normal, 0, true};
}

/// The hit of an interval. A ray that starts on the surface hits when it enters and misses when it
/// leaves.
template <class S>
std::optional<RayHit<S>> first_hit(const RaySpan<S>& span, const UnitRay<S>& ray) {
    if (span.empty() || !(span.exit > S(0)) || span.enter > ray.length) return {};
    if (span.enter < S(0)) return inside_hit(-ray.direction);
    return RayHit<S>{span.enter / ray.speed, span.normal, span.feature, false};
}

/// The hit of a ray without a direction: the solid that contains its origin, or nothing.
template <class S, class Solid>
std::optional<RayHit<S>> cast_point(const Solid& solid, const Ray<S>& ray) {
    if (!is_finite(ray.origin) || ray.direction != Vec3<S>{} || !(ray.max_t >= S(0))) return {};
    const SurfacePoint<S> start = closest_point(solid, ray.origin);
    if (!(start.distance < S(0))) return {};
    return inside_hit(start.normal);
}

/// Casts a ray at a convex solid by its signed distance alone.
///
/// Along a ray the distance f to a convex solid is a convex function of s with slope
/// normal·direction. Newton's iteration from the near side therefore never passes the first root (a
/// tangent lies below the graph), converges quadratically, and where f stops decreasing there is no
/// hit. A grazing ray has a double root, where each step still halves the error. `radius` bounds
/// the solid about the local origin. A ray from far away starts at the bounding sphere, so that the
/// steps are not lost in rounding.
template <class S, class Solid>
std::optional<RayHit<S>> cast_convex(const Solid& solid, const Ray<S>& given, S radius) {
    std::optional<UnitRay<S>> ray = unit_ray(given);
    if (!ray) return cast_point(solid, given);
    const S skipped = std::max(S(0), -dot(ray->origin, ray->direction) - S(1.01) * radius);
    ray->origin = ray->at(skipped);
    ray->length -= skipped;
    const S tolerance = S(4) * std::numeric_limits<S>::epsilon() * radius;
    S s = S(0);
    for (int i = 0; i < 100 && s <= ray->length; ++i) {
        const SurfacePoint<S> near = closest_point(solid, ray->at(s));
        if (i == 0 && near.distance < S(0)) return inside_hit(-ray->direction);
        const S slope = dot(near.normal, ray->direction);
        if (!(slope < S(0))) return {};
        if (near.distance <= tolerance) {
            return RayHit<S>{(skipped + s) / ray->speed, near.normal, near.feature, false};
        }
        s -= near.distance / slope;
    }
    return {};
}

} // namespace rigor
