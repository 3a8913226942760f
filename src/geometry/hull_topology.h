// Half-edge topology of a hull from faces as loops of vertices.
#pragma once

#include <optional>
#include <vector>

#include "geometry/hull.h"

namespace rigor {

using VertexLoop = std::vector<std::uint32_t>;

/// The hull with these vertices and faces, without rounding. The planes are Newell's, unless given.
/// Nothing when the loops do not form one closed surface: every edge must be in two faces with
/// opposite directions, every vertex in three, and V - E + F must be 2.
std::optional<Hull<double>> connect_hull(std::vector<Vec3d> vertices,
                                         const std::vector<VertexLoop>& loops,
                                         const std::vector<Plane<double>>* planes = nullptr);

} // namespace rigor
