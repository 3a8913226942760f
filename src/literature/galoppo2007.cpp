// An ODE solver that stops at collisions, and penalty springs at rest [Galoppo 2007]. The state
// vector holds positions and momenta. Each step
//
//     1. integrates to its end; where bodies overlap there, bisection finds a time at which their
//        distance was less than a tolerance;
//     2. classifies the contacts there by their relative normal velocity: below -eps they collide,
//        within eps they rest, above they separate;
//     3. applies impulses to colliding contacts and restarts the solver with the velocities after;
//     4. supports resting contacts by penalty springs. There is no friction.
//
// Corrected here: bisection is not started for bodies that overlap at the start, where it would
// never end.
#include "literature/method_parts.h"

namespace rigor::literature {

MethodParts galoppo2007() {
    MethodParts method;
    method.integrator = Integrator::rk4;
    method.detection = Detection::bisection;
    method.impact = ImpactLaw::newton;
    method.multi = MultiImpact::propagation;
    method.resting = RestingRule::penalty;
    method.has_friction = false;
    method.resting_impulses = false;
    method.contact_distance = 1e-4;
    method.resting_speed = 0.05;
    return method;
}

} // namespace rigor::literature
