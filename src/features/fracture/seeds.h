// Seeds of Voronoi cells: spread evenly through a solid, or gathered at a point.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "features/fracture/random.h"
#include "rigor/convex.h"

namespace rigor {

/// `count` distinct points inside the parts. With an impact point they lie the closer together the
/// nearer they are to it; else as evenly as a few candidates for each allow.
std::vector<Vec3d> voronoi_seeds(std::span<const ConvexPart> parts, int count, std::uint64_t seed,
                                 const std::optional<Vec3d>& impact);

} // namespace rigor
