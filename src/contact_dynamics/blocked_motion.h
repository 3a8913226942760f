// Blocked motion: velocities that the joints of an island allow to first order, but not to second.
//
// A straight chain between two anchors as far apart as it is long is a singular configuration: its
// links could begin to move sideways, yet any displacement would make it longer. Rigid links stay
// where they are, and only an infinite tension would hold them. An integrator of accelerations lets
// them begin, and then finds forces without bound.
//
// With the constraints J v = 0, a self-stress s (Jᵀ s = 0) and the second derivative J a + J' v of
// the constraints, s·J'v = 0 for every motion. Where that quadratic form of v is semidefinite on
// the null space of J, the velocities at which it is not zero are blocked: second-order rigidity
// and prestress stability [Connelly 1996]. At the turning point of a parallelogram the form is
// indefinite: two motions cross there, and nothing is blocked.
#pragma once

#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

/// Which islands are worth the decomposition, of cubic cost in their rows.
enum class BlockedMotionSearch : std::uint8_t {
    small_islands, ///< some milliseconds at most; larger ones where nothing moves yet
    all,           ///< after an integration that made no progress
};

/// Finds the blocked motion of loops of joints and holds the bodies against it. True when there was
/// any that was not held before.
bool hold_blocked_motion(const WorldState& state, BlockedMotionSearch search, Island& island);

} // namespace rigor::contact_dynamics
