// One triangle: size and direction, the point nearest to a given one, and a ray through it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "geometry/query_types.h"
#include "rigor/vec.h"

namespace rigor {

/// Anticlockwise seen from outside.
template <class S>
struct Triangle {
    Vec3<S> a, b, c;
};

/// Along the normal, as long as the area.
template <class S>
constexpr Vec3<S> area_vector(const Triangle<S>& t) {
    return cross(t.b - t.a, t.c - t.a) * S(0.5);
}

template <class S>
S area(const Triangle<S>& t) {
    return length(area_vector(t));
}

/// A unit vector; zero when the corners are on one line.
template <class S>
Vec3<S> normal(const Triangle<S>& t) {
    return normalize(cross(t.b - t.a, t.c - t.a));
}

/// Whether the corners are on one line, to within the rounding of their distances: the normal
/// of such a triangle is noise.
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

/// The part of a triangle a point is nearest to. Edge i runs from corner i to corner i + 1.
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

/// Also of triangles that are a segment or a point.
template <class S>
TrianglePoint<S> closest_point(const Triangle<S>& triangle, const Vec3<S>& point);

/// A ray made ready for many triangles: the axes are permuted and sheared so that it runs
/// along +z, where a hit is the question whether the origin lies in a flat triangle
/// [Woop 2013]. Two triangles with a common edge ask the same question of it with opposite
/// signs, so no ray slips between them; one that meets the edge itself hits both.
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
    bool on_edge = false;     ///< exactly through an edge or a corner
};

/// A ray in the plane of the triangle does not meet it.
template <class S>
std::optional<TriangleHit<S>> cast_ray(const Triangle<S>& triangle, const RayShear<S>& ray);

/// Whether an edge of one passes through the inside of the other, beyond any doubt of
/// rounding. Triangles that only touch, share corners, or lie in one plane do not cross.
bool cross_properly(const Triangle<double>& p, const Triangle<double>& q);

} // namespace rigor
