// Initial penetration: bodies placed in each other are moved apart without gaining velocity.
//
// A soft contact separates bodies by a bias velocity, which the relax sweep of the same substep
// removes. That is exact for two bodies. Where many bodies overlap in one place, one sweep removes
// only a part, and the rest is energy gain: 40 boxes in one place gained five times their energy.
// So contacts much deeper than any collision leaves them only stop the approach, and the bodies are
// separated by displacements: at a steady rate, without rotation, and no farther than necessary.
// The work of lifting bodies is recorded as work of contacts.
#pragma once

#include "fast/step_data.h"

namespace rigor::fast {

// Reads    manifolds of a pair.
// Writes   ContactPair::parting.
// Order    pair by pair.
/// Decides whether the bodies of a pair are moved apart in this step.
void update_parting(StepData& step, ContactPair& pair);

// Reads    contacts that part, and all others of their bodies.
// Writes   positions, separations of manifolds, impulses of those that part; the ledger.
// Order    serial: sweeps in the order of contacts.
void resolve_penetration(StepData& step);

} // namespace rigor::fast
