// Construction of hulls by Qhull [Barber 1996], the only file that includes it: its reentrant C
// interface has one state struct per call.

#include "geometry/hull_builder.h"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <string>

#include "geometry/hull_topology.h"
#include "math/number_text.h"

namespace rigor {
namespace {

// Points thinner than this, relative to the extent, are coplanar.
constexpr double kFlat = 1e-10;

// Facets merge when each is at most this far below the other's plane, relative to the extent: above
// the error of a plane in single precision (a cube read from such a file has six faces, not
// twelve). Thin hulls get less, so that merging never reduces their thickness.
constexpr double kCoplanar = 4e-7;
constexpr double kCoplanarOfThickness = 1e-4;

// Whether facets merge when they are coplanar within the tolerance of data, or only within
// rounding.
enum class Merge { coplanar, exactly_coplanar };

struct BuiltHull {
    Hull<double> hull;
    std::vector<std::uint32_t> source; // of each vertex: its index among the points
};

Error bad_points(std::string message) {
    return {ErrorCode::invalid_value, "points", std::move(message)};
}

// The points translated and scaled into the unit cube: Qhull's tolerances are then independent of
// size. The scale is a power of two, so scaling does not round.
std::vector<Vec3d> to_unit_cube(std::span<const Vec3d> points) {
    Aabb<double> box;
    for (const Vec3d& p : points) box = join(box, p);
    const Vec3d middle = box.lo * 0.5 + box.hi * 0.5;
    int exponent = 0;
    std::frexp(max_component(box.hi * 0.5 - box.lo * 0.5), &exponent);
    std::vector<Vec3d> out;
    out.reserve(points.size());
    for (const Vec3d& p : points) {
        const Vec3d q = p - middle;
        out.push_back(
            {std::ldexp(q.x, -exponent), std::ldexp(q.y, -exponent), std::ldexp(q.z, -exponent)});
    }
    return out;
}

template <class Distance>
std::pair<Vec3d, double> farthest(const std::vector<Vec3d>& points, Distance distance) {
    std::pair<Vec3d, double> best{points[0], 0};
    for (const Vec3d& p : points) {
        const double d = distance(p);
        if (d > best.second) best = {p, d};
    }
    return best;
}

// The thickness of a set of points in the unit cube, or whether they are coincident, collinear or
// coplanar.
Result<double> thickness(const std::vector<Vec3d>& points) {
    const Vec3d a = points[0];
    const auto [b, extent] = farthest(points, [&](const Vec3d& p) { return length(p - a); });
    if (!(extent > 0)) return bad_points("a hull needs points in different places, got one place");
    const Vec3d along = normalize(b - a);
    const auto [c, width] =
        farthest(points, [&](const Vec3d& p) { return length(cross(p - a, along)); });
    if (width <= kFlat * extent) {
        return bad_points("a hull needs a volume, but the points lie on a line");
    }
    const Vec3d normal = normalize(cross(along, c - a));
    const auto [d, height] =
        farthest(points, [&](const Vec3d& p) { return std::abs(dot(p - a, normal)); });
    if (height <= kFlat * extent) {
        return bad_points("a hull needs a volume, but the points lie in a plane");
    }
    return height;
}

// Facet by facet: the number of its vertices, then their point ids, clockwise. Qhull reports errors
// by longjmp back to here, so nothing in between may own memory.
int read_facets(qhT* qh, std::vector<std::uint32_t>& out) {
    if (const int code = setjmp(qh->errexit)) {
        qh->NOerrexit = True;
        return code;
    }
    qh->NOerrexit = False;
    facetT* facet;
    FORALLfacets {
        setT* corners = qh_facet3vertex(qh, facet);
        out.push_back(static_cast<std::uint32_t>(qh_setsize(qh, corners)));
        vertexT *vertex, **vertexp;
        FOREACHvertex_(corners) {
            out.push_back(static_cast<std::uint32_t>(qh_pointid(qh, vertex->point)));
        }
        qh_settempfree(qh, &corners);
    }
    qh->NOerrexit = True;
    return 0;
}

// The faces of the hull as loops of point indices; empty when Qhull failed.
std::vector<VertexLoop> run_qhull(const std::vector<Vec3d>& points, const char* options) {
    std::vector<double> coordinates;
    coordinates.reserve(3 * points.size());
    for (const Vec3d& p : points) coordinates.insert(coordinates.end(), {p.x, p.y, p.z});
    std::vector<char> command(options, options + std::char_traits<char>::length(options) + 1);
    std::FILE* silence = std::fopen("/dev/null", "w");
    if (!silence) silence = stderr;
    qhT state;
    qh_zero(&state, silence);
    std::vector<std::uint32_t> facets;
    int code = qh_new_qhull(&state, 3, static_cast<int>(points.size()), coordinates.data(), False,
                            command.data(), nullptr, silence);
    if (code == 0) code = read_facets(&state, facets);
    state.NOerrexit = True;
    qh_freeqhull(&state, !qh_ALL);
    int current = 0, total = 0;
    qh_memfreeshort(&state, &current, &total);
    if (silence != stderr) std::fclose(silence);
    if (code != 0) return {};

    std::vector<VertexLoop> loops;
    for (std::size_t i = 0; i < facets.size(); i += facets[i] + 1) {
        const auto first = facets.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        loops.emplace_back(first, first + facets[i]);
        std::reverse(loops.back().begin(), loops.back().end());
    }
    return loops;
}

// A canonical order that depends on the points alone: each loop from its lowest vertex, loops
// sorted.
void sort_loops(std::vector<VertexLoop>& loops) {
    for (VertexLoop& loop : loops) {
        std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
    }
    std::sort(loops.begin(), loops.end());
}

std::optional<BuiltHull> connect(std::span<const Vec3d> points, std::vector<VertexLoop> loops) {
    constexpr std::uint32_t kUnused = ~0u;
    std::vector<std::uint32_t> index(points.size(), kUnused);
    for (const VertexLoop& loop : loops) {
        for (const std::uint32_t v : loop) index[v] = 0;
    }
    BuiltHull built;
    std::vector<Vec3d> vertices;
    for (std::uint32_t i = 0; i < index.size(); ++i) {
        if (index[i] == kUnused) continue;
        index[i] = static_cast<std::uint32_t>(vertices.size());
        vertices.push_back(points[i]);
        built.source.push_back(i);
    }
    for (VertexLoop& loop : loops) {
        for (std::uint32_t& v : loop) v = index[v];
    }
    sort_loops(loops);
    std::optional<Hull<double>> hull = connect_hull(std::move(vertices), loops);
    if (!hull) return {};
    built.hull = std::move(*hull);
    return built;
}

Result<BuiltHull> build(std::span<const Vec3d> points, Merge merge) {
    if (points.size() < 4) {
        return bad_points("a hull needs at least 4 points, got " + text(points.size()));
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!is_finite(points[i])) {
            return bad_points("points must be finite, got " + text(points[i]) + " as point " +
                              text(i));
        }
    }
    const std::vector<Vec3d> unit = to_unit_cube(points);
    const Result<double> thick = thickness(unit);
    if (!thick) return thick.error();
    // Should merging not give a closed surface, which Qhull allows for points that are only roughly
    // coplanar, it merges less, and finally uses triangles.
    const double tolerance = std::min(kCoplanar, kCoplanarOfThickness * *thick);
    const std::string loosely = "qhull Pp C-" + text(tolerance);
    std::vector<const char*> attempts{"qhull Pp", "qhull Pp Qt"};
    if (merge == Merge::coplanar) attempts.insert(attempts.begin(), loosely.c_str());
    for (const char* options : attempts) {
        if (std::optional<BuiltHull> built = connect(points, run_qhull(unit, options))) {
            return std::move(*built);
        }
    }
    return Error{ErrorCode::unsupported, "points",
                 "no convex hull could be built from these " + text(points.size()) +
                     " points: too many of them lie almost in one plane"};
}

// The intersection of the planes around a dual face: one least-squares step from a guess, which
// removes the rounding of the dual.
Vec3d intersect_planes(const std::vector<Plane<double>>& planes, const Vec3d& guess) {
    Sym3d normal_matrix;
    Vec3d right;
    for (const Plane<double>& plane : planes) {
        normal_matrix = normal_matrix + Sym3d::from(outer(plane.normal, plane.normal));
        right -= plane.normal * height_over(plane, guess);
    }
    const Vec3d step = inverse(normal_matrix) * right;
    return is_finite(step) ? guess + step : guess;
}

// For each vertex of a hull, the faces around it, counterclockwise.
std::vector<VertexLoop> faces_around_vertices(const Hull<double>& hull) {
    std::vector<VertexLoop> loops(hull.vertices.size());
    for (std::uint32_t start = 0; start < hull.half_edges.size(); ++start) {
        VertexLoop& loop = loops[hull.half_edges[start].origin];
        if (!loop.empty()) continue;
        std::uint32_t h = start;
        do { // clockwise
            loop.push_back(hull.half_edges[h].face);
            h = hull.next(hull.half_edges[h].twin);
        } while (h != start);
        std::reverse(loop.begin(), loop.end());
    }
    return loops;
}

// All faces offset inward by `step`, which must be less than the depth of the center.
//
// By duality about the center, a plane n·x = d becomes the point n/d, and the intersection of the
// half-spaces the hull of these points: its vertices are the remaining planes, its faces the
// vertices, with the adjacency reversed [Preparata 1979].
std::optional<Hull<double>> shrink(const Hull<double>& hull, double step) {
    std::vector<Vec3d> dual_points;
    for (const HullFace<double>& face : hull.faces) {
        const double d = -height_over(face.plane, hull.center) - step;
        dual_points.push_back(face.plane.normal / d);
    }
    const Result<BuiltHull> built = build(dual_points, Merge::exactly_coplanar);
    if (!built) return {};
    const Hull<double>& dual = built->hull;

    std::vector<Plane<double>> planes;
    for (const std::uint32_t source : built->source) {
        const Plane<double>& plane = hull.faces[source].plane;
        planes.push_back({plane.normal, plane.offset - step});
    }
    std::vector<Vec3d> vertices;
    for (const HullFace<double>& face : dual.faces) {
        std::vector<Plane<double>> around;
        for (std::uint32_t h = face.first; h < face.first + face.count; ++h) {
            around.push_back(planes[dual.half_edges[h].origin]);
        }
        vertices.push_back(
            intersect_planes(around, hull.center + face.plane.normal / face.plane.offset));
    }
    return connect_hull(std::move(vertices), faces_around_vertices(dual), &planes);
}

} // namespace

Result<Hull<double>> make_hull(std::span<const Vec3d> points) {
    Result<BuiltHull> built = build(points, Merge::coplanar);
    if (!built) return built.error();
    return std::move(built->hull);
}

// In steps that keep the center inside: two steps give the same result as one step of their sum.
// The centroid is at least half as deep as any other point, so each step covers a fixed fraction of
// the possible depth, and a rounding too large is detected after some thirty steps.
Result<Hull<double>> round_hull(const Hull<double>& sharp, double rounding) {
    if (!(rounding >= 0)) {
        return Error{ErrorCode::invalid_value, "rounding",
                     "rounding must not be negative, got " + text(rounding)};
    }
    Hull<double> core = sharp;
    const double size = bounding_radius(sharp, sharp.center);
    double taken = 0;
    while (taken < rounding) {
        const double depth = core.inner_radius;
        const double left = rounding - taken;
        const double step = std::min(left, 0.9 * depth);
        std::optional<Hull<double>> smaller;
        if (depth > 1e-7 * size) smaller = shrink(core, step);
        if (!smaller) {
            return Error{ErrorCode::invalid_value, "rounding",
                         "rounding must be less than the radius of the largest ball inside the "
                         "hull, " +
                             text_short(taken + std::max(depth, 0.0)) + ", got " + text(rounding)};
        }
        core = std::move(*smaller);
        taken = step == left ? rounding : taken + step;
    }
    core.rounding = rounding;
    return core;
}

} // namespace rigor
