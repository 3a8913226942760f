// What happens at one moment: contacts that approach collide, those that part are let go, and the
// rest get their modes.
#pragma once

#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

/// After it nothing approaches, and every contact of the island has a mode and touches.
void settle(const WorldState& state, const Laws& laws, Island& island, Story& story);

/// Takes back what the integrator left of gaps and of velocities across them: contacts touch,
/// joints are together. Least in the metric of kinetic energy, whose change is booked.
void project(const WorldState& state, Island& island, double Works::*entry);
/// Where work is booked that holds an island together.
double Works::*holding_entry(const Island& island);

double kinetic_energy(const WorldState& state, const Island& island);

} // namespace rigor::contact_dynamics
