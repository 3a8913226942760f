// The last stage of an event-driven step, which writes the motion of all bodies back.
//
// Reads    the trajectories.
// Writes   the motion of all bodies, the outcome of the step, and the cache of islands at rest.
// Order    islands by index, then bodies by slot: sums of work and lists of contacts follow it.
#pragma once

#include "faithful/event_step_data.h"
#include "faithful/resting_island_cache.h"

namespace rigor::faithful {

/// If the budget was exhausted, all bodies end at the time up to which all motion is known.
void finish_step(EventStepData& data, RestingIslandCache* resting_cache);

} // namespace rigor::faithful
