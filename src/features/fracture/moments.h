// Mass properties of pieces, which add up to those of the body.
#pragma once

#include <span>
#include <vector>

#include "rigor/mass.h"

namespace rigor {

/// Of a uniform convex polyhedron. The vertices of its faces are in order, all seen from outside or
/// all from inside. The mass is zero when it has no volume.
MassProperties polyhedron_mass(std::span<const Vec3d> vertices,
                               std::span<const std::vector<int>> faces, double density);

/// Of several solids that move as one; at least one has mass.
MassProperties combined(std::span<const MassProperties> parts);

/// The masses of pieces changed so that together they are `whole`: its mass, center and inertia, to
/// rounding. Each piece stays what a solid can have.
///
/// All mass is scaled to the total, and moved by the one affine map of least displacement that
/// gives the second moments of the whole (optimal transport of Gaussians, [Villani 2003]):
///
///     x -> c + A (x - c'),   A = S^(-1/2) (S^(1/2) J S^(1/2))^(1/2) S^(-1/2)
///
/// with S and J the second moments of the pieces together and of the whole, about their centers c'
/// and c. It is the identity for a uniform polyhedron, and close to it for a curved solid, whose
/// cells are cut from a polyhedron inside it.
std::vector<MassProperties> fit_masses(std::span<const MassProperties> pieces,
                                       const MassProperties& whole);

} // namespace rigor
