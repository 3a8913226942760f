// Dispatch of an impact to the chosen law.

#include "rigor/impact.h"

#include <array>

#include "impact/impact_laws.h"

namespace rigor {
namespace {

constexpr std::array<std::string_view, 4> kModes = {"separating", "sliding", "stable sticking",
                                                    "unstable sticking"};

} // namespace

std::string_view name(ImpactMode mode) {
    return kModes[static_cast<std::size_t>(mode)];
}

ImpactOutcome solve_impact(const ContactImpact& impact, ImpactLaw law, ImpulseStep delta,
                           std::vector<ImpactTracePoint>* trace) {
    using namespace contact_dynamics;
    if (trace) trace->clear();
    if (!(impact.u.z < 0) || !(impact.k(2, 2) > 0)) return {};
    if (!is_finite(impact.u) || !is_finite(impact.k)) return {};
    switch (law) {
        case ImpactLaw::newton:
            return newton_impact(impact, trace);
        case ImpactLaw::poisson:
            return poisson_impact(impact, trace);
        case ImpactLaw::energetic:
            return energetic_impact(impact, trace);
        case ImpactLaw::euler:
            return euler_impact(impact, delta, EulerPhases::all, trace);
        case ImpactLaw::mirtich:
            return euler_impact(impact, delta, EulerPhases::first_two, trace);
        case ImpactLaw::planar:
            return planar_impact(impact, trace);
    }
    return {};
}

} // namespace rigor
