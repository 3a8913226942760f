// Forces of resting contacts: by linear program, complementarity problem, friction cones or penalty
// springs.
//
// Reads    the resting contacts of an island, poses and velocities of its bodies, external forces.
// Writes   nothing: the wrenches are the result. The integrators evaluate them anew at each of
//          their stages, since forces that are right at the start of an interval push bodies into
//          each other by its end.
// Order    contacts in the order of the island.
#pragma once

#include "literature/penalty_forces.h"

namespace rigor::literature {

/// Wrenches of the resting contacts of an island at this instant; none by the rules `separation`,
/// `micro`, `projection` and `none`. `springs` and `stretches` are used by the rule `penalty` only.
ContactWrenches resting_wrenches(const WorldState& state, const MethodParts& method,
                                 const Island& island, std::span<const ContactSpring> springs,
                                 std::span<const FrictionSpring> stretches);

} // namespace rigor::literature
