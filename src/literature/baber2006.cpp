// [Baber 2006]: bodies without friction. Each step
//
//     1. finds all points of contact, where bodies touch or overlap by now;
//     2. applies impulses by Newton's law, equation (14), to one contact at a time, the fastest
//        approach first, until none approaches (the propagation model);
//     3. takes the contacts that part more slowly than a bound for resting ones;
//     4. gives these the forces of a linear program, from equation (18), anew at each stage of the
//        Runge-Kutta method that carries (p, q, L) on.
//
// Without step 4 bodies sink (videos 05, 06); contacts are found at the ends of steps, so what
// moves fast goes in a little.
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
