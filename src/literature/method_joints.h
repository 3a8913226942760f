// Joints under the methods of the literature, whose texts have none: impulses transmit through them
// (ContactProblem), and the drift of the integrator is projected out after each interval.
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

/// Projects positions and velocities onto the constraints of the joints.
///
/// Reads    the joints of the island.
/// Writes   its motion; the entry `joints` of the ledgers.
/// Order    one system of all joints, in the order of their slots.
void project_joints(const WorldState& state, MethodState& step);

} // namespace rigor::literature
