// Resolves an event of an island: approaching contacts collide, separating ones are released, and
// the others get their modes.
#pragma once

#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

/// Afterwards no contact approaches, and every contact of the island touches and has a mode.
void resolve_event(const WorldState& state, const Laws& laws, Island& island,
                   StepStatistics& statistics);

double kinetic_energy(const WorldState& state, const Island& island);

} // namespace rigor::contact_dynamics
