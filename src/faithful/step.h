// A step of `faithful`: from event to event.
//
// Bodies that touch nothing fly in closed form. Bodies that act on each other are islands and go on
// together (island.h). Every pair of shapes that may meet on their ways has its time found
// (meeting.h); the earliest of all is the next event: its islands are brought there, become one,
// and settle what happens. Every island and every flying body has a time of its own, so an event
// costs only what takes part in it.
#pragma once

#include "contact_dynamics/event_step.h"
#include "faithful/resting_island_cache.h"

namespace rigor::faithful {

using namespace contact_dynamics;

/// `still` is kept from step to step; none: nothing is remembered.
StepOutcome step(const StepContext& context, StillIslands* still, double dt);

} // namespace rigor::faithful
