// Reports of a step: the contacts at its end with the impulses that they gave, and the hits.
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

/// Ends the reports of a step.
///
/// Reads    the impulses and hits of the step, the motion and pairs of the island.
/// Writes   the touching contacts and the hits of the outcome. A contact gets the impulses of its
///          features, and of those that are gone the impulses next to it; impulses of pairs that
///          touch no more are in their hits alone.
/// Order    contacts and hits by pair of shapes; hits of a pair in order of time.
void report_step(const WorldState& state, const MethodParts& method, double hit_speed,
                 MethodState& step);

} // namespace rigor::literature
