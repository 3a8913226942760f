// Impact laws, restitution threshold and other tolerances of an event-driven step.
#pragma once

#include "multi_impact/impact_problem.h"

namespace rigor::contact_dynamics {

struct Tolerances {
    double touch_distance = 1e-9; ///< m: smaller gaps count as touching
    double slip_speed = 1e-9;     ///< m/s: slower slip counts as sticking if friction can hold it
    double restitution_threshold =
        1e-5; ///< m/s: slower impacts do not bounce, and what parts more slowly from an
              ///< impact stays. A ball that bounces no more would have been at rest
              ///< within 2 rest / (g (1 - e)).
    double ball_restitution_threshold =
        1e-9; ///< the same of one ball at one contact, whose bounces cost little
    double searched_ball_restitution_threshold =
        1e-7; ///< where the next bounce is searched for, and would not be found within 1e-9 s
    double relative_force =
        1e-9; ///< of the forces and accelerations around, below which others are none
    double integration_error = 1e-12; ///< error of a step of the integrator, m, rad and relative
};

struct Laws {
    MultiImpact multi = MultiImpact::reflections;
    ImpactLaw impact = ImpactLaw::energetic;
    double delta = 1e-3;
    Tolerances tolerances;
};

inline Laws laws_of(const ContactLaws& wanted) {
    Laws laws;
    laws.multi = wanted.multi.value_or(laws.multi);
    laws.impact = wanted.impact.value_or(laws.impact);
    laws.delta = wanted.delta.value_or(laws.delta);
    if (wanted.tolerance)
        laws.tolerances.restitution_threshold = laws.tolerances.ball_restitution_threshold =
            *wanted.tolerance;
    return laws;
}

} // namespace rigor::contact_dynamics
