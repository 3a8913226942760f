// Scheduling of impacts, which predicts the impacts of pairs and pushes them to the event queue.
//
// Reads    the trajectories.
// Writes   the event queue, and the pair predictor: bounds of the bodies that changed, and the new
//          pairs whose bounds overlap.
// Order    bodies as given, the pairs of a body as they were found.
#pragma once

#include <span>

#include "faithful/event_step_data.h"

namespace rigor::faithful {

/// Predicts the impacts of all pairs.
void schedule_impacts(EventStepData& data);

/// Predicts the impacts of these bodies again, whose trajectories have changed.
void reschedule_impacts(EventStepData& data, std::span<const std::uint32_t> bodies);

} // namespace rigor::faithful
