// Projection of positions [Kenwright, 1]: the resting rule `projection`.
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

/// Moves overlapping bodies apart along the normals of their contacts by the penetration depth,
/// shared by mass. They keep their velocities, or lose them all: with `keep_velocity` they are
/// likely to overlap again, without it they stop dead on their first contact. True when a body was
/// moved.
///
/// Reads    the contacts of the step.
/// Writes   positions, and without `keep_velocity` momenta of the bodies; the entries
///          `contact_normal` and `impact` of their ledgers.
/// Order    contacts one after the other, each at the positions that the last one left.
bool project_positions(const WorldState& state, const MethodParts& method, MethodState& step);

} // namespace rigor::literature
