// The impulse that contacts gave a body in the last step.
#pragma once

#include "rigor/world.h"

namespace rigor {

struct BodyImpulse {
    Vec3d linear;  ///< N s
    Vec3d angular; ///< about the center of mass, N m s
};

/// From the reports of the step: contacts() of `fast`, which hold all impulses; the impulses of
/// forces in contacts() and of impacts in events().hits elsewhere.
BodyImpulse contact_impulse(const World& world, BodyId body);

} // namespace rigor
