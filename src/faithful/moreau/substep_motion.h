// Motion over a substep by external forces and constant velocities.
#pragma once

#include "faithful/moreau/contact_groups.h"
#include "faithful/moreau/moreau_data.h"

namespace rigor::faithful {

/// Apply external forces: gravity, forces of the caller and damping.
///
/// Reads    the motion of all bodies.
/// Writes   their momenta, and the impulses.
/// Order    bodies are independent of each other.
void apply_external_forces(MoreauData& data, double h);

/// Records the work of these impulses, except that of gravity, which follows from the whole way.
/// All impulses of a substep act together, at the mean of the velocities at its start and `end`.
void record_external_work(MoreauData& data, std::span<const BodyMotion> end, double h);

/// Moves bodies in no group on a parabola.
///
/// Reads    the motion before the substep, and that after integrate_positions().
/// Writes   positions.
/// Order    bodies are independent of each other.
void correct_free_flight(MoreauData& data, std::span<const ContactGroup> groups, double h);

/// Integrate positions: moves the bodies of an island with their velocities.
///
/// Reads    momenta.
/// Writes   positions and orientations.
/// Order    bodies are independent of each other.
void integrate_positions(const WorldState& state, Island& island, double h);

} // namespace rigor::faithful
