#include "geometry/hull.h"

#include "geometry/convex.h"
#include "geometry/convex_instantiation.h"

namespace rigor {
namespace {

// Below this many vertices a linear search is faster than hill climbing.
constexpr std::size_t kClimbFrom = 32;

template <class S>
std::uint32_t scan_for_support(const Hull<S>& hull, const Vec3<S>& direction) {
    std::uint32_t best = 0;
    S height = dot(hull.vertices[0], direction);
    for (std::uint32_t i = 1; i < hull.vertices.size(); ++i) {
        const S h = dot(hull.vertices[i], direction);
        if (h > height) {
            height = h;
            best = i;
        }
    }
    return best;
}

// The height strictly increases from step to step, so this ends.
template <class S>
std::uint32_t climb_to_support(const Hull<S>& hull, const Vec3<S>& direction) {
    std::uint32_t best = hull.extremes[0];
    S height = dot(hull.vertices[best], direction);
    const auto consider = [&](std::uint32_t vertex) {
        const S h = dot(hull.vertices[vertex], direction);
        if (!(h > height)) return false;
        height = h;
        best = vertex;
        return true;
    };
    for (const std::uint32_t start : hull.extremes) consider(start);
    for (bool higher = true; higher;) {
        higher = false;
        for (const std::uint32_t vertex : hull.neighbors_of(best)) higher |= consider(vertex);
    }
    return best;
}

template <class S>
std::optional<RayHit<S>> cast_sharp(const Hull<S>& hull, const Ray<S>& given) {
    const std::optional<UnitRay<S>> ray = unit_ray(given);
    if (!ray) return cast_point(hull, given);
    RaySpan<S> span;
    for (std::uint32_t i = 0; i < hull.faces.size() && !span.empty(); ++i) {
        span.clip_plane(*ray, hull.faces[i].plane.normal, hull.faces[i].plane.offset, i);
    }
    return first_hit(span, *ray);
}

/// Whether the projection of a point along the normal lies in the polygon of a face.
template <class S>
bool is_over(const Hull<S>& hull, const HullFace<S>& face, const Vec3<S>& point) {
    for (std::uint32_t h = face.first; h < face.first + face.count; ++h) {
        const Vec3<S>& a = hull.origin(h);
        const Vec3<S> along = hull.origin(hull.next(h)) - a;
        if (dot(cross(face.plane.normal, along), point - a) < S(0)) return false;
    }
    return true;
}

/// The point of an edge closest to a given point, and whether that is in the edge's Voronoi region,
/// outside both its faces and between its ends.
template <class S>
struct EdgeOffer {
    Vec3<S> point;
    bool owns = false;
};

template <class S>
EdgeOffer<S> nearest_on_edge(const Hull<S>& hull, const HullEdge& edge, const Vec3<S>& point) {
    const Vec3<S>& a = hull.vertices[edge.v0];
    const Vec3<S>& b = hull.vertices[edge.v1];
    const Vec3<S> along = b - a, to_point = point - a;
    const S t = dot(to_point, along), whole = dot(along, along);
    if (!(t > S(0))) return {a, false};
    if (!(t < whole)) return {b, false};
    const bool beside_left =
        dot(cross(hull.faces[edge.left].plane.normal, along), to_point) <= S(0);
    const bool beside_right =
        dot(cross(hull.faces[edge.right].plane.normal, along), to_point) >= S(0);
    return {a + along * (t / whole), beside_left && beside_right};
}

// Each outside point is in the Voronoi region of one face, edge or vertex. Comparing distances
// instead would confuse adjacent features: near the border of two regions these differ only in
// second order, the normals in first. A point in no region, by rounding, gets the nearest edge;
// vertices are ends of edges.
template <class S>
SurfacePoint<S> closest_from_outside(const Hull<S>& hull, const Vec3<S>& point,
                                     std::uint32_t highest_face) {
    const auto from = [&](const Vec3<S>& q, std::uint32_t face) -> SurfacePoint<S> {
        const Vec3<S> normal = direction_from(q, point, hull.faces[face].plane.normal);
        return {q, normal, dot(normal, point - q), face};
    };
    for (std::uint32_t i = 0; i < hull.faces.size(); ++i) {
        const S height = height_over(hull.faces[i].plane, point);
        if (!(height > S(0)) || !is_over(hull, hull.faces[i], point)) continue;
        const Vec3<S>& n = hull.faces[i].plane.normal;
        return {point - n * height, n, height, i};
    }
    Vec3<S> best = hull.vertices[0];
    for (const HullEdge& edge : hull.edges) {
        const EdgeOffer<S> offer = nearest_on_edge(hull, edge, point);
        if (offer.owns) return from(offer.point, edge.left);
        if (length_squared(point - offer.point) < length_squared(point - best)) best = offer.point;
    }
    return from(best, highest_face);
}

template <class S>
SurfacePoint<S> closest_on_core(const Hull<S>& hull, const Vec3<S>& point) {
    std::uint32_t highest_face = 0;
    S highest = -std::numeric_limits<S>::infinity();
    for (std::uint32_t i = 0; i < hull.faces.size(); ++i) {
        const S height = height_over(hull.faces[i].plane, point);
        if (!(height > highest)) continue;
        highest = height;
        highest_face = i;
    }
    if (highest > S(0)) return closest_from_outside(hull, point, highest_face);
    const Vec3<S>& n = hull.faces[highest_face].plane.normal;
    return {point - n * highest, n, highest, highest_face};
}

} // namespace

template <class S>
std::uint32_t support_vertex(const Hull<S>& hull, const Vec3<S>& direction) {
    return hull.vertices.size() < kClimbFrom ? scan_for_support(hull, direction)
                                             : climb_to_support(hull, direction);
}
template std::uint32_t support_vertex(const Hull<float>&, const Vec3<float>&);
template std::uint32_t support_vertex(const Hull<double>&, const Vec3<double>&);

template <class S>
Vec3<S> core_support(const Hull<S>& hull, const Vec3<S>& direction) {
    return hull.vertices[support_vertex(hull, direction)];
}

template <class S>
Vec3<S> support(const Hull<S>& hull, const Vec3<S>& direction) {
    return rounded_support(hull, direction);
}

template <class S>
Aabb<S> bounds(const Hull<S>& hull, const Pose<S>& pose) {
    const Mat3<S> r = to_matrix(pose.q);
    Aabb<S> box;
    for (int i = 0; i < 3; ++i) {
        const Vec3<S> axis = r.row(i);
        box.hi[i] = pose.p[i] + dot(axis, core_support(hull, axis));
        box.lo[i] = pose.p[i] + dot(axis, core_support(hull, -axis));
    }
    return expand(box, hull.rounding);
}

template <class S>
S bounding_radius(const Hull<S>& hull, const Vec3<S>& center) {
    S farthest = S(0);
    for (const Vec3<S>& v : hull.vertices) {
        farthest = std::max(farthest, length_squared(v - center));
    }
    return std::sqrt(farthest) + hull.rounding;
}

template <class S>
std::optional<RayHit<S>> cast_ray(const Hull<S>& hull, const Ray<S>& ray) {
    if (hull.rounding == S(0)) return cast_sharp(hull, ray);
    return cast_convex(hull, ray, bounding_radius(hull, Vec3<S>{}));
}

template <class S>
SurfacePoint<S> closest_point(const Hull<S>& hull, const Vec3<S>& point) {
    return grow(closest_on_core(hull, point), hull.rounding);
}

RIGOR_INSTANTIATE_CONVEX(Hull)

// The planes keep their directions; their offsets are computed from the rounded vertices, so that
// these are inside.
Hull<float> to_float(const Hull<double>& hull) {
    Hull<float> out{{},
                    {},
                    hull.half_edges,
                    hull.edges,
                    hull.neighbor_starts,
                    hull.neighbors,
                    hull.outgoing,
                    hull.extremes,
                    cast<float>(hull.center),
                    static_cast<float>(hull.inner_radius),
                    static_cast<float>(hull.rounding)};
    for (const Vec3d& v : hull.vertices) out.vertices.push_back(cast<float>(v));
    for (const HullFace<double>& face : hull.faces) {
        const Vec3f normal = cast<float>(face.plane.normal);
        float offset = -std::numeric_limits<float>::infinity();
        for (std::uint32_t h = face.first; h < face.first + face.count; ++h) {
            offset = std::max(offset, dot(normal, out.origin(h)));
        }
        out.faces.push_back({{normal, offset}, face.first, face.count});
    }
    return out;
}

} // namespace rigor
