// Hulls for piles in which no two bodies are alike.
#pragma once

#include <vector>

#include "bench/scenes/random.h"

namespace rigor::bench {

/// The corners of a polyhedron about a meter across: 12 to 16 points of an ellipsoid, none too
/// near another, with the center of mass at the origin and the principal axes along x, z and -y,
/// from the smallest moment to the largest.
std::vector<Vec3d> random_hull(Random& random);

} // namespace rigor::bench
