// A spring and a damper at every contact [Baber 2006, 3.1; Galoppo 2007]. Bodies may overlap, and
// the springs drive them apart. There are no impacts.
//
// The stiffness is that at which a body sinks by a chosen depth under its own weight. The damping
// returns the restitution of the materials (penalty_springs.h). A tangential spring, which slips
// where its force exceeds friction, keeps resting bodies from creeping (penalty_forces.h).
#include "literature/method_parts.h"

namespace rigor::literature {

MethodParts penalty() {
    MethodParts method;
    method.integrator = Integrator::symplectic;
    method.detection = Detection::static_only;
    method.resting = RestingRule::penalty;
    method.resting_speed = kNothingCollides;
    method.contact_distance = 0;
    return method;
}

} // namespace rigor::literature
