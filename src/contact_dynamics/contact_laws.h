// Impact laws, restitution threshold and other tolerances of an event-driven step.
#pragma once

#include <algorithm>

#include "multi_impact/impact_problem.h"

namespace rigor::contact_dynamics {

/// m/s: slower bounces take 1e-9 s, in which the search for the next one does not find it. Only
/// for one ball, whose next bounce has a closed form, may the threshold be less.
inline constexpr double kLeastSearchedThreshold = 1e-7;

struct Tolerances {
    double touch_distance = 1e-11; ///< m: smaller gaps count as touching
    double slip_speed = 1e-9;      ///< m/s: slower slip counts as sticking if friction can hold it
    double restitution_threshold =
        1e-5; ///< m/s: slower impacts do not bounce, and what parts more slowly from an
              ///< impact stays. A ball that bounces no more would have been at rest
              ///< within 2 rest / (g (1 - e)).
    double ball_restitution_threshold =
        1e-9; ///< the same of one ball at one contact, whose bounces cost little
    double searched_ball_restitution_threshold =
        kLeastSearchedThreshold; ///< the same where the next bounce is searched for
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
    if (wanted.tolerance) {
        Tolerances& t = laws.tolerances;
        t.ball_restitution_threshold = *wanted.tolerance;
        t.restitution_threshold = t.searched_ball_restitution_threshold =
            std::max(*wanted.tolerance, kLeastSearchedThreshold);
    }
    return laws;
}

} // namespace rigor::contact_dynamics
