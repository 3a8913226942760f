// What a joint remembers of a step: its impulses for the next warm start, and its reaction force.
#pragma once

#include "fast/joint_constraints.h"

namespace rigor::fast {

/// Stores the impulses of a lane for the next warm start, and the reaction force and torque.
template <int W>
void store_impulses(const JointBlock<W>& block, std::size_t lane, JointMemory& memory, float h);

} // namespace rigor::fast
