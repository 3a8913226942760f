// Joint impulses: limits, motors, springs and dry friction of joints over a fixed time, for methods
// that do not follow their events.
#pragma once

#include "contact_dynamics/impulse_work.h"

namespace rigor::contact_dynamics {

struct JointTimes {
    double interval = 0; ///< s: over which the impulses act
    /// s: in which a limit that was passed is reached again. Not shorter than the longest interval:
    /// what one passed by in a long interval, brought back in a short one, would fly off.
    double recovery = 0;
};

/// Impulses of everything along the degrees of freedom of the joints over an interval h,
/// with the reactions of the joints. A limit stops what would pass it within h, a motor or friction
/// gives at most its largest force times h, a spring is implicit in time and so stable at any
/// stiffness.
std::vector<RowImpulse> joint_impulses(const WorldState& state, const JointTimes& times,
                                       const Island& island);

} // namespace rigor::contact_dynamics
