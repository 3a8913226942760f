// Separation of resting contacts [Kavan 2003, 4.2]: the resting rule `separation`.
#pragma once

#include "literature/method_parts.h"
#include "literature/method_state.h"

namespace rigor::literature {

/// Moves the bodies of each resting contact apart along its normal until their distance is D. Each
/// body takes the share of the other's mass: the heavier one moves less, and one with infinite mass
/// does not move. True when a body was moved.
///
/// Reads    the resting contacts of the island.
/// Writes   the positions of its bodies; velocities are kept.
/// Order    contacts one after the other, each at the positions that the last one left.
bool separate_resting_contacts(const WorldState& state, const MethodParts& method, Island& island);

/// f(D), the time that a separation is charged, so that a step has an end: a tenth of the time of a
/// fall through D, or a tenth of the step `dt` without gravity.
double separation_time(const WorldState& state, const MethodParts& method, double dt);

} // namespace rigor::literature
