// Which motors, dry friction of joints and couples of contacts hold, and which slip.
#pragma once

#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

/// A drive whose slip has a direction pushes against it; the others hold, for a start.
void start_drives(const WorldState& state, const Laws& laws, Island& island);

/// Corrects the first drive whose mode cannot be: one that holds with too large a force, or one
/// that was let go and does not begin to slip. False when all are right.
bool correct_drive(const WorldState& state, const Laws& laws, Island& island);

/// A couple whose rotation has a direction acts against it; the others hold, for a start.
void start_couples(const WorldState& state, const Laws& laws, Island& island);

/// Corrects the first couple that is wrong. False when all are right.
bool correct_couples(const WorldState& state, const Laws& laws, Island& island);

} // namespace rigor::contact_dynamics
