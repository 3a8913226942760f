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
    parts.delta = laws.delta.value_or(parts.delta);
    parts.penalty_depth = laws.penalty_depth.value_or(parts.penalty_depth);
    parts.separation_distance = laws.separation_distance.value_or(parts.separation_distance);
    return parts;
}

} // namespace rigor::literature
