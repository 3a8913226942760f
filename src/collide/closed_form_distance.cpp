// Distances in closed form: spheres, capsules and planes.

#include "collide/convex_distance.h"

#include "geometry/convex.h"
#include "math/tolerances.h"

namespace rigor {
namespace {

/// The distance between a core at the origin and a point, by the closest surface point of the core.
template <class S>
Distance<S> from_surface_point(const SurfacePoint<S>& near, const Vec3<S>& point, S radius_a,
                               S radius_b) {
    Distance<S> d;
    d.distance = near.distance - radius_a - radius_b;
    d.normal = near.normal;
    d.point_a = near.point + near.normal * radius_a;
    d.point_b = point - near.normal * radius_b;
    return d;
}

/// Nothing for a point so near that the direction to it is rounding.
template <class S>
std::optional<SurfacePoint<S>> closest_on(const Triangle<S>& triangle, const Vec3<S>& point) {
    const Vec3<S> near = closest_point(triangle, point).point;
    const S apart = length(point - near);
    if (!(apart > S(256) * kEpsilon<S> * max_component(abs(point)))) return {};
    return SurfacePoint<S>{near, (point - near) / apart, apart, 0};
}

/// The surface point of a sharp core nearest to a point.
template <class S>
std::optional<SurfacePoint<S>> closest_on(const Core<S>& core, const Vec3<S>& point) {
    const Vec3<S>& size = core.size;
    switch (core.kind) {
        case CoreKind::point:
            return closest_point(Sphere<S>{S(0)}, point);
        case CoreKind::segment:
            return closest_point(Capsule<S>{S(0), size.z}, point);
        case CoreKind::box:
            return closest_point(Box<S>{size, S(0)}, point);
        case CoreKind::cylinder:
            return closest_point(Cylinder<S>{size.x, size.z, S(0)}, point);
        case CoreKind::cone:
            return closest_point(Cone<S>{size.x, size.y, size.z, S(0)}, point);
        case CoreKind::triangle:
        case CoreKind::hull:
            return {};
    }
    return {};
}

template <class S>
struct SegmentPair {
    S s{}, t{}; ///< the points s u of the first, p + t w of the second
    S distance_squared{};
};

/// The closest points of two segments about 0 and p, along the units u and w: between their lines
/// when these points are on both, else at an end of one of them, which is tried for all four. Where
/// the segments are parallel any pair of opposite points is as good.
template <class S>
SegmentPair<S> nearest_points(S half_u, const Vec3<S>& p, const Vec3<S>& w, S half_w) {
    const S uw = w.z, up = p.z, wp = dot(w, p); // u is the z axis
    const S across = w.x * w.x + w.y * w.y;     // 1 - (u·w)², without cancellation
    SegmentPair<S> best{S(0), S(0), std::numeric_limits<S>::infinity()};
    const auto consider = [&](S s, S t) {
        const Vec3<S> gap{p.x + w.x * t, p.y + w.y * t, p.z + w.z * t - s};
        const S d = length_squared(gap);
        if (d < best.distance_squared) best = {s, t, d};
    };
    if (across > S(16) * kEpsilon<S> * kEpsilon<S>) {
        const S s = (up - uw * wp) / across, t = (uw * up - wp) / across;
        if (std::abs(s) <= half_u && std::abs(t) <= half_w) consider(s, t);
    }
    for (const S side : {S(-1), S(1)}) {
        const S s = side * half_u, t = side * half_w;
        consider(s, std::clamp(uw * s - wp, -half_w, half_w));
        consider(std::clamp(up + uw * t, -half_u, half_u), t);
    }
    return best;
}

/// The distance of two solids from the nearest points of their cores.
template <class S>
Distance<S> between_points(const Core<S>& a, const Vec3<S>& on_a, const Core<S>& b,
                           const Vec3<S>& on_b, S apart) {
    Distance<S> d;
    d.normal = (on_b - on_a) / apart;
    d.distance = apart - a.radius - b.radius;
    d.point_a = on_a + d.normal * a.radius;
    d.point_b = on_b - d.normal * b.radius;
    return d;
}

template <class S>
std::optional<Distance<S>> between_segments(const Core<S>& a, const Core<S>& b,
                                            const Pose<S>& b_in_a) {
    const Vec3<S> w = rotate(b_in_a.q, Vec3<S>{S(0), S(0), S(1)});
    const SegmentPair<S> near = nearest_points(a.size.z, b_in_a.p, w, b.size.z);
    const Vec3<S> on_a{S(0), S(0), near.s}, on_b = b_in_a.p + w * near.t;
    const S apart = std::sqrt(near.distance_squared);
    const S size = max_component(abs(b_in_a.p)) + a.size.z + b.size.z;
    // Nearly crossing: their difference does not determine the direction.
    if (!(apart > S(256) * kEpsilon<S> * size)) return {};
    return between_points(a, on_a, b, on_b, apart);
}

/// The point of the segment c + t d, t from -1 to 1, nearest to a box. The squared distance is
/// convex in t, and its slope is linear between the points where the segment crosses a plane of the
/// box: the root lies between two of these.
template <class S>
S nearest_to_box(const Vec3<S>& half, const Vec3<S>& c, const Vec3<S>& d) {
    const auto slope = [&](S t) {
        const Vec3<S> p = c + d * t;
        return dot(d, p - max(min(p, half), -half));
    };
    S low = S(-1), high = S(1), slope_low = slope(low), slope_high = slope(high);
    if (!(slope_low < S(0))) return low;
    if (!(slope_high > S(0))) return high;
    const auto try_at = [&](S t) {
        if (!(t > low && t < high)) return;
        const S s = slope(t);
        (s < S(0) ? low : high) = t;
        (s < S(0) ? slope_low : slope_high) = s;
    };
    for (int i = 0; i < 3; ++i) {
        if (d[i] == S(0)) continue;
        try_at((-half[i] - c[i]) / d[i]);
        try_at((half[i] - c[i]) / d[i]);
    }
    return low + (high - low) * (-slope_low / (slope_high - slope_low));
}

/// The box is A.
template <class S>
std::optional<Distance<S>> from_box_to_segment(const Core<S>& a, const Core<S>& b,
                                               const Pose<S>& b_in_a) {
    const Vec3<S> d = rotate(b_in_a.q, Vec3<S>{S(0), S(0), S(1)}) * b.size.z;
    const Vec3<S> on_b = b_in_a.p + d * nearest_to_box(a.size, b_in_a.p, d);
    const Vec3<S> on_a = max(min(on_b, a.size), -a.size);
    const S apart = length(on_b - on_a);
    // Where they cross or nearly touch, their difference does not determine the direction.
    if (!(apart > S(256) * kEpsilon<S> * (max_component(abs(b_in_a.p)) + b.size.z))) return {};
    return between_points(a, on_a, b, on_b, apart);
}

} // namespace

template <class S>
std::optional<Distance<S>> closed_form_distance(const Core<S>& a, const Core<S>& b,
                                                const Pose<S>& b_in_a) {
    if (b.kind == CoreKind::point) {
        const auto near = closest_on(a, b_in_a.p);
        if (near) return from_surface_point(*near, b_in_a.p, a.radius, b.radius);
    } else if (a.kind == CoreKind::point) {
        const Vec3<S> point = inverse_transform(b_in_a, Vec3<S>{});
        const auto near = closest_on(b, point);
        if (near) return mirror(from_surface_point(*near, point, b.radius, a.radius), b_in_a);
    } else if (a.kind == CoreKind::segment && b.kind == CoreKind::segment) {
        return between_segments(a, b, b_in_a);
    } else if (a.kind == CoreKind::box && b.kind == CoreKind::segment) {
        return from_box_to_segment(a, b, b_in_a);
    } else if (a.kind == CoreKind::segment && b.kind == CoreKind::box) {
        const auto seen_from_box = from_box_to_segment(b, a, inverse(b_in_a));
        if (seen_from_box) return mirror(*seen_from_box, b_in_a);
    }
    return {};
}

template std::optional<Distance<float>> closed_form_distance(const Core<float>&, const Core<float>&,
                                                             const Pose<float>&);
template std::optional<Distance<double>> closed_form_distance(const Core<double>&,
                                                              const Core<double>&,
                                                              const Pose<double>&);

} // namespace rigor
