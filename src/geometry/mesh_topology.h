// Mesh topology: connectivity of the triangles, and whether they bound a solid.
//
// Everything is linear in the number of triangles (nested shells cost one ray each): edges are
// matched by a bucket sort on their lower vertex, without hashing. The same soup gives bitwise the
// same result.
#pragma once

#include <cstdint>
#include <vector>

#include "rigor/mesh.h"
#include "rigor/result.h"
#include "rigor/shape.h"

namespace rigor {

inline constexpr std::uint32_t kNone = 0xffffffffu;

/// Edges with more than two triangles: their half edges, edge after edge.
struct CrowdedEdges {
    std::vector<std::uint32_t> half_edges;
    std::vector<std::size_t> ends; ///< of each edge's part of half_edges
};

/// Half edge 3 t + i is the edge of triangle t from its corner i to its corner i + 1.
constexpr std::uint32_t triangle_of(std::uint32_t half_edge) {
    return half_edge / 3;
}
constexpr std::uint32_t next_half_edge(std::uint32_t h) {
    return h % 3 == 2 ? h - 2 : h + 1;
}
constexpr std::uint32_t previous_half_edge(std::uint32_t h) {
    return h % 3 == 0 ? h + 2 : h - 1;
}

struct MeshTopology {
    /// The repaired mesh. Vertices keep their indices, but triangles use only the first of
    /// coincident ones. Triangles keep their order; those that repeat a vertex are removed.
    TriangleSoup soup;
    /// Of each half edge, its opposite in the adjacent triangle; kNone at the boundary. Where four
    /// or more triangles share an edge, two are mates when the solid lies between them: solids that
    /// touch in an edge are not connected there.
    std::vector<std::uint32_t> mates;
    MeshReport report;
    std::uint32_t first_open_edge = kNone; ///< a half edge
};

/// Fails when an index is out of range, a coordinate is not finite, or there are no triangles.
Result<MeshTopology> build_topology(const TriangleSoup& soup);

/// Merges vertices at exactly the same position, and drops unused ones. The order of the others,
/// and of the triangles, stays. Indices must be in range.
TriangleSoup weld(const TriangleSoup& soup);
/// The same, with the new index of each vertex; kNone for those that are dropped.
TriangleSoup weld(const TriangleSoup& soup, std::vector<std::uint32_t>& new_index);

struct SelfIntersections {
    std::size_t pairs = 0;
    bool complete = true; ///< all pairs were tested; else there may be more
};

/// Pairs of triangles that properly intersect and share no vertex, counted up to the cap. Linear
/// except for the tree it builds, and yet more expensive than all other checks together. Where too
/// many boxes overlap, as in a wide fan, it stops early.
SelfIntersections count_self_intersections(const TriangleSoup& soup, std::size_t cap);

} // namespace rigor
