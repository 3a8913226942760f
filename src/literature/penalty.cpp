// Penalty [Baber 2006, 3.1; Galoppo 2007]: bodies may overlap, and a spring and a damper at every
// contact drive them apart. The stiffness is that at which a body sinks by a chosen depth under its
// own weight; the damper is what makes an impact come back with its restitution (springs.h);
// another spring along the surface, which slips where it pulls harder than friction can, holds what
// rests.
#include "literature/method_parts.h"

namespace rigor::literature {

MethodParts penalty() {
    MethodParts method;
    method.integrator = Integrator::symplectic;
    method.detection = Detection::static_only;
    method.resting = RestingRule::penalty;
    method.resting_speed = 1e300; // nothing collides
    method.contact_distance = 0;
    return method;
}

} // namespace rigor::literature
