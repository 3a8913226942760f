// Prediction of an island, which resolves the event at its start and integrates its motion ahead.
//
// Reads    the start of the island, and the cache of islands at rest.
// Writes   the rest of its prediction, the event queue (horizons) and the statistics of the step.
// Order    islands by index. A prediction reads no other island.
//
// A prediction ends at its horizon, and what lies beyond the next impact is wasted. The horizon is
// therefore short after an impact and grows with every extension.
#pragma once

#include "faithful/event_step_data.h"
#include "faithful/resting_island_cache.h"

namespace rigor::faithful {

/// Times the duration without an event: the next horizon.
inline constexpr double kHorizonGrowth = 4;

/// Predicts all islands to the end of the step. Islands found in the cache remain at rest.
void predict_islands(EventStepData& data, const RestingIslandCache* resting_cache);

/// Predicts one island. If nothing couples its bodies after the event, they are released to free
/// flight instead. `is_repeated`: right after an event, so that nothing has moved since.
void predict_motion(EventStepData& data, std::uint32_t island, double horizon,
                    bool is_repeated = false);

/// Continues a prediction whose horizon was reached without an impact.
void extend_prediction(EventStepData& data, std::uint32_t island);

/// Advances an island along a part of its prediction. The prediction was charged for it already, so
/// the budget is unlimited here.
void replay_prediction(const EventStepData& data, Island& island, double until,
                       StepStatistics& statistics);

} // namespace rigor::faithful
