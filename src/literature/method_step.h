// A step of a method of the literature.
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

/// Repeats until the end of the step: detect contacts, resolve impacts of approaching contacts,
/// compute the forces of resting contacts, and integrate to the end of the step or to the next time
/// of impact. With detection `static` there is no time of impact: penetration is found after it
/// happened.
StepOutcome method_step(const StepContext& context, const MethodParts& method, MethodMemory& memory,
                        double dt);

} // namespace rigor::literature
