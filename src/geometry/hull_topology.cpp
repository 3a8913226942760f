#include "geometry/hull_topology.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace rigor {
namespace {

using Hulld = Hull<double>;

void lay_out_loops(Hulld& hull, const std::vector<VertexLoop>& loops) {
    for (const VertexLoop& loop : loops) {
        const auto face = static_cast<std::uint32_t>(hull.faces.size());
        hull.faces.push_back({{},
                              static_cast<std::uint32_t>(hull.half_edges.size()),
                              static_cast<std::uint32_t>(loop.size())});
        for (const std::uint32_t v : loop) hull.half_edges.push_back({v, 0, face});
    }
}

// Half-edges sorted by their lower and upper vertex: the two sides of an edge become adjacent.
bool pair_twins(Hulld& hull) {
    const auto ends = [&](std::uint32_t h) {
        return std::pair(hull.half_edges[h].origin, hull.half_edges[hull.next(h)].origin);
    };
    const auto key = [&](std::uint32_t h) {
        const auto [a, b] = ends(h);
        return std::pair(std::min(a, b), std::max(a, b));
    };
    std::vector<std::uint32_t> order(hull.half_edges.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(key(a), a) < std::pair(key(b), b);
    });
    if (order.size() % 2 != 0) return false;
    for (std::size_t i = 0; i < order.size(); i += 2) {
        const std::uint32_t g = order[i], h = order[i + 1];
        const auto [a, b] = ends(g);
        if (a == b || ends(h) != std::pair(b, a)) return false;
        if (i + 2 < order.size() && key(order[i + 2]) == key(g)) return false;
        hull.half_edges[g].twin = h;
        hull.half_edges[h].twin = g;
        hull.edges.push_back({a, b, hull.half_edges[g].face, hull.half_edges[h].face, g});
    }
    return true;
}

// Walks once around each vertex: from an outgoing half-edge, the twin's successor leaves the
// same vertex, one face further clockwise.
bool collect_neighbors(Hulld& hull) {
    constexpr std::uint32_t kNone = ~0u;
    std::vector<std::uint32_t>& outgoing = hull.outgoing;
    outgoing.assign(hull.vertices.size(), kNone);
    std::vector<std::uint32_t> degree(hull.vertices.size(), 0);
    for (std::uint32_t h = 0; h < hull.half_edges.size(); ++h) {
        const std::uint32_t v = hull.half_edges[h].origin;
        if (outgoing[v] == kNone) outgoing[v] = h;
        ++degree[v];
    }
    hull.neighbor_starts.assign(1, 0);
    for (std::uint32_t v = 0; v < hull.vertices.size(); ++v) {
        if (degree[v] < 3) return false;
        std::uint32_t h = outgoing[v];
        for (std::uint32_t i = 0; i < degree[v]; ++i) {
            const std::uint32_t twin = hull.half_edges[h].twin;
            hull.neighbors.push_back(hull.half_edges[twin].origin);
            h = hull.next(twin);
            if (hull.half_edges[h].origin != v) return false;
            if ((h == outgoing[v]) != (i + 1 == degree[v])) return false; // two fans at one vertex
        }
        hull.neighbor_starts.push_back(static_cast<std::uint32_t>(hull.neighbors.size()));
    }
    return true;
}

// [Sutherland 1974], Newell's method: the sum of the loop's cross products, which averages the
// rounding of single vertices. Relative to the first vertex and in units of the face's own size, so
// that it is independent of position and scale.
Vec3d newell_normal(const Hulld& hull, const HullFace<double>& face) {
    const Vec3d& base = hull.origin(face.first);
    double size = 0;
    for (std::uint32_t i = 1; i < face.count; ++i) {
        size = std::max(size, max_component(abs(hull.origin(face.first + i) - base)));
    }
    Vec3d sum;
    for (std::uint32_t i = 1; i + 1 < face.count; ++i) {
        sum += cross((hull.origin(face.first + i) - base) / size,
                     (hull.origin(face.first + i + 1) - base) / size);
    }
    return normalize(sum);
}

// The offset is that of the highest vertex, so that no vertex of the face lies above its plane.
Plane<double> plane_of(const Hulld& hull, const HullFace<double>& face) {
    const Vec3d normal = newell_normal(hull, face);
    double offset = dot(normal, hull.origin(face.first));
    for (std::uint32_t i = 1; i < face.count; ++i) {
        offset = std::max(offset, dot(normal, hull.origin(face.first + i)));
    }
    return {normal, offset};
}

// The centroid, by tetrahedra over a vertex: all of one sign, so there is no cancellation. In units
// of the hull's size, whose cube might overflow.
Vec3d centroid(const Hulld& hull) {
    const Vec3d& base = hull.vertices[0];
    double size = 0;
    for (const Vec3d& v : hull.vertices) size = std::max(size, max_component(abs(v - base)));
    double volume = 0;
    Vec3d moment;
    for (const HullFace<double>& face : hull.faces) {
        const Vec3d a = (hull.origin(face.first) - base) / size;
        for (std::uint32_t i = 1; i + 1 < face.count; ++i) {
            const Vec3d b = (hull.origin(face.first + i) - base) / size;
            const Vec3d c = (hull.origin(face.first + i + 1) - base) / size;
            const double part = dot(a, cross(b, c));
            volume += part;
            moment += (a + b + c) * (part / 4);
        }
    }
    return base + moment * (size / volume);
}

double depth_of_center(const Hulld& hull) {
    double depth = std::numeric_limits<double>::infinity();
    for (const HullFace<double>& face : hull.faces) {
        depth = std::min(depth, -height_over(face.plane, hull.center));
    }
    return depth;
}

void find_extremes(Hulld& hull) {
    for (std::uint32_t v = 0; v < hull.vertices.size(); ++v) {
        for (std::uint32_t axis = 0; axis < 3; ++axis) {
            const int i = static_cast<int>(axis);
            std::uint32_t& high = hull.extremes[2 * axis];
            std::uint32_t& low = hull.extremes[2 * axis + 1];
            if (hull.vertices[v][i] > hull.vertices[high][i]) high = v;
            if (hull.vertices[v][i] < hull.vertices[low][i]) low = v;
        }
    }
}

} // namespace

std::optional<Hull<double>> connect_hull(std::vector<Vec3d> vertices,
                                         const std::vector<VertexLoop>& loops,
                                         const std::vector<Plane<double>>* planes) {
    Hulld hull;
    hull.vertices = std::move(vertices);
    lay_out_loops(hull, loops);
    if (hull.vertices.size() < 4 || !pair_twins(hull) || !collect_neighbors(hull)) return {};
    if (hull.vertices.size() + hull.faces.size() != hull.edges.size() + 2) return {};
    for (std::size_t i = 0; i < hull.faces.size(); ++i) {
        hull.faces[i].plane = planes ? (*planes)[i] : plane_of(hull, hull.faces[i]);
        if (hull.faces[i].plane.normal == Vec3d{}) return {};
    }
    hull.center = centroid(hull);
    hull.inner_radius = depth_of_center(hull);
    find_extremes(hull);
    return hull;
}

} // namespace rigor
