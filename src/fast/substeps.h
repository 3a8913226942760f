// The substeps: integrate, warm start, solve, relax; then restitution.
#pragma once

#include "fast/step_data.h"

namespace rigor::fast {

/// The stage "solve constraints".
///
/// Reads    blocks of contacts and joints, forces.
/// Writes   velocities and displacements of solver bodies, impulses of blocks.
/// Order    color by color. The blocks of a color share no body that responds to impulses, so any
///          number of lanes and workers gives the same bits.
///
/// One iteration with bias and one without (relax) in each substep. The second goes through
/// everything backward, and points change their order from substep to substep: the bias of one
/// direction is undone by the other. Without this, tall stacks sway and lean [design/fast.md].
template <int W>
void run_substeps(StepData& step);

} // namespace rigor::fast
