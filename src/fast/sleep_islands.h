// Island building and sleeping: islands of touching or joined bodies, and which fall asleep.
#pragma once

#include "fast/sleep_state.h"

namespace rigor::fast {

/// The stage "sleep islands", the last of a step.
///
/// Reads    velocities, manifolds, joints.
/// Writes   how long each body has been at rest; puts islands to sleep whose bodies all have been
///          for half a second. The rest of their velocity is set to zero.
/// Order    serial, by slot.
///
/// Returns the bodies that fell asleep.
std::vector<std::uint32_t> sleep_islands(WorldState& state, double dt, Sleep& sleep,
                                         PairStore& store);

} // namespace rigor::fast
