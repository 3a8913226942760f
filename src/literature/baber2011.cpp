// Impulses only, also at rest [Baber 2011, after Mirtich]. Each impact follows Stronge's law with
// Coulomb friction, integrated over the normal impulse by Euler steps, with the corrected
// termination.
//
// A body at rest is supported by a rapid train of micro-collisions, whose impulses add up to its
// weight. Their restitution is raised the more, the closer the bodies are to each other, which
// stops sinking (Mirtich's device, named in [Baber 2006, 3.1]).
//
// Corrected here: the angular momentum of B uses r_B; the end W_d >= -e^2 W_c is tested only while
// the bodies separate, u_z > 0, or e = 0 would end after the first step.
#include "literature/method_parts.h"

namespace rigor::literature {

MethodParts baber2011() {
    MethodParts method;
    method.integrator = Integrator::rk4;
    method.detection = Detection::advancement;
    method.impact = ImpactLaw::euler;
    method.multi = MultiImpact::propagation;
    method.resting = RestingRule::micro;
    method.contact_distance = 1e-3;
    method.resting_speed = 0.15; // a fall through the contact distance
    return method;
}

} // namespace rigor::literature
