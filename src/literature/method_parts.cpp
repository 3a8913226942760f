#include "literature/method_parts.h"

namespace rigor::literature {
namespace {

MethodParts original(Method method) {
    switch (method) {
        case Method::kavan2003:
            return kavan2003();
        case Method::baber2011:
            return baber2011();
        case Method::kenwright:
            return kenwright();
        case Method::galoppo2007:
            return galoppo2007();
        case Method::penalty:
            return penalty();
        default:
            return baber2006();
    }
}

} // namespace

MethodParts method_parts_for(Method method, const WorldSettings& settings) {
    MethodParts parts = original(method);
    const ContactLaws& laws = settings.laws;
    parts.integrator = laws.integrator.value_or(parts.integrator);
    parts.detection = laws.detection.value_or(parts.detection);
    parts.impact = laws.impact.value_or(parts.impact);
    parts.multi = laws.multi.value_or(parts.multi);
    if (laws.multi) parts.single_pass = false;
    parts.resting = laws.resting.value_or(parts.resting);
    parts.resting_speed = laws.tolerance.value_or(parts.resting_speed);
    if (laws.delta) parts.delta = *laws.delta;
    if (laws.delta_absolute) parts.delta = ImpulseStep::absolute(*laws.delta_absolute);
    parts.contact_order = laws.contact_order.value_or(parts.contact_order);
    parts.separating_impulses =
        laws.separating_impulses.value_or(parts.separating_impulses) && method == Method::baber2006;
    parts.keep_velocity = laws.keep_velocity.value_or(parts.keep_velocity);
    if (parts.resting == RestingRule::projection) {
        parts.resting_impulses = false;
        parts.baumgarte_rate = 0; // positions are moved instead
    }
    parts.penalty_depth = laws.penalty_depth.value_or(parts.penalty_depth);
    parts.separation_distance = laws.separation_distance.value_or(parts.separation_distance);
    return parts;
}

} // namespace rigor::literature
