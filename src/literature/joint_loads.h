// Loads of joints under the methods of the literature: the impulses of a step, their own and those
// that contacts call forth, for the read-out of forces and for joints that break.
//
// The force of a joint is its impulse over the step, as under `fast`: these methods carry resting
// bodies by impulses, so an impact counts as well. A joint breaks at the end of the step.
#pragma once

#include "contact_dynamics/contact_problem.h"
#include "literature/method_state.h"

namespace rigor::literature {

/// Adds the impulse of a joint of the island along a row.
void add_joint_load(const WorldState& state, std::span<const BodyKinematics> bodies,
                    std::uint32_t joint, const ConstraintRow& row, double impulse,
                    MethodState& step);

/// Adds what impulses of contacts, along their tangents and normals, call forth in the joints.
void add_reactions(const WorldState& state, const ContactProblem& contacts,
                   std::span<const Vec3d> impulses, MethodState& step);

/// Ends a step: angles and forces of all joints, and those that break.
void report_joint_loads(const WorldState& state, MethodState& step);

} // namespace rigor::literature
