#include "faithful/moreau/detect_contacts.h"

#include "contact_dynamics/contact_detection.h"
#include "faithful/static_body.h"

namespace rigor::faithful {
namespace {

void update_bounds(MoreauData& data, double h, double margin) {
    for (std::size_t i = 0; i < data.world.bodies.size(); ++i) {
        const std::uint32_t body = data.world.bodies[i];
        if (is_static(data.state, body) || data.pair_predictor.shapes(body).empty()) continue;
        const Vec3d x = data.world.motion[i].x;
        const double inv_mass = data.state.bodies.inertia[body].inv_mass;
        const Vec3d end = x + data.world.motion[i].p * (h * inv_mass);
        data.pair_predictor.set_center_bounds(
            body, expand(Aabb<double>{min(x, end), max(x, end)}, margin));
    }
}

/// Bound of the speed at which the gap of a pair closes.
double closing_speed(MoreauData& data, const ShapePair& pair) {
    double speed = 0;
    for (const std::uint32_t shape : {pair.a, pair.b}) {
        const std::uint32_t body = body_of(data.state, shape);
        if (is_static(data.state, body)) continue;
        const BodyMotion& m = data.world.motion[data.world.find_or_add_body(body, data.state)];
        const BodyInertia& inertia = data.state.bodies.inertia[body];
        const double radius = data.pair_predictor.bound(shape).radius;
        speed += length(m.p) * inertia.inv_mass +
                 length(m.l) * max_component(inertia.inv_moments) * radius;
    }
    return speed;
}

} // namespace

void detect_contacts(MoreauData& data, double h, double margin) {
    update_bounds(data, h, margin);
    Island& world = data.world;
    const std::vector<ShapePair> new_pairs = data.pair_predictor.find_new_pairs(data.context.team);
    world.pairs.insert(world.pairs.end(), new_pairs.begin(), new_pairs.end());
    world.contacts.clear();
    for (const ShapePair& pair : world.pairs) {
        if (deadline_has_passed()) return;
        find_contacts(data.state, world, pair,
                      margin + kMaxPenetration + closing_speed(data, pair) * h, world.contacts);
    }
}

} // namespace rigor::faithful
