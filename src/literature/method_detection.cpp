#include "literature/method_detection.h"

#include <algorithm>

#include "collide/time_of_impact_variants.h"
#include "contact_dynamics/contact_detection.h"
#include "literature/method_integration.h"
#include "rigor/rotation.h"

namespace rigor::literature {
namespace {

ImpactMethod impact_method(Detection detection) {
    switch (detection) {
        case Detection::substep:
            return ImpactMethod::substep;
        case Detection::bisection:
            return ImpactMethod::bisection;
        case Detection::advancement:
            return ImpactMethod::advancement;
        default:
            return ImpactMethod::static_only;
    }
}

/// The motion of a shape between two states of the island, displaced by a periodic image.
Motion<double> motion_of(const WorldState& state, std::uint32_t shape, const Vec3d& image,
                         const Island& start, const Island& end) {
    const std::uint32_t body = body_of(state, shape);
    const auto i = static_cast<std::size_t>(
        std::find(start.bodies.begin(), start.bodies.end(), body) - start.bodies.begin());
    const BodyMotion &from = start.motion[i], &to = end.motion[i];
    const Posed place = in_body(state, shape);
    return {Posed{from.x + image, from.q} * place, inverse_transform(place, Vec3d{}), to.x - from.x,
            to_rotation_vector(to.q * conjugate(from.q))};
}

/// The fraction of the motion at which a pair comes into contact; 1 if it does not.
double time_of_impact(const WorldState& state, const MethodParts& method, const ShapePair& pair,
                      const Island& start, const Island& end) {
    VariantSettings<double> settings;
    settings.tolerance = std::max(method.contact_distance, 1e-9);
    settings.depth = std::max(settings.tolerance, method.separation_distance);
    settings.time_precision = 1e-9;
    const auto shape = [&](std::uint32_t slot) -> const Shape<double>& {
        return state.shapes[slot].geometry;
    };
    const TimeOfImpact<double> found = time_of_impact_by(
        impact_method(method.detection), shape(pair.a), motion_of(state, pair.a, {}, start, end),
        shape(pair.b), motion_of(state, pair.b, image_of(state, pair), start, end), settings);
    return found.state == ToiStatus::hit ? found.t : 1;
}

} // namespace

double time_to_contact(const WorldState& state, const MethodParts& method, const MethodState& step,
                       double time_left) {
    if (method.detection == Detection::static_only) return time_left;
    const Island end = free_motion(state, method, step.island, time_left);
    double first = 1;
    for (const ShapePair& pair : step.island.pairs) {
        const bool touches = std::any_of(step.contacts.begin(), step.contacts.end(),
                                         [&](const Contact& c) { return c.shapes == pair; });
        if (!touches)
            first = std::min(first, time_of_impact(state, method, pair, step.island, end));
    }
    return first * time_left;
}

} // namespace rigor::literature
