// The event-driven step of `faithful`.
//
// Bodies without contacts move in free flight, in closed form. Bodies that interact are islands and
// advance together (island.h). Every pair of shapes that may collide has its time of impact
// predicted (impact_prediction.h); the earliest is the next event (event_queue.h). Its islands
// advance to that time, are merged, and the event is resolved (impact_handling.h). Every island and
// every body in free flight has a time of its own, so an event costs only the bodies that take part
// in it.
//
// The stages run in the order of bodies, pairs and islands, in one thread but for the broadphase;
// each header states what its stage reads and writes.
#pragma once

#include "contact_dynamics/step_context.h"
#include "faithful/resting_island_cache.h"

namespace rigor::faithful {

using namespace contact_dynamics;

/// `resting_cache` persists from step to step; null: nothing is cached.
StepOutcome step(const StepContext& context, RestingIslandCache* resting_cache, double dt);

} // namespace rigor::faithful
