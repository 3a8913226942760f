// Planar impacts in closed form [Baber 2011, 5.2].
//
// The plane is that of the normal and of sliding, or of the coupling K_Tn where nothing slides.
// Motion across it is ignored: exact where there is none, as when both bodies and their motion are
// symmetric to the plane. There all sliding is along a ray, so that the path has straight segments
// only.

#include <cmath>

#include "impact/impact_laws.h"
#include "impact/sliding.h"

namespace rigor::contact_dynamics {

ImpactOutcome planar_impact(const ContactImpact& impact, ImpactTrace* trace) {
    const SlidingContact contact(impact);
    Vec2 c{impact.u.x, impact.u.y};
    if (length(c) == 0) c = contact.h;
    c = length(c) > 0 ? c * (1 / length(c)) : Vec2{1, 0};

    const double m = dot(c, contact.m * c), h = dot(c, contact.h);
    ContactImpact plane = impact;
    plane.k = Mat3d{{m, 0, h}, {0, m, 0}, {h, 0, contact.k}};
    plane.u = {dot(c, {impact.u.x, impact.u.y}), 0, impact.u.z};
    const auto turned = [&](const Vec3d& v) { return Vec3d{c.x * v.x, c.y * v.x, v.z}; };

    ImpactOutcome outcome = energetic_impact(plane, trace);
    outcome.impulse = turned(outcome.impulse);
    if (trace)
        for (ImpactTracePoint& point : *trace) point = {turned(point.p), turned(point.u)};
    return outcome;
}

} // namespace rigor::contact_dynamics
