// Projection of positions and velocities onto the constraints of contacts and joints, which removes
// the drift of an integrator. It is the shortest in the metric of kinetic energy.
#pragma once

#include "contact_dynamics/impulse_work.h"

namespace rigor::contact_dynamics {

/// Returns the work of the displacements by body. Where joints take part they share it with the
/// contacts, and it counts as theirs.
std::vector<WorkLedger> project_positions(const WorldState& state, Island& island);

/// The impulses that project the velocities. `normal_entry` is the entry of the normals of
/// contacts.
std::vector<RowImpulse> velocity_corrections(
    const WorldState& state, const Island& island,
    double WorkLedger::*normal_entry = &WorkLedger::contact_normal);

/// Projects both. Returns the work by body.
std::vector<WorkLedger> project_constraints(
    const WorldState& state, Island& island,
    double WorkLedger::*normal_entry = &WorkLedger::contact_normal);

} // namespace rigor::contact_dynamics
