// Impact laws, one function and one file each. Preconditions: finite numbers, u.z < 0 and K_zz > 0.
#pragma once

#include <vector>

#include "rigor/impact.h"

namespace rigor::contact_dynamics {

using ImpactTrace = std::vector<ImpactTracePoint>;

ImpactOutcome newton_impact(const ContactImpact& impact, ImpactTrace* trace);
ImpactOutcome poisson_impact(const ContactImpact& impact, ImpactTrace* trace);
ImpactOutcome energetic_impact(const ContactImpact& impact, ImpactTrace* trace);
ImpactOutcome planar_impact(const ContactImpact& impact, ImpactTrace* trace);

enum class EulerPhases { all, first_two };
ImpactOutcome euler_impact(const ContactImpact& impact, ImpulseStep delta, EulerPhases phases,
                           ImpactTrace* trace);

/// Whether the whole impact stays in the plane of the normal and of sliding (or of the coupling
/// K_Tn, where nothing slides): K maps that plane into itself.
bool is_planar(const ContactImpact& impact);

/// Where K is so nearly singular that rounding decides the effect of an impulse: the largest part a
/// <= 1 of it that certainly adds no energy, a p·u + a² p·Kp/2 <= 0, with the second term increased
/// by its rounding error.
double safe_share(const ContactImpact& impact, const Vec3d& p);

} // namespace rigor::contact_dynamics
