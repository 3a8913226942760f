// Event ordering: the events of a step in the order of the ids.
#pragma once

#include "rigor/events.h"

namespace rigor {

/// Sorts every list of events: pairs by the ids of a, then of b; hits of one pair stay in the order
/// of time. Pipelines report nearly everything in this order, so most calls only compare.
void sort_events(Events& events);

} // namespace rigor
