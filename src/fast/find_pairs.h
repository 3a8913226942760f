// New pairs of shapes from the broadphase.
#pragma once

#include "fast/step_data.h"

namespace rigor::fast {

/// The stage "find pairs".
///
/// Reads    the proxies that moved out of their enlarged bounds since the last time.
/// Writes   new pairs into the store; their shapes in single precision. Calls the filter hook.
/// Order    the broadphase runs in parallel; pairs are added serially, by their keys.
void find_pairs(StepData& step);

} // namespace rigor::fast
