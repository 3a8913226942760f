#include "geometry/mesh.h"

#include <cmath>
#include <limits>

#include "geometry/mesh_convexity.h"
#include "geometry/vertex_queries.h"
#include "math/number_text.h"
#include "math/trig.h"
#include "rigor/rotation.h"

namespace rigor {
namespace {

using MeshD = TriangleMesh<double>;

// Below this dihedral angle, in radians, two triangles count as coplanar: a tenth of a millimeter
// on a meter, coarser than the rounding of a mesh stored in single precision.
constexpr double kFlatBend = 1e-4;

EdgeKind edge_kind(const MeshD& mesh, const std::vector<Vec3d>& normals, std::uint32_t h) {
    const std::uint32_t mate = mesh.mates[h];
    if (mate == kNone) return EdgeKind::rim;
    const Vec3d& n = normals[triangle_of(h)];
    const Vec3d& m = normals[triangle_of(mate)];
    const auto& corner = mesh.triangles[triangle_of(h)];
    const Vec3d along =
        normalize(mesh.vertices[corner[(h + 1) % 3]] - mesh.vertices[corner[h % 3]]);
    // The angle from n to m about the edge is positive when the edge is convex.
    const double sine = dot(cross(n, m), along), cosine = dot(n, m);
    if (std::abs(sine) <= kFlatBend && cosine >= 0) return EdgeKind::flat;
    return sine >= 0 ? EdgeKind::convex : EdgeKind::concave;
}

template <class S>
std::uint32_t longest_half_edge(const TriangleMesh<S>& mesh, std::uint32_t t) {
    const Triangle<S> tri = triangle_at(mesh, t);
    const S ab = length_squared(tri.b - tri.a), bc = length_squared(tri.c - tri.b),
            ca = length_squared(tri.a - tri.c);
    return 3 * t + (ab >= bc && ab >= ca ? 0u : bc >= ca ? 1u : 2u);
}

// The three vertices of a zero-area triangle are on its longest edge, where it closes a gap: it
// lies in the plane of the neighbor there. Several in a row are traversed one by one.
template <class S>
Vec3<S> plane_normal(const TriangleMesh<S>& mesh, std::uint32_t t) {
    constexpr int kMaxInARow = 8;
    for (int i = 0; i < kMaxInARow; ++i) {
        const Triangle<S> triangle = triangle_at(mesh, t);
        if (!is_degenerate(triangle)) return normal(triangle);
        const std::uint32_t mate = mesh.mates[longest_half_edge(mesh, t)];
        if (mate == kNone) break;
        t = triangle_of(mate);
    }
    return {};
}

std::vector<Vec3d> face_normals(const MeshD& mesh) {
    std::vector<Vec3d> normals;
    normals.reserve(mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        normals.push_back(plane_normal(mesh, t));
    return normals;
}

double angle_between(const Vec3d& u, const Vec3d& v) {
    return atan2(length(cross(u, v)), dot(u, v));
}

std::vector<Vec3d> angle_weighted_normals(const MeshD& mesh, const std::vector<Vec3d>& normals) {
    std::vector<Vec3d> sums(mesh.vertices.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle<double> tri = triangle_at(mesh, t);
        const auto& [a, b, c] = mesh.triangles[t];
        sums[a] += normals[t] * angle_between(tri.b - tri.a, tri.c - tri.a);
        sums[b] += normals[t] * angle_between(tri.c - tri.b, tri.a - tri.b);
        sums[c] += normals[t] * angle_between(tri.a - tri.c, tri.b - tri.c);
    }
    for (Vec3d& sum : sums) sum = normalize(sum);
    return sums;
}

template <class S>
std::vector<Aabb<S>> triangle_boxes(const TriangleMesh<S>& mesh) {
    std::vector<Aabb<S>> boxes;
    boxes.reserve(mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        boxes.push_back(bounds(triangle_at(mesh, t)));
    }
    return boxes;
}

template <class S>
void build_tree(TriangleMesh<S>& mesh) {
    mesh.tree = build_bvh(triangle_boxes(mesh));
    mesh.box = mesh.tree.nodes.empty() ? Aabb<S>{} : mesh.tree.nodes[0].box;
}

/// Of vertices, triangles and mates.
void update_edges_and_normals(MeshD& mesh) {
    const std::vector<Vec3d> normals = face_normals(mesh);
    mesh.edge_kinds.clear();
    mesh.edge_kinds.reserve(mesh.mates.size());
    for (std::uint32_t h = 0; h < mesh.mates.size(); ++h) {
        mesh.edge_kinds.push_back(edge_kind(mesh, normals, h));
    }
    mesh.vertex_normals = angle_weighted_normals(mesh, normals);
}

Error bad_vertices(std::string message) {
    return {ErrorCode::invalid_value, "vertices", std::move(message)};
}

/// The vertices of a mesh that those of its soup become. All of one are at the same place.
Result<std::vector<Vec3d>> welded_vertices(const MeshD& mesh, std::span<const Vec3d> vertices) {
    if (vertices.size() != mesh.vertex_of_soup.size())
        return bad_vertices("the mesh has " + std::to_string(mesh.vertex_of_soup.size()) +
                            " vertices, got " + std::to_string(vertices.size()));
    std::vector<Vec3d> moved(mesh.vertices.size());
    std::vector<std::uint32_t> first(mesh.vertices.size(), kNone);
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
        if (!is_finite(vertices[i]))
            return bad_vertices("vertex " + std::to_string(i) + " must be finite, got " +
                                text(vertices[i]));
        const std::uint32_t v = mesh.vertex_of_soup[i];
        if (v == kNone) continue;
        if (first[v] == kNone) {
            first[v] = i;
            moved[v] = vertices[i];
        } else if (moved[v] != vertices[i]) {
            return bad_vertices("vertices " + std::to_string(first[v]) + " and " +
                                std::to_string(i) +
                                " were at the same place and must stay together");
        }
    }
    return moved;
}

// The normal of the surface across the half edge h: that of its triangle; or, over the longest edge
// of a zero-area one, that of the neighbors at the other two edges, which are collinear.
template <class S>
Vec3<S> normal_behind(const TriangleMesh<S>& mesh, std::uint32_t h) {
    const std::uint32_t t = triangle_of(h);
    if (!is_degenerate(triangle_at(mesh, t)) || h != longest_half_edge(mesh, t)) {
        return plane_normal(mesh, t);
    }
    Vec3<S> sum;
    for (const std::uint32_t side : {next_half_edge(h), previous_half_edge(h)}) {
        const std::uint32_t mate = mesh.mates[side];
        if (mate != kNone) sum += plane_normal(mesh, triangle_of(mate));
    }
    return normalize(sum);
}

// The normal that decides between inside and outside at a feature of a triangle.
template <class S>
Vec3<S> pseudo_normal(const TriangleMesh<S>& mesh, std::uint32_t t, TriangleFeature feature) {
    const auto i = static_cast<std::uint32_t>(feature);
    if (i < 3) return mesh.vertex_normals[mesh.triangles[t][i]];
    if (feature == TriangleFeature::face) return normal(triangle_at(mesh, t));
    const std::uint32_t h = 3 * t + (i - 3), mate = mesh.mates[h];
    const Vec3<S> here = normal_behind(mesh, h);
    return mate == kNone ? here : here + normal_behind(mesh, mate);
}

template <class S>
struct Nearest {
    TrianglePoint<S> on;
    std::uint32_t triangle = kNone;
    S distance_squared = Aabb<S>::kInfinity;
};

template <class S>
Nearest<S> find_nearest(const TriangleMesh<S>& mesh, const Vec3<S>& point) {
    Nearest<S> best;
    visit_nearest(mesh.tree, point, Aabb<S>::kInfinity, [&](std::uint32_t t, S bound) {
        const TrianglePoint<S> on = closest_point(triangle_at(mesh, t), point);
        const S d = length_squared(point - on.point);
        // Of equally near ones the first by index, so that the tree's structure has no effect.
        if (d < bound || (d == bound && t < best.triangle)) best = {on, t, d};
        return best.distance_squared;
    });
    return best;
}

template <class S>
bool is_inside(const TriangleMesh<S>& mesh, const Vec3<S>& point) {
    if (!mesh.closed || !contains(mesh.box, Aabb<S>{point, point})) return false;
    return closest_point(mesh, point).distance < S(0);
}

} // namespace

Result<std::shared_ptr<const TriangleMesh<double>>> make_mesh(const TriangleSoup& soup) {
    Result<MeshTopology> topology = build_topology(soup);
    if (!topology) return topology.error();
    if (topology->soup.triangles.empty()) {
        return Error{ErrorCode::invalid_value, "triangles",
                     "a mesh needs a triangle with three different corners, but all " +
                         std::to_string(soup.triangles.size()) + " repeat one"};
    }
    auto mesh = std::make_shared<MeshD>();
    mesh->unit_mass = unit_density_mass(*topology);
    TriangleSoup used = weld(topology->soup, mesh->vertex_of_soup);
    mesh->vertices = std::move(used.vertices);
    mesh->triangles = std::move(used.triangles);
    mesh->mates = std::move(topology->mates);
    mesh->closed = topology->report.closed;
    update_edges_and_normals(*mesh);
    build_tree(*mesh);
    mesh->hull = hull_if_convex(*mesh);
    return std::shared_ptr<const MeshD>(std::move(mesh));
}

Result<std::shared_ptr<const TriangleMesh<double>>> deformed_mesh(const TriangleMesh<double>& mesh,
                                                                  std::span<const Vec3d> vertices) {
    Result<std::vector<Vec3d>> moved = welded_vertices(mesh, vertices);
    if (!moved) return moved.error();
    std::optional<Error> not_closed;
    if (!mesh.closed) not_closed = mesh.unit_mass.no_solid;
    UnitDensityMass unit_mass = unit_density_mass({*moved, mesh.triangles}, not_closed);
    // A flat closed mesh, which never was a solid, may stay one.
    if (mesh.closed && unit_mass.no_solid && !mesh.unit_mass.no_solid)
        return bad_vertices("the vertices leave the closed mesh no volume, or turn it inside out");
    auto result = std::make_shared<MeshD>(mesh);
    result->vertices = std::move(*moved);
    result->unit_mass = std::move(unit_mass);
    update_edges_and_normals(*result);
    refit(result->tree, triangle_boxes(*result));
    result->box = result->tree.nodes[0].box;
    result->hull = hull_if_convex(*result);
    result->deformed = true;
    return std::shared_ptr<const MeshD>(std::move(result));
}

std::vector<Vec3d> soup_vertices(const TriangleMesh<double>& mesh) {
    std::vector<Vec3d> vertices(mesh.vertex_of_soup.size());
    for (std::size_t i = 0; i < vertices.size(); ++i)
        if (const std::uint32_t v = mesh.vertex_of_soup[i]; v != kNone)
            vertices[i] = mesh.vertices[v];
    return vertices;
}

std::size_t memory_bytes(const TriangleMesh<double>& mesh) {
    const auto bytes = [](const auto& items) { return items.capacity() * sizeof(items[0]); };
    return sizeof mesh + bytes(mesh.vertices) + bytes(mesh.triangles) + bytes(mesh.mates) +
           bytes(mesh.edge_kinds) + bytes(mesh.vertex_normals) + bytes(mesh.tree.nodes) +
           bytes(mesh.tree.items) + bytes(mesh.vertex_of_soup);
}

std::shared_ptr<const TriangleMesh<float>> to_float(const TriangleMesh<double>& mesh) {
    auto result = std::make_shared<TriangleMesh<float>>();
    result->vertices.reserve(mesh.vertices.size());
    for (const Vec3d& v : mesh.vertices) result->vertices.push_back(cast<float>(v));
    result->vertex_normals.reserve(mesh.vertex_normals.size());
    for (const Vec3d& n : mesh.vertex_normals) result->vertex_normals.push_back(cast<float>(n));
    result->triangles = mesh.triangles;
    result->mates = mesh.mates;
    result->edge_kinds = mesh.edge_kinds;
    result->unit_mass = mesh.unit_mass;
    result->closed = mesh.closed;
    if (mesh.hull) result->hull = std::make_shared<const Hull<float>>(to_float(*mesh.hull));
    build_tree(*result);
    return result;
}

template <class S>
auto vertices_of(const TriangleMesh<S>& mesh) {
    return [&mesh](const auto& visit) {
        for (const Vec3<S>& v : mesh.vertices) visit(v);
    };
}

template <class S>
Vec3<S> support(const TriangleMesh<S>& mesh, const Vec3<S>& direction) {
    return support_of_vertices(mesh.vertices[0], direction, vertices_of(mesh));
}

template <class S>
Aabb<S> bounds(const TriangleMesh<S>& mesh, const Pose<S>& pose) {
    return bounds_of_vertices(pose, vertices_of(mesh));
}

template <class S>
S bounding_radius(const TriangleMesh<S>& mesh, const Vec3<S>& center) {
    return radius_of_vertices(center, vertices_of(mesh));
}

template <class S>
std::optional<RayHit<S>> cast_ray(const TriangleMesh<S>& mesh, const Ray<S>& ray) {
    if (!is_finite(ray.origin) || !is_finite(ray.direction) || !(ray.max_t >= S(0))) return {};
    if (is_inside(mesh, ray.origin)) {
        const Vec3<S> back = -normalize(ray.direction);
        return RayHit<S>{S(0), back != Vec3<S>{} ? back : closest_point(mesh, ray.origin).normal, 0,
                         true};
    }
    if (ray.direction == Vec3<S>{}) return {};

    // A solid is entered through front faces: a back face is an exit, which only a ray that starts
    // on the surface can hit first.
    RayShear<S> shear(ray);
    std::optional<RayHit<S>> best;
    visit_along(mesh.tree, ray, [&](std::uint32_t t, S max_t) {
        shear.max_t = max_t;
        const auto hit = cast_ray(triangle_at(mesh, t), shear);
        if (!hit || (mesh.closed && hit->from_behind)) return max_t;
        if (best && hit->t == best->t && t > best->feature) return max_t;
        const Vec3<S> n = normal(triangle_at(mesh, t));
        best = RayHit<S>{hit->t, hit->from_behind ? -n : n, t, false};
        return hit->t;
    });
    return best;
}

template <class S>
SurfacePoint<S> closest_point(const TriangleMesh<S>& mesh, const Vec3<S>& point) {
    const Nearest<S> nearest = find_nearest(mesh, point);
    if (nearest.triangle == kNone) { // the point is NaN
        return {point, {}, std::numeric_limits<S>::quiet_NaN(), 0};
    }
    const Vec3<S> outward = pseudo_normal(mesh, nearest.triangle, nearest.on.feature);
    const Vec3<S> away = point - nearest.on.point;
    const S side = dot(away, outward);
    const bool inside = mesh.closed && side < S(0);
    const S distance = inside ? -length(away) : length(away);
    const Vec3<S> unit = normalize(away);
    const Vec3<S> n = unit == Vec3<S>{} ? normalize(outward) : inside ? -unit : unit;
    return {nearest.on.point, n, distance, nearest.triangle};
}

template <class S>
bool is_behind(const TriangleMesh<S>& mesh, const Vec3<S>& point) {
    const Nearest<S> nearest = find_nearest(mesh, point);
    if (nearest.triangle == kNone) return false;
    const Vec3<S> outward = pseudo_normal(mesh, nearest.triangle, nearest.on.feature);
    return dot(point - nearest.on.point, outward) < S(0);
}

#define RIGOR_INSTANTIATE(S)                                                           \
    template Vec3<S> support(const TriangleMesh<S>&, const Vec3<S>&);                  \
    template Aabb<S> bounds(const TriangleMesh<S>&, const Pose<S>&);                   \
    template S bounding_radius(const TriangleMesh<S>&, const Vec3<S>&);                \
    template std::optional<RayHit<S>> cast_ray(const TriangleMesh<S>&, const Ray<S>&); \
    template SurfacePoint<S> closest_point(const TriangleMesh<S>&, const Vec3<S>&);    \
    template bool is_behind(const TriangleMesh<S>&, const Vec3<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
