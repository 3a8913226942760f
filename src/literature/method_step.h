// A step of a method that is an assembly of parts.
#pragma once

#include "base/thread_team.h"
#include "contact_dynamics/event_step.h"
#include "literature/resting_contacts.h"

namespace rigor::literature {

/// What such a method remembers from step to step.
struct AssemblyMemory {
    std::vector<FrictionSpring> springs;
};

void add_to_hash(Hasher& hasher, const AssemblyMemory& memory);

/// Until the time is used up: contacts are found; those that approach collide; those that rest get
/// their forces; and all move on, to the end or to the time at which something new comes into
/// contact. With one rule (detection `static`) there is no such time: overlaps are seen when they
/// are there.
StepOutcome assembled_step(const StepContext& context, const Assembly& method,
                           AssemblyMemory& memory, double dt);

} // namespace rigor::literature
