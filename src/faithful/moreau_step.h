// Moreau time stepping: fixed substeps, the fallback for steps with too many events. A large pile
// that clatters has an event for every contact in every microsecond.
//
// The scheme of Moreau and Jean [Moreau 1988], [Jean 1999]: all contacts that close within a
// substep obey the impact and friction laws as one complementarity problem of impulses and
// velocities; remaining penetration is removed by the shortest displacement. It is of first order
// and knows Newton's restitution only. StepStatistics::fixed_steps counts the substeps.
#pragma once

#include "faithful/faithful_step.h"

namespace rigor::faithful {

StepOutcome moreau_step(const StepContext& context, double dt);

/// Separates penetrating bodies by the shortest displacement. Returns the work of it; where motion
/// is recorded, adds it to the corrections.
StepWork resolve_penetration(const StepContext& context, MotionTrace& corrections);

} // namespace rigor::faithful
