#include "collide/core_faces.h"

#include "collide/box_features.h"
#include "math/tolerances.h"

namespace rigor {
namespace {

// Boxes -------------------------------------------------------------------------------------------

template <class S>
void box_face(const Vec3<S>& half, std::uint32_t face, FacePolygon<S>& out) {
    const int axis = static_cast<int>(face / 2), u = (axis + 1) % 3, v = (axis + 2) % 3;
    const bool positive = face % 2 == 0;
    const std::uint32_t base = positive ? 1u << axis : 0u, bu = 1u << u, bv = 1u << v;
    const bool flat_u = !(half[u] > S(0)), flat_v = !(half[v] > S(0));
    if (flat_u || flat_v) { // no area: an edge or a vertex
        const std::uint32_t edge = box_edge(base, flat_u ? v : u);
        out.corners.push_back({box_vertex(half, base), base, edge});
        const std::uint32_t other = base | (flat_u ? bv : bu);
        if (!flat_u || !flat_v) out.corners.push_back({box_vertex(half, other), other, edge});
        return;
    }
    out.normal = {};
    out.normal[axis] = positive ? S(1) : S(-1);
    out.face = face;
    for (const SideNames& corner : kBoxFaces[face])
        out.corners.push_back({box_vertex(half, corner.vertex), corner.vertex, corner.edge});
}

template <class S>
std::uint32_t box_edge_along(const Vec3<S>& d) {
    const Vec3<S> size = abs(d);
    const int axis = size.x <= size.y ? (size.x <= size.z ? 0 : 2) : (size.y <= size.z ? 1 : 2);
    const std::uint32_t vertex =
        (d.x > S(0) ? 1u : 0u) | (d.y > S(0) ? 2u : 0u) | (d.z > S(0) ? 4u : 0u);
    return box_edge(vertex, axis);
}

template <class S>
EdgeEnds<S> box_edge_ends(const Vec3<S>& half, std::uint32_t edge) {
    const int axis = static_cast<int>(edge / 4);
    const std::uint32_t low = (edge & 1u) << (axis + 1) % 3 | (edge >> 1 & 1u) << (axis + 2) % 3;
    const std::uint32_t high = low | 1u << axis;
    return {{box_vertex(half, low), low, edge}, {box_vertex(half, high), high, edge}};
}

// Hulls -------------------------------------------------------------------------------------------

template <class S>
std::uint32_t edge_number(const Hull<S>& hull, std::uint32_t half_edge) {
    return std::min(half_edge, hull.half_edges[half_edge].twin);
}

template <class S>
void hull_face(const Hull<S>& hull, std::uint32_t index, FacePolygon<S>& out) {
    const HullFace<S>& face = hull.faces[index];
    out.normal = face.plane.normal;
    out.face = index;
    for (std::uint32_t h = face.first; h < face.first + face.count; ++h) {
        out.corners.push_back({hull.origin(h), hull.half_edges[h].origin, edge_number(hull, h)});
    }
}

/// Calls visit(half-edge) for all that leave a vertex.
template <class S, class Visit>
void around(const Hull<S>& hull, std::uint32_t vertex, Visit&& visit) {
    const std::uint32_t first = hull.outgoing[vertex];
    std::uint32_t h = first;
    do {
        visit(h);
        h = hull.next(hull.half_edges[h].twin);
    } while (h != first);
}

/// The vertex farthest along a direction.
template <class S>
std::uint32_t top_vertex(const Hull<S>& hull, const Vec3<S>& direction) {
    std::uint32_t vertex = extreme_along(hull, direction);
    hull_support(hull, direction, vertex);
    return vertex;
}

template <class S>
std::uint32_t hull_face_along(const Hull<S>& hull, const Vec3<S>& direction) {
    std::uint32_t best = 0;
    S most = -std::numeric_limits<S>::infinity();
    around(hull, top_vertex(hull, direction), [&](std::uint32_t h) {
        const std::uint32_t face = hull.half_edges[h].face;
        const S along = dot(hull.faces[face].plane.normal, direction);
        if (along > most) {
            most = along;
            best = face;
        }
    });
    return best;
}

template <class S>
std::uint32_t hull_edge_along(const Hull<S>& hull, const Vec3<S>& direction) {
    std::uint32_t best = 0;
    S least = std::numeric_limits<S>::infinity();
    const std::uint32_t vertex = top_vertex(hull, direction);
    around(hull, vertex, [&](std::uint32_t h) {
        const Vec3<S> edge = hull.origin(hull.next(h)) - hull.vertices[vertex];
        const S drop = -dot(edge, direction) / length(edge);
        if (drop < least) {
            least = drop;
            best = edge_number(hull, h);
        }
    });
    return best;
}

// Cylinders and cones
// -------------------------------------------------------------------------------

/// The points of a unit circle at multiples of 45 degrees.
template <class S>
Vec3<S> rim_direction(std::uint32_t i) {
    constexpr S d = S(0.70710678118654752440);
    constexpr std::array<std::array<S, 2>, 8> table{
        {{1, 0}, {d, d}, {0, 1}, {-d, d}, {-1, 0}, {-d, -d}, {0, -1}, {d, -d}}};
    return {table[i][0], table[i][1], S(0)};
}

/// Which of the eight sectors between rim vertices contains a direction in the plane.
template <class S>
std::uint32_t rim_sector(const Vec3<S>& d) {
    const S x = std::abs(d.x), y = std::abs(d.y);
    const bool steep = y > x;
    if (d.y >= S(0)) return d.x >= S(0) ? (steep ? 1u : 0u) : (steep ? 2u : 3u);
    return d.x < S(0) ? (steep ? 5u : 4u) : (steep ? 6u : 7u);
}

/// A cap as a polygon of rim vertices. A tilted one has its lowest point as a vertex too: there it
/// touches the ground.
template <class S>
void cap(S radius, S height, bool upper, const Vec3<S>& direction, FacePolygon<S>& out) {
    const Vec3<S> across{direction.x, direction.y, S(0)};
    const S tilt = length(across);
    const bool tilted = tilt > S(1e-4) * std::abs(direction.z);
    const std::uint32_t sector = rim_sector(across), first = upper ? 0 : kRimVertices + 1;
    const auto add = [&](const Vec3<S>& at, std::uint32_t number) {
        const Vec3<S> p{at.x * radius, at.y * radius, height};
        out.corners.push_back({p, first + number, first + number});
    };
    if (!(radius > S(0))) return add({}, 0);
    out.normal = {S(0), S(0), upper ? S(1) : S(-1)};
    out.face = upper ? 0 : 1;
    for (std::uint32_t k = 0; k < kRimVertices; ++k) {
        const std::uint32_t i = upper ? k : kRimVertices - 1 - k;
        if (tilted && !upper && i == sector) add(across / tilt, kRimVertices);
        add(rim_direction<S>(i), i);
        if (tilted && upper && i == sector) add(across / tilt, kRimVertices);
    }
}

template <class S>
void add_edge(const Vec3<S>& from, const Vec3<S>& to, std::uint32_t edge, FacePolygon<S>& out) {
    out.corners.push_back({from, 2 * edge, edge});
    out.corners.push_back({to, 2 * edge + 1, edge});
}

/// A direction steeper than this has a cap rather than the mantle as its face.
template <class S>
constexpr S kSteep = S(0.70710678118654752440);

template <class S>
void cylinder_face(const Vec3<S>& size, const Vec3<S>& d, FacePolygon<S>& out) {
    if (std::abs(d.z) > kSteep<S> * length(d)) {
        const bool upper = d.z > S(0);
        return cap(size.x, upper ? size.z : -size.z, upper, d, out);
    }
    const Vec3<S> rim = rim_support(size.x, S(0), d);
    add_edge({rim.x, rim.y, size.z}, {rim.x, rim.y, -size.z}, kMantle, out);
}

template <class S>
void cone_face(const Vec3<S>& size, const Vec3<S>& d, FacePolygon<S>& out) {
    if (d.z < -kSteep<S> * length(d)) return cap(size.x, size.y, false, d, out);
    add_edge({S(0), S(0), size.z}, rim_support(size.x, size.y, d), kMantle, out);
}

// Triangles ---------------------------------------------------------------------------------------

template <class S>
void triangle_face(const Triangle<S>& t, std::uint32_t face, FacePolygon<S>& out) {
    const Vec3<S> n = normal(t);
    out.face = face;
    if (face == 0) {
        out.normal = n;
        out.corners.push_back({t.a, 0, 0});
        out.corners.push_back({t.b, 1, 1});
        out.corners.push_back({t.c, 2, 2});
    } else {
        out.normal = -n;
        out.corners.push_back({t.a, 0, 2});
        out.corners.push_back({t.c, 2, 1});
        out.corners.push_back({t.b, 1, 0});
    }
}

template <class S>
EdgeEnds<S> triangle_edge_ends(const Triangle<S>& t, std::uint32_t edge) {
    const std::array<Vec3<S>, 3> p{t.a, t.b, t.c};
    const std::uint32_t next = (edge + 1) % 3;
    return {{p[edge], edge, edge}, {p[next], next, edge}};
}

template <class S>
std::uint32_t triangle_edge_along(const Triangle<S>& t, const Vec3<S>& d) {
    const std::array<S, 3> h{dot(t.a, d), dot(t.b, d), dot(t.c, d)};
    // The edge opposite to the lowest vertex.
    const std::size_t low = h[0] <= h[1] ? (h[0] <= h[2] ? 0 : 2) : (h[1] <= h[2] ? 1 : 2);
    return static_cast<std::uint32_t>((low + 1) % 3);
}

} // namespace

template <class S>
void face_along(const Core<S>& core, const Vec3<S>& d, FacePolygon<S>& out) {
    out.corners.clear();
    out.normal = {};
    switch (core.kind) {
        case CoreKind::point:
            return out.corners.push_back({});
        case CoreKind::segment:
            return add_edge<S>({S(0), S(0), core.size.z}, {S(0), S(0), -core.size.z}, 0, out);
        case CoreKind::triangle:
            return triangle_face(core.triangle, dot(area_vector(core.triangle), d) < S(0), out);
        case CoreKind::box:
            return box_face(core.size, box_face_along(d), out);
        case CoreKind::cylinder:
            return cylinder_face(core.size, d, out);
        case CoreKind::cone:
            return cone_face(core.size, d, out);
        case CoreKind::hull:
            return hull_face(*core.hull, hull_face_along(*core.hull, d), out);
    }
}

template <class S>
void face_polygon(const Core<S>& core, std::uint32_t face, FacePolygon<S>& out) {
    out.corners.clear();
    if (core.kind == CoreKind::box) return box_face(core.size, face, out);
    if (core.kind == CoreKind::triangle) return triangle_face(core.triangle, face, out);
    if (core.kind == CoreKind::hull) return hull_face(*core.hull, face, out);
    const Vec3<S> axis{S(0), S(0), face == 0 ? S(1) : S(-1)};
    face_along(core, axis, out);
}

template <class S>
EdgeEnds<S> edge_ends(const Core<S>& core, std::uint32_t edge) {
    if (core.kind == CoreKind::box) return box_edge_ends(core.size, edge);
    if (core.kind == CoreKind::triangle) return triangle_edge_ends(core.triangle, edge);
    if (core.kind == CoreKind::hull) {
        const Hull<S>& hull = *core.hull;
        const std::uint32_t v = hull.half_edges[edge].origin;
        const std::uint32_t w = hull.half_edges[hull.next(edge)].origin;
        return {{hull.vertices[v], v, edge}, {hull.vertices[w], w, edge}};
    }
    return {{{S(0), S(0), core.size.z}, 0, edge}, {{S(0), S(0), -core.size.z}, 1, edge}};
}

template <class S>
Vec3<S> edge_direction(const Core<S>& core, std::uint32_t edge, const Vec3<S>& point) {
    const Vec3<S> axis{S(0), S(0), S(1)};
    if (is_curved(core)) {
        if (edge != kMantle) return normalize(cross(axis, point));
        if (core.kind == CoreKind::cylinder) return axis;
        const S rim = core.size.x / std::sqrt(point.x * point.x + point.y * point.y);
        const Vec3<S> foot{point.x * rim, point.y * rim, core.size.y};
        return normalize(Vec3<S>{S(0), S(0), core.size.z} - foot);
    }
    const EdgeEnds<S> ends = edge_ends(core, edge);
    return normalize(ends.to.p - ends.from.p);
}

template <class S>
std::uint32_t edge_along(const Core<S>& core, const Vec3<S>& d) {
    if (core.kind == CoreKind::box) return box_edge_along(d);
    if (core.kind == CoreKind::triangle) return triangle_edge_along(core.triangle, d);
    if (core.kind == CoreKind::hull) return hull_edge_along(*core.hull, d);
    return 0;
}

#define RIGOR_INSTANTIATE(S)                                                        \
    template void face_along(const Core<S>&, const Vec3<S>&, FacePolygon<S>&);      \
    template void face_polygon(const Core<S>&, std::uint32_t, FacePolygon<S>&);     \
    template EdgeEnds<S> edge_ends(const Core<S>&, std::uint32_t);                  \
    template Vec3<S> edge_direction(const Core<S>&, std::uint32_t, const Vec3<S>&); \
    template std::uint32_t edge_along(const Core<S>&, const Vec3<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
