// Impulses by propagation, and resting forces by linear program [Baber 2006]. There is no friction.
// Each step
//
//     1. finds all contact points, where bodies touch or overlap at the start of the step;
//     2. applies impulses by Newton's law, equation (14), to one contact at a time, the fastest
//        approach first, until none approaches (the propagation model);
//     3. takes the contacts that separate more slowly than a bound for resting contacts;
//     4. computes the forces of these by a linear program, from equation (18), anew at each
//        stage of the RK4 integration of (p, q, L).
//
// Without step 4 bodies sink (videos 05, 06). Contacts are detected at the ends of steps only, so
// fast bodies penetrate a little.
//
// Corrected here: the vanishing-contact condition reads sum M_ij f_j >= -b_i; the bracket of (18)
// closes too early; contacts that touch without velocity belong in the system of the simultaneous
// model.
#include "literature/method_parts.h"

namespace rigor::literature {

MethodParts baber2006() {
    MethodParts method;
    method.integrator = Integrator::rk4;
    method.detection = Detection::static_only;
    method.impact = ImpactLaw::newton;
    method.multi = MultiImpact::propagation;
    method.resting = RestingRule::lp;
    method.has_friction = false;
    method.contact_distance = 1e-3;
    method.resting_speed = 0.05;
    return method;
}

} // namespace rigor::literature
