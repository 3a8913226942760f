// Stiffness and damping of penalty springs, a normal and a tangential one at every contact.
//
// The stiffness is that at which a body sinks by a chosen depth under its own weight. The damping
// depends on the effective mass at the spring: a plate that lands flat is one mass on four springs,
// and at a corner, far from the center of mass, the effective mass is less than the whole mass.
// Four dampers made for the whole mass each turned a plate by more than needed within a time step,
// and it hopped ever higher.
#pragma once

#include "contact_dynamics/island.h"
#include "literature/method_parts.h"

namespace rigor::literature {

using namespace contact_dynamics;

struct ContactSpring {
    double stiffness = 0, damping = 0; ///< N/m, N s/m
    double tangential_damping = 0;     ///< of the tangential spring, which is as stiff
};

/// The springs of all contacts of an island.
struct ContactSprings {
    std::vector<ContactSpring> at;
    double max_time_step = 0; ///< s: limit of stable and accurate integration
};

ContactSprings contact_springs(const WorldState& state, const MethodParts& method,
                               const Island& island);

} // namespace rigor::literature
