// Triangle mesh for queries: a solid when it is closed, a sheet when it is not.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "geometry/hull.h"
#include "geometry/mesh_bvh.h"
#include "geometry/mesh_mass.h"
#include "geometry/mesh_topology.h"
#include "geometry/query_types.h"
#include "geometry/triangle.h"
#include "rigor/pose.h"
#include "rigor/result.h"
#include "rigor/shape.h"

namespace rigor {

/// The convexity of an edge. A body that slides over a flat or concave edge must get no contact
/// with the edge's side of a triangle (a ghost contact): only a convex edge or a boundary edge can
/// be hit as an edge.
enum class EdgeKind : std::uint8_t { rim, convex, concave, flat };

template <class S>
struct TriangleMesh {
    std::vector<Vec3<S>> vertices; ///< all used
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<std::uint32_t> mates;    ///< of half edges, see MeshTopology
    std::vector<EdgeKind> edge_kinds;    ///< of half edges
    std::vector<Vec3<S>> vertex_normals; ///< unit: adjacent face normals, weighted by angle
    MeshBvh<S> tree;
    Aabb<S> box;
    UnitDensityMass unit_mass;
    bool closed = false;
    /// Of a convex mesh: the solid that collides in its place. Rays and nearest points still ask
    /// the triangles.
    std::shared_ptr<const Hull<S>> hull;
    /// The vertex that each vertex of the triangle soup became, kNone where it is unused. Empty in
    /// single precision.
    std::vector<std::uint32_t> vertex_of_soup;
    bool deformed = false; ///< by deformed_mesh: it is not shared with other shapes
};

template <class S>
Triangle<S> triangle_at(const TriangleMesh<S>& mesh, std::uint32_t t) {
    const auto& corner = mesh.triangles[t];
    return {mesh.vertices[corner[0]], mesh.vertices[corner[1]], mesh.vertices[corner[2]]};
}

/// Checks and repairs as build_topology does, then builds the tree: n log n. Triangles keep their
/// order (those that repeat a vertex are removed), so a `feature` is an index of theirs. A convex
/// mesh gets its hull.
Result<std::shared_ptr<const TriangleMesh<double>>> make_mesh(const TriangleSoup& soup);

/// The same triangles with moved vertices, given in the order of the soup: the topology stays, and
/// the tree is refitted. Linear, unless the result is convex: then it gets a hull.
///
/// Fails when the count is another, a coordinate is not finite, vertices that were at the same
/// place are not any more, or a closed mesh encloses no volume or is turned inside out.
Result<std::shared_ptr<const TriangleMesh<double>>> deformed_mesh(const TriangleMesh<double>& mesh,
                                                                  std::span<const Vec3d> vertices);

/// The vertices in the order of the soup; those that no triangle uses are zero.
std::vector<Vec3d> soup_vertices(const TriangleMesh<double>& mesh);

/// Bytes held by a mesh, without its hull.
std::size_t memory_bytes(const TriangleMesh<double>& mesh);

/// The mesh of a triangle soup, built by the first call and then shared during the lifetime of the
/// soup. Soups are identified by address, so one must not change once it was given here.
/// Thread-safe.
Result<std::shared_ptr<const TriangleMesh<double>>> shared_mesh(
    const std::shared_ptr<const TriangleSoup>& soup);

/// The same mesh in single precision, with its own tree.
std::shared_ptr<const TriangleMesh<float>> to_float(const TriangleMesh<double>& mesh);

/// Linear in the vertices.
template <class S>
Vec3<S> support(const TriangleMesh<S>& mesh, const Vec3<S>& direction);

/// Tight over the vertices, and linear in them.
template <class S>
Aabb<S> bounds(const TriangleMesh<S>& mesh, const Pose<S>& pose);

template <class S>
S bounding_radius(const TriangleMesh<S>& mesh, const Vec3<S>& center);

/// A closed mesh is a solid, as RayHit says: a ray that starts inside hits at t = 0, one that
/// starts on the surface hits when it enters. An open one is hit from both sides, and the normal
/// faces the ray. Watertight: no ray passes between two triangles.
template <class S>
std::optional<RayHit<S>> cast_ray(const TriangleMesh<S>& mesh, const Ray<S>& ray);

/// The sign is that of the angle-weighted normal at the nearest point, be it on a face, an
/// edge or a vertex [Baerentzen 2005]. Distances to an open mesh are positive, and the normal
/// faces the point.
template <class S>
SurfacePoint<S> closest_point(const TriangleMesh<S>& mesh, const Vec3<S>& point);

/// Whether a point is on the back of the surface, against the angle-weighted normal at the nearest
/// point; open meshes too.
template <class S>
bool is_behind(const TriangleMesh<S>& mesh, const Vec3<S>& point);

/// Calls visitor(index, triangle) for the triangles whose bounding boxes touch the given one.
template <class S, class Visitor>
void visit_triangles(const TriangleMesh<S>& mesh, const Aabb<S>& box, Visitor&& visitor) {
    visit_items(mesh.tree, box, [&](std::uint32_t t) {
        const Triangle<S> triangle = triangle_at(mesh, t);
        if (overlap(bounds(triangle), box)) visitor(t, triangle);
    });
}

} // namespace rigor
