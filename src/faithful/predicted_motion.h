// Predicted motion of an island, on the assumption that no body outside it collides with it.
#pragma once

#include "faithful/advance_island.h"

namespace rigor::faithful {

/// No island, no prediction.
inline constexpr std::uint32_t kNone = UINT32_MAX;

/// The events inside the island are resolved: `end` and `statistics` include them.
struct PredictedMotion {
    Island start, end;
    DenseOutput dense_output;  ///< from start to end; empty while the island is at rest
    StepStatistics statistics; ///< of the events between start and end
    double horizon = 0;        ///< s: duration of the prediction
};

} // namespace rigor::faithful
