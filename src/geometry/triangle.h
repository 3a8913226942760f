// Triangle: area and normal, closest point, ray intersection.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "geometry/query_types.h"
#include "rigor/vec.h"

namespace rigor {

/// Counterclockwise seen from outside.
template <class S>
struct Triangle {
    Vec3<S> a, b, c;
};

/// Along the normal, with the area as length.
template <class S>
constexpr Vec3<S> area_vector(const Triangle<S>& t) {
    return cross(t.b - t.a, t.c - t.a) * S(0.5);
}

template <class S>
S area(const Triangle<S>& t) {
    return length(area_vector(t));
}

/// A unit vector; zero when the vertices are collinear.
template <class S>
Vec3<S> normal(const Triangle<S>& t) {
    return normalize(cross(t.b - t.a, t.c - t.a));
}

/// Whether the vertices are collinear to within the rounding of their distances: the normal of such
/// a triangle is noise.
template <class S>
bool is_degenerate(const Triangle<S>& t) {
    const Vec3<S> ab = t.b - t.a, bc = t.c - t.b, ca = t.a - t.c;
    const S longest = std::max({length_squared(ab), length_squared(bc), length_squared(ca)});
    return !(length(cross(ab, bc)) > S(8) * std::numeric_limits<S>::epsilon() * longest);
}

template <class S>
constexpr Aabb<S> bounds(const Triangle<S>& t) {
    return {min(min(t.a, t.b), t.c), max(max(t.a, t.b), t.c)};
}

/// The feature of a triangle nearest to a point. Edge i runs from vertex i to vertex i + 1.
enum class TriangleFeature : std::uint8_t {
    corner_a,
    corner_b,
    corner_c,
    edge_ab,
    edge_bc,
    edge_ca,
    face
};

template <class S>
struct TrianglePoint {
    Vec3<S> point;
    TriangleFeature feature{};
};

/// Also for degenerate triangles.
template <class S>
TrianglePoint<S> closest_point(const Triangle<S>& triangle, const Vec3<S>& point);

/// A ray prepared for many triangles: the axes are permuted and sheared so that it runs along +z,
/// where a hit means that the origin lies in a planar triangle [Woop 2013]. Two triangles with a
/// common edge evaluate the same edge function with opposite signs, so no ray passes between them;
/// one through the edge itself hits both.
template <class S>
struct RayShear {
    explicit RayShear(const Ray<S>& ray);

    Vec3<S> origin;
    S max_t;
    int kx, ky, kz;
    S sx, sy, sz;
};

template <class S>
struct TriangleHit {
    S t{};
    bool from_behind = false; ///< against the back of the triangle
    bool on_edge = false;     ///< exactly through an edge or a vertex
};

/// A ray in the plane of the triangle misses it.
template <class S>
std::optional<TriangleHit<S>> cast_ray(const Triangle<S>& triangle, const RayShear<S>& ray);

/// Whether an edge of one certainly, despite rounding, passes through the interior of the other.
/// Triangles that only touch, share vertices, or are coplanar do not intersect.
bool cross_properly(const Triangle<double>& p, const Triangle<double>& q);

} // namespace rigor
