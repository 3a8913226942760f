// Dynamic collision detection, impulses, and separation of resting contacts [Kavan 2003]. No two
// bodies ever overlap. Each step
//
//     1. is divided so that no surface point moves farther than a depth between two tests
//        of overlap (17); binary search then finds the time of contact, on the collision-free side;
//     2. applies an impulse to each colliding contact (28);
//     3. separates each resting contact: both bodies are moved apart along the normal to a distance
//        D, shared by their masses. A separation is charged some time, f(D), so that the step has
//        an end.
//
// There is no friction.
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
    method.resting_impulses = false;
    method.contact_distance = 1e-5;
    method.resting_speed = 0.2;
    method.separation_distance = 1e-3;
    return method;
}

} // namespace rigor::literature
