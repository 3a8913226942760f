// The methods of the literature as combinations of parts: integrator, collision detection, impact
// law, multi-impact rule and resting contact rule.
#pragma once

#include "rigor/settings.h"

namespace rigor::literature {

constexpr double kNothingCollides = 1e300; // m/s, as MethodParts::resting_speed

struct MethodParts {
    Integrator integrator = Integrator::rk4;
    Detection detection = Detection::static_only;
    ImpactLaw impact = ImpactLaw::newton;
    MultiImpact multi = MultiImpact::propagation;
    RestingRule resting = RestingRule::none;
    ContactOrder contact_order = ContactOrder::fastest;

    bool has_friction = true; ///< false: frictionless, whatever the materials say
    bool single_pass = false; ///< each contact gets its impulses once, in turn, without iteration
    bool resting_impulses = true;     ///< false: only contacts faster than `resting_speed` get some
    bool separating_impulses = false; ///< overlapping contacts get impulses also while they part
    bool keep_velocity = true;        ///< of the resting rule `projection`
    double contact_distance = 1e-3;   ///< m: shapes nearer than this are in contact
    double resting_speed = 0.05;      ///< m/s: faster contacts collide or separate
    double baumgarte_rate = 0;        ///< 1/s: of single_pass, bias velocity per penetration depth
    ImpulseStep delta = {};           ///< of the impact law `euler`
    double penalty_depth = 1e-3;      ///< m: how deep a body sinks under its own weight
    double separation_distance = 1e-3; ///< m

    /// Bodies nearer than this take part in an impact that they are coupled to, m. Under the rule
    /// `separation` bodies at rest hover.
    double impact_distance() const {
        return resting == RestingRule::separation ? contact_distance + 1.5 * separation_distance
                                                  : contact_distance;
    }
};

// Each has a file of its own.
MethodParts baber2006();
MethodParts kavan2003();
MethodParts baber2011();
MethodParts kenwright();
MethodParts galoppo2007();
MethodParts penalty();

/// The parts of a method, with the overrides of the settings.
MethodParts method_parts_for(Method method, const WorldSettings& settings);

} // namespace rigor::literature
