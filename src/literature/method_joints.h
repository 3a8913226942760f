// Joints under the methods of the literature, whose texts have none: impulses transmit through them
// (ContactProblem), and after each interval what acts along them is applied and the drift of the
// integrator is projected out.
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

/// Applies the impulses of limits, motors, springs and friction over the interval h that was just
/// integrated, and projects positions and velocities onto the constraints of the joints.
///
/// Reads    the joints of the island.
/// Writes   its motion; the entry `joints` of the ledgers.
/// Order    one system of all joints, in the order of their slots.
void enforce_joints(const WorldState& state, double h, MethodState& step);

} // namespace rigor::literature
