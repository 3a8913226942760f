// Springs of a soft joint: one along each of its rows.
#pragma once

#include "contact_dynamics/joint_rows.h"

namespace rigor::contact_dynamics {

/// The springs of the rows that a soft joint enforces. Rows of rotations are combined to principal
/// axes of their stiffness, so that each has a spring of its own. The stiffness is that of a
/// potential, also where bodies turn: see dynamics/joint_stiffness.h.
std::vector<JointSpring> soft_joint_springs(const WorldState& state, const JointRecord& joint,
                                            std::span<const BodyKinematics> bodies,
                                            std::vector<ConstraintRow>& rows);

} // namespace rigor::contact_dynamics
