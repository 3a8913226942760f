// Energy that a break takes from the motion.
#pragma once

#include "rigor/world.h"

namespace rigor {

/// Takes up to `wanted` joules from the motion of two bodies against each other at a point, and
/// returns what it took.
///
/// For given momenta a rigid motion is the one of least kinetic energy, so nothing can be taken
/// from the pieces of a body alone. What is there is the motion against the other body: an impulse
/// between the two at the point, opposite to their relative velocity u there, takes up to
/// uᵀ K⁻¹ u / 2 and keeps the momenta of both together, K being the inverse effective mass.
double take_energy(World& world, BodyId body, BodyId other, const Vec3d& point, double wanted);

} // namespace rigor
