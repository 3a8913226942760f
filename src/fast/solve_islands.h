// Runs the Newton contact solver on demanding islands within a substep.
#pragma once

#include "fast/step_data.h"

namespace rigor::fast {

/// Once a step: bodies, and where their contacts are.
template <int W>
void prepare_islands(StepData& step);

/// Solves the contacts of all demanding islands in a substep.
///
/// Reads    blocks of their contacts; solver bodies, also those of the end of the last substep.
/// Writes   velocities of their bodies; impulses of the blocks.
/// Order    islands are independent and may run on any worker; each is solved in the order of its
///          constraints, which does not depend on the number of lanes.
template <int W>
void solve_islands(StepData& step);

} // namespace rigor::fast
