// Motion over a substep by external forces and constant velocities.
#pragma once

#include "faithful/moreau/moreau_data.h"

namespace rigor::faithful {

/// Apply external forces: gravity, forces of the caller and damping.
///
/// Reads    the motion of all bodies.
/// Writes   their momenta, and the work of gravity and of forces.
/// Order    bodies are independent of each other.
void apply_external_forces(MoreauData& data, double h);

/// Integrate positions: moves the bodies of an island with their velocities.
///
/// Reads    momenta.
/// Writes   positions and orientations.
/// Order    bodies are independent of each other.
void integrate_positions(const WorldState& state, Island& island, double h);

} // namespace rigor::faithful
