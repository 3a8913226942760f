// Voronoi cells within convex parts. The solver is voro++, which is optional to link (src/voro).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rigor/convex.h"

namespace rigor {

/// What one cell and one part have in common.
struct VoronoiFragment {
    std::uint32_t part = 0;
    std::uint32_t group = 0;              ///< fragments of a cell that hang together have the same
    std::vector<Vec3d> vertices;          ///< of a convex polyhedron
    std::vector<std::vector<int>> faces;  ///< their vertices in order, all seen from one side
    std::vector<std::uint32_t> neighbors; ///< seeds of the cells across its faces, ascending
};

/// All points that are nearer to one seed than to any other.
struct VoronoiCell {
    std::uint32_t seed = 0;
    std::vector<VoronoiFragment> fragments; ///< by part; groups are numbered from 0
};

/// The cells that have points in a part, by seed. Seeds must be distinct.
using VoronoiSolver = std::vector<VoronoiCell> (*)(std::span<const Vec3d> seeds,
                                                   std::span<const ConvexPart> parts);

/// Registers the solver. Called once, before main() begins: it is not synchronized.
RIGOR_API void set_voronoi_solver(VoronoiSolver solver);
VoronoiSolver voronoi_solver();

} // namespace rigor
