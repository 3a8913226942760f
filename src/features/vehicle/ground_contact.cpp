#include "features/vehicle/ground_contact.h"

#include <cmath>

namespace rigor::vehicle {
namespace {

/// As materials combine: what the pair agreed, else the geometric mean.
double pair_friction(const VehicleDef& def, const Material& ground) {
    for (const MaterialPair& pair : def.pairs) {
        const bool meets = (pair.a == def.tire_material && pair.b == ground.id) ||
                           (pair.b == def.tire_material && pair.a == ground.id);
        if (meets && pair.kinetic_friction) return *pair.kinetic_friction;
    }
    return std::sqrt(def.tire.friction * ground.kinetic_friction);
}

} // namespace

GroundContact wheel_contact(const World& world, BodyId wheel, const Vec3d& hub_before, double dt) {
    GroundContact contact;
    const Vec3d moved = world.state(wheel).position - hub_before;
    Vec3d push;
    for (const ContactView& view : world.contacts(wheel)) {
        const bool is_b = view.b.body == wheel;
        GroundSupport support{is_b ? view.a : view.b, {}, 0};
        if (!world.is_valid(support.ground.body)) continue;
        Vec3d weighted;
        for (int i = 0; i < view.count; ++i) {
            const ContactPointView& point = view.points[static_cast<std::size_t>(i)];
            support.load += point.impulse / dt;
            weighted += (point.point + moved) * (point.impulse / dt);
        }
        if (!(support.load > 0)) continue;
        support.point = weighted / support.load;
        push += view.normal * (is_b ? support.load : -support.load);
        contact.point += weighted;
        contact.load += support.load;
        contact.supports.push_back(support);
    }
    const double strength = length(push);
    if (!(strength > 1e-9 * contact.load)) return {}; // clamped between two things, or none
    contact.point = contact.point / contact.load;
    contact.normal = push / strength;
    contact.load = strength;
    return contact;
}

Vec3d ground_velocity(const World& world, const GroundContact& contact) {
    Vec3d sum;
    double loads = 0;
    for (const GroundSupport& support : contact.supports) {
        const BodyId body = support.ground.body;
        const Vec3d belt = world.material(support.ground.shape).surface_velocity;
        sum += (world.velocity_at(body, support.point) + rotate(world.pose(body).q, belt)) *
               support.load;
        loads += support.load;
    }
    return loads > 0 ? sum / loads : Vec3d{};
}

double ground_friction(const World& world, const GroundContact& contact, const VehicleDef& def) {
    double sum = 0, loads = 0;
    for (const GroundSupport& support : contact.supports) {
        sum += pair_friction(def, world.material(support.ground.shape)) * support.load;
        loads += support.load;
    }
    return loads > 0 ? sum / loads : 0;
}

} // namespace rigor::vehicle
