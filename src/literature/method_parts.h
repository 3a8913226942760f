// The methods of the documents, as assemblies of parts: how bodies move freely, how the time of
// contact is found, what an impact does, what several do, and what holds bodies that rest.
#pragma once

#include "rigor/settings.h"

namespace rigor::literature {

struct Assembly {
    Integrator integrator = Integrator::rk4;
    Detection detection = Detection::static_only;
    ImpactLaw impact = ImpactLaw::newton;
    MultiImpact multi = MultiImpact::propagation;
    RestingRule resting = RestingRule::lp;

    bool has_friction = true; ///< false: contacts are smooth, whatever the materials say
    bool one_pass = false;    ///< each contact gets its impulses once, in turn, and that is all
    double contact_distance = 1e-3;    ///< m: what is nearer is in contact
    double resting_speed = 0.05;       ///< m/s: contacts faster than this collide, or part
    double push_rate = 0;              ///< 1/s: of one pass, the speed of leaving per depth
    double delta = 1e-3;               ///< of the impact law `euler`
    double penalty_depth = 1e-3;       ///< m: how deep a body sinks under its own weight
    double separation_distance = 1e-3; ///< m
};

// Each in a file of its own.
Assembly baber2006();
Assembly kavan2003();
Assembly baber2011();
Assembly kenwright();
Assembly galoppo2007();
Assembly penalty();

/// A method with what the caller wants otherwise.
Assembly assemble(Method method, const WorldSettings& settings);

} // namespace rigor::literature
