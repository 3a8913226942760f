// The first stage of an event-driven step, which finds the pairs of shapes that touch.
//
// Reads    the motion of all bodies at the start of the step.
// Writes   the pair predictor: bounds of all moving bodies, and the pairs whose bounds overlap.
// Order    pairs are listed by the lower slot of their two bodies, then as the broadphase found
//          them, which is sorted.
#pragma once

#include "faithful/event_step_data.h"

namespace rigor::faithful {

struct TouchingPairs {
    std::vector<ShapePair> pairs;
    double deepest_gap = 0; ///< m: negative if any pair penetrates
};

TouchingPairs find_touching_pairs(EventStepData& data);

} // namespace rigor::faithful
