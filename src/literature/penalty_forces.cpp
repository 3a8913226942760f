#include "literature/penalty_forces.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_forces.h"

namespace rigor::literature {
namespace {

Vec3d stretch_of(const Contact& c, std::span<const FrictionSpring> springs) {
    for (const FrictionSpring& s : springs)
        if (s.shapes.a == c.shapes.a && s.shapes.b == c.shapes.b && s.features == c.features)
            return s.stretch; // whatever the periodic image
    return {};
}

/// The force of a normal and a tangential spring-damper.
struct SpringForce {
    Vec3d normal, friction; ///< on b, world
    Vec3d stretch;          ///< the part of it that friction can hold
};

SpringForce spring_force(const MethodParts& method, const Contact& c, const ContactSpring& spring,
                         const ContactFrame& frame, const BodyKinematics& a,
                         const BodyKinematics& b, const Vec3d& stretch) {
    if (!(frame.gap < 0)) return {};
    const auto& [k, damping, tangential_damping] = spring;
    const Vec3d u = velocity_at(b, frame.point_b) - velocity_at(a, frame.point);
    const double u_n = dot(u, frame.normal);
    const double normal = std::max(-k * frame.gap - damping * u_n, 0.0);

    const double mu = method.has_friction ? c.material.static_friction : 0;
    const Vec3d along = stretch - frame.normal * dot(stretch, frame.normal);
    Vec3d friction = -(along * k) - slip_velocity(frame, a, b) * tangential_damping;
    const double max_friction = mu * normal, friction_size = length(friction);
    Vec3d held_stretch = along;
    if (friction_size > max_friction) {
        friction = friction_size > 0 ? friction * (max_friction / friction_size) : Vec3d{};
        held_stretch = normalize(along) * std::min(length(along), max_friction / k);
    }
    return {frame.normal * normal, friction, held_stretch};
}

} // namespace

ContactWrenches spring_wrenches(const WorldState& state, const MethodParts& method,
                                const Island& island, std::span<const ContactSpring> springs,
                                std::span<const FrictionSpring> stretches) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    ContactWrenches wrenches{std::vector<SpatialVector>(bodies.size()),
                             std::vector<SpatialVector>(bodies.size())};
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        const ContactFrame frame = frame_of(c, bodies);
        const SpringForce spring = spring_force(method, c, springs[i], frame, bodies[c.a],
                                                bodies[c.b], stretch_of(c, stretches));
        const auto add_force = [&](const Vec3d& force, std::vector<SpatialVector>& on) {
            on[c.a].linear -= force;
            on[c.a].angular -= cross(frame.point - bodies[c.a].x, force);
            on[c.b].linear += force;
            on[c.b].angular += cross(frame.point_b - bodies[c.b].x, force);
        };
        add_force(spring.normal, wrenches.normal);
        add_force(spring.friction, wrenches.friction);
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
        const Vec3d new_stretch = stretch_of(c, stretches) + slip_velocity(frame, a, b) * h;
        result.push_back({c.shapes, c.features,
                          spring_force(method, c, springs[i], frame, a, b, new_stretch).stretch});
    }
    return result;
}

} // namespace rigor::literature
