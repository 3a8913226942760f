// Handling of an impact, which brings all bodies that take part to its time as one island.
//
// Reads    the trajectories up to the time of the impact.
// Writes   the trajectories of the bodies that take part, statistics, and the budget.
// Order    the two bodies of the pair first, then the bodies that touch them, breadth first, in the
//          order of their pairs.
#pragma once

#include "faithful/event_step_data.h"

namespace rigor::faithful {

/// Returns the bodies whose trajectories have changed.
std::vector<std::uint32_t> handle_impact(EventStepData& data, const StepEvent& impact);

} // namespace rigor::faithful
