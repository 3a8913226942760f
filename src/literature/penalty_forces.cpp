#include "literature/penalty_forces.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_forces.h"

namespace rigor::literature {
namespace {

/// The spring that the contact had; a new contact sticks.
FrictionSpring spring_of(const Contact& c, std::span<const FrictionSpring> springs) {
    for (const FrictionSpring& s : springs)
        if (s.shapes.a == c.shapes.a && s.shapes.b == c.shapes.b && s.features == c.features)
            return s; // whatever the periodic image
    return {c.shapes, c.features, {}, false};
}

/// The force of a normal and a tangential spring-damper.
struct SpringForce {
    Vec3d normal, friction; ///< on b, world
    Vec3d stretch;          ///< the part of it that friction can hold
    bool slips = false;
};

SpringForce spring_force(const MethodParts& method, const Contact& c, const ContactSpring& spring,
                         const ContactFrame& frame, const BodyKinematics& a,
                         const BodyKinematics& b, const FrictionSpring& tangential) {
    if (!(frame.gap < 0)) return {};
    const auto& [k, damping, tangential_damping] = spring;
    const Vec3d u = relative_velocity(frame, a, b);
    const double u_n = dot(u, frame.normal);
    const double normal = std::max(-k * frame.gap - damping * u_n, 0.0);

    const ContactMaterial& material = c.material;
    const double mu = tangential.slips ? material.kinetic_friction : material.static_friction;
    const Vec3d along = tangential.stretch - frame.normal * dot(tangential.stretch, frame.normal);
    const Vec3d friction = -(along * k) - slip_velocity(frame, a, b) * tangential_damping;
    const double friction_size = length(friction);
    if (method.has_friction && friction_size <= mu * normal)
        return {frame.normal * normal, friction, along, false};
    const double limit = method.has_friction ? material.kinetic_friction * normal : 0;
    return {frame.normal * normal, friction_size > 0 ? friction * (limit / friction_size) : Vec3d{},
            normalize(along) * std::min(length(along), limit / k), true};
}

} // namespace

ContactWrenches spring_wrenches(const WorldState& state, const MethodParts& method,
                                const Island& island, std::span<const ContactSpring> springs,
                                std::span<const FrictionSpring> stretches) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    ContactWrenches wrenches{
        std::vector<SpatialVector>(bodies.size()), std::vector<SpatialVector>(bodies.size()), {}};
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        const ContactFrame frame = frame_of(c, bodies);
        const SpringForce spring = spring_force(method, c, springs[i], frame, bodies[c.a],
                                                bodies[c.b], spring_of(c, stretches));
        const auto add_force = [&](const Vec3d& force, std::vector<SpatialVector>& on) {
            on[c.a].linear -= force;
            on[c.a].angular -= cross(frame.arm_a, force);
            on[c.b].linear += force;
            on[c.b].angular += cross(frame.arm_b, force);
        };
        add_force(spring.normal, wrenches.normal);
        add_force(spring.friction, wrenches.friction);
        wrenches.forces.push_back(spring.normal + spring.friction);
    }
    return wrenches;
}

std::vector<FrictionSpring> updated_friction_springs(
    const WorldState& state, const MethodParts& method, const Island& island,
    std::span<const ContactSpring> springs, std::span<const FrictionSpring> stretches, double h) {
    std::vector<FrictionSpring> result;
    if (method.resting != RestingRule::penalty) return result;
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        const BodyKinematics &a = bodies[c.a], &b = bodies[c.b];
        const ContactFrame frame = frame_of(c, bodies);
        if (!(frame.gap < 0)) continue;
        FrictionSpring tangential = spring_of(c, stretches);
        tangential.stretch += slip_velocity(frame, a, b) * h;
        const SpringForce force = spring_force(method, c, springs[i], frame, a, b, tangential);
        result.push_back({c.shapes, c.features, force.stretch, force.slips});
    }
    return result;
}

} // namespace rigor::literature
