// Initial penetration: bodies placed in each other are moved apart without gaining velocity.
//
// A soft contact pushes by a velocity, which the same substep takes away again. That is exact for
// two bodies. Of many that begin in one place, one sweep takes away a part, and the rest is energy
// from nothing: 40 boxes in one place gained five times what they had. So contacts much deeper than
// bodies get that meet only stop their bodies from approaching, and their bodies are moved apart by
// displacements: at a steady rate, without rotation, and by no more than that takes. What this
// lifts is entered as work of contacts.
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
void part_overlaps(StepData& step);

} // namespace rigor::fast
