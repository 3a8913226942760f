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
namespace {

/// The tangent of the plane. Sliding or a coupling that is rounding has no direction.
Vec2 plane_direction(const ContactImpact& impact, const SlidingContact& contact) {
    constexpr double kRounding = 1e-14;
    const Vec2 slip{impact.u.x, impact.u.y};
    if (length(slip) > kRounding * std::abs(impact.u.z)) return slip * (1 / length(slip));
    if (length(contact.h) > kRounding * contact.k) return contact.h * (1 / length(contact.h));
    return {1, 0};
}

} // namespace

// K leaves the plane of c and n alone where neither n nor c is mapped out of it.
bool is_planar(const ContactImpact& impact) {
    constexpr double kTolerance = 1e-12;
    const SlidingContact contact(impact);
    const Vec2 c = plane_direction(impact, contact), across{-c.y, c.x};
    const double size = contact.k + impact.k(0, 0) + impact.k(1, 1);
    return std::abs(dot(across, contact.h)) <= kTolerance * size &&
           std::abs(dot(across, contact.m * c)) <= kTolerance * size;
}

ImpactOutcome planar_impact(const ContactImpact& impact, ImpactTrace* trace) {
    const SlidingContact contact(impact);
    const Vec2 c = plane_direction(impact, contact);

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
