// Momenta first, then positions with the new velocities (symplectic Euler). With the kick halved,
// before and after the drift, it is the leapfrog method of order 2.
#pragma once

#include "literature/body_wrenches.h"

namespace rigor::literature {

/// Integrates over a time h: `symplectic` with one kick, `exact` with two halves.
///
/// Reads    the force model, at each kick.
/// Writes   the motion of the island; the work of the forces and the impulses of its contacts.
/// Order    bodies in the order of the island.
void kick_and_drift(const ForceModel& model, double h, Island& island, IntervalRecord& record);

} // namespace rigor::literature
