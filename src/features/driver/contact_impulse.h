// The impulse that contacts gave a body in the last step.
#pragma once

#include "rigor/world.h"

namespace rigor {

struct BodyImpulse {
    Vec3d linear;  ///< N s
    Vec3d angular; ///< about the center of mass, N m s
};

/// Whether something could have pushed a body in the last step: it touches, met or left another, or
/// hangs on a joint. What else changes its velocity are forces of the user.
bool could_be_hit(const World& world, BodyId body);

/// From the contacts of the step, which hold all impulses.
BodyImpulse contact_impulse(const World& world, BodyId body);

} // namespace rigor
