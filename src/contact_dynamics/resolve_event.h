// Resolves an event of an island: approaching contacts collide, separating ones are released, and
// the others get their modes.
#pragma once

#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

/// Afterwards no contact approaches, and every contact of the island touches and has a mode.
void resolve_event(const WorldState& state, const Laws& laws, Island& island,
                   StepStatistics& statistics);

/// Projects positions and velocities onto the constraints of contacts and joints, which removes the
/// drift of the integrator. The projection is the shortest in the metric of kinetic energy. Returns
/// its work by body; `normal_entry` is the entry of the normals of contacts.
std::vector<WorkLedger> project_constraints(
    const WorldState& state, Island& island,
    double WorkLedger::*normal_entry = &WorkLedger::contact_normal);

double kinetic_energy(const WorldState& state, const Island& island);

} // namespace rigor::contact_dynamics
