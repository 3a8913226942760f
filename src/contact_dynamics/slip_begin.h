// The direction of a slip that begins from rest: that of its own acceleration.
//
// Friction acts against the slip, and the slip that begins has the direction in which friction and
// all other forces accelerate it: an implicit equation. Its solution turns as slowly as the forces
// do. The direction of the velocity is drawn toward it at a rate that is inverse to the slip, which
// no explicit integrator can follow while the slip is small.
#pragma once

#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

/// Gives new slips (Contact::slip_is_new) that are slow the directions of their accelerations,
/// starting from those they have. They keep these where no solution is found.
void direct_new_slips(const WorldState& state, Island& island);

} // namespace rigor::contact_dynamics
