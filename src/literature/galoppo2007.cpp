// [Galoppo 2007]: a state of momenta, carried on by an equation solver that is stopped at
// collisions. Where bodies overlap at the end of a step, bisection finds when they were apart by
// less than a tolerance. Contacts are classed by their relative normal velocity: below -eps they
// collide, and the solver restarts with the velocities after the impulse; within eps they rest on
// penalty springs; above they part. No friction.
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
    method.contact_distance = 1e-4;
    method.resting_speed = 0.05;
    return method;
}

} // namespace rigor::literature
