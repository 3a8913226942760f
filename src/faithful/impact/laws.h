// Each law in a function and a file of its own. All take finite numbers, u.z < 0 and K_zz > 0.
#pragma once

#include <vector>

#include "rigor/impact.h"

namespace rigor::faithful {

using ImpactTrace = std::vector<ImpactTracePoint>;

ImpactOutcome newton_impact(const ContactImpact& impact, ImpactTrace* trace);
ImpactOutcome poisson_impact(const ContactImpact& impact, ImpactTrace* trace);
ImpactOutcome energetic_impact(const ContactImpact& impact, ImpactTrace* trace);
ImpactOutcome planar_impact(const ContactImpact& impact, ImpactTrace* trace);

enum class EulerPhases { all, first_two };
ImpactOutcome euler_impact(const ContactImpact& impact, double delta, EulerPhases phases,
                           ImpactTrace* trace);

} // namespace rigor::faithful
