// Joint impulses: limits, motors, springs and dry friction of joints over a fixed time, for methods
// that do not follow their events.
#pragma once

#include "contact_dynamics/impulse_work.h"

namespace rigor::contact_dynamics {

/// Impulses of everything along the degrees of freedom of the joints over a time h,
/// with the reactions of the joints. A limit stops what would pass it within h, a motor or friction
/// gives at most its largest force times h, a spring is implicit in time and so stable at any
/// stiffness.
std::vector<RowImpulse> joint_impulses(const WorldState& state, double h, const Island& island);

} // namespace rigor::contact_dynamics
