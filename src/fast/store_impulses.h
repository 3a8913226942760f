// Stores the impulses of the solver in manifolds and joints, for warm starting.
#pragma once

#include "fast/step_data.h"

namespace rigor::fast {

/// The stage "store impulses".
///
/// Reads    blocks after the last substep.
/// Writes   the impulses of manifolds, joints, gears and tracks; the results of contact
/// constraints. Order    lanes are independent; blocks may run on any worker.
template <int W>
void store_all_impulses(StepData& step);

/// Finds joints whose force or torque is beyond what they can bear. Serial, in the order of joints.
void find_broken_joints(StepData& step);

} // namespace rigor::fast
