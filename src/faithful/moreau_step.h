// A step in equal parts, for what cannot be followed from event to event: a large pile that
// clatters has an event for every contact in every microsecond.
//
// The time stepping of Moreau and Jean [Moreau 1988], [Jean 1999]: all contacts that close within a
// part of the step obey the laws of impact and friction as one complementarity problem of impulses
// and velocities; overlaps that remain are taken away by the shortest displacement. It is of first
// order and knows Newton's restitution only; a step that was made so says it (Story::fixed_steps).
#pragma once

#include "faithful/step.h"

namespace rigor::faithful {

StepOutcome fixed_step(const StepContext& context, double dt);

/// Moves bodies apart that overlap, by the shortest displacement.
void part_overlaps(const StepContext& context);

} // namespace rigor::faithful
