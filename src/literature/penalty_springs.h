// Penalty: a spring and a damper across the surface at every contact, and a pair of them along it.
//
// The stiffness is that at which a body sinks by a chosen depth under its own weight. The damper
// belongs to what the spring moves: a plate that lands flat is one mass on four springs, and of a
// corner, far from the center, less is in the way than the whole mass. Four dampers made for the
// whole mass each turned a plate by more than it had to be turned within a step of time, and it
// hopped ever higher.
#pragma once

#include "contact_dynamics/island.h"
#include "literature/method_parts.h"

namespace rigor::literature {

using namespace contact_dynamics;

struct ContactSpring {
    double stiffness = 0, damper = 0; ///< N/m, N s/m
    double along_damper = 0;          ///< of the spring along the surface, which is as stiff
};

/// Those of all contacts of an island.
struct ContactSprings {
    std::vector<ContactSpring> at;
    double longest_step = 0; ///< s: in which they can be followed
};

ContactSprings contact_springs(const WorldState& state, const Assembly& method,
                               const Island& island);

} // namespace rigor::literature
