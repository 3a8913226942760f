// Choice of the resting contacts, which get forces or are separated.
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

/// Selects the contacts that rest: all that separate no faster than the resting speed. Impacts were
/// resolved before, so none of them approaches.
///
/// Reads    the contacts of the step and the velocities of their bodies.
/// Writes   the contacts of the island, without friction if the method has none; their springs, by
///          the rule `penalty`.
/// Order    that of the contacts of the step.
void select_resting_contacts(const WorldState& state, const MethodParts& method, MethodState& step);

} // namespace rigor::literature
