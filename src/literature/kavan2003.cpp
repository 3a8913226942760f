// [Kavan 2003]: no two bodies ever overlap. The step is divided so that no surface point goes
// farther than a depth before it is looked at again (17); binary search then leads to the time of
// contact, on the free side. There a colliding contact gets its impulse (28), and a resting one is
// separated: both bodies are moved apart along the normal, by D in all, shared by their masses.
// Each separation is charged some time, f(D), so that a step has an end. No friction.
#include "literature/method_parts.h"

namespace rigor::literature {

MethodParts kavan2003() {
    MethodParts method;
    method.integrator = Integrator::symplectic;
    method.detection = Detection::substep;
    method.impact = ImpactLaw::newton;
    method.multi = MultiImpact::propagation;
    method.resting = RestingRule::separation;
    method.has_friction = false;
    method.contact_distance = 1e-5;
    method.resting_speed = 0.2;
    method.separation_distance = 1e-3;
    return method;
}

} // namespace rigor::literature
