// What a faithful step may be told: which laws hold, and how exactly.
#pragma once

#include "multi_impact/impact_problem.h"

namespace rigor::contact_dynamics {

struct Tolerances {
    double touch = 1e-9; ///< m: a gap below it is none
    double slip = 1e-9;  ///< m/s: of what is slower it is asked whether friction holds it
    double rest = 1e-5;  ///< m/s: slower impacts do not bounce, and what parts more slowly from an
                         ///< impact stays. A ball that bounces no more would have been at rest
                         ///< within 2 rest / (g (1 - e)).
    double ball_rest = 1e-9; ///< the same of one ball at one contact, whose bounces cost little
    double force = 1e-9;   ///< of the forces and accelerations around, below which others are none
    double motion = 1e-12; ///< error of a step of the integrator, m, rad and relative
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
    if (wanted.tolerance) laws.tolerances.rest = laws.tolerances.ball_rest = *wanted.tolerance;
    return laws;
}

} // namespace rigor::contact_dynamics
