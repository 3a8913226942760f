// [Baber 2011], after Mirtich: there are only impacts. Each is Stronge's with Coulomb friction,
// carried along its normal impulse by Euler steps with the corrected end. What rests is kept up by
// a rapid train of small ones, whose restitution is raised the nearer the bodies are to each other:
// that stops sinking (Mirtich's device, named in [Baber 2006, 3.1]). The impulses add up to the
// weight.
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
