#include "literature/resting_contacts.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/contact_problem.h"
#include "resting/resting_forces.h"

namespace rigor::literature {
namespace {

/// Equation (18): accelerations of separation are M f + b.
std::vector<Vec3d> forces_by_rule(const WorldState& state, const Assembly& method,
                                  const Island& island) {
    const ContactProblem contacts(state, island, island.contacts);
    const BlockMatrix w = contacts.matrix();
    const std::size_t n = island.contacts.size();
    DenseMatrix m(n, n);
    for (std::size_t i = 0; i < n; ++i)
        for (const BlockEntry& entry : w.row(i)) m(i, entry.column) = entry.block(2, 2);
    std::vector<double> b;
    for (const Vec3d& a : contacts.accelerations(outer_forces(state, island, island.motion)))
        b.push_back(a.z);
    const RestingForces found = resting_forces(method.resting, m, b);
    std::vector<Vec3d> forces;
    for (const double f : found.f) forces.push_back({0, 0, f});
    return forces;
}

// ---- springs

Vec3d stretch_of(const Contact& c, std::span<const FrictionSpring> springs) {
    for (const FrictionSpring& s : springs)
        if (s.shapes.a == c.shapes.a && s.shapes.b == c.shapes.b && s.features == c.features)
            return s.stretch; // in whatever cell they meet
    return {};
}

/// A spring and a damper across the surface, and a pair of them along it.
struct SpringForce {
    Vec3d normal, friction; ///< on b, world
    Vec3d stretch;          ///< that friction can hold
};

SpringForce spring_force(const Assembly& method, const Contact& c, const ContactSpring& spring,
                         const ContactFrame& frame, const BodyMoment& a, const BodyMoment& b,
                         const Vec3d& stretch) {
    if (!(frame.gap < 0)) return {};
    const auto& [k, damper, along_damper] = spring;
    const Vec3d u = velocity_at(b, frame.point_b) - velocity_at(a, frame.point);
    const double u_n = dot(u, frame.normal);
    const double normal = std::max(-k * frame.gap - damper * u_n, 0.0);

    const double mu = method.has_friction ? c.material.static_friction : 0;
    const Vec3d along = stretch - frame.normal * dot(stretch, frame.normal);
    Vec3d friction = -(along * k) - (u - frame.normal * u_n) * along_damper;
    const double most = mu * normal, wanted = length(friction);
    Vec3d held = along;
    if (wanted > most) {
        friction = wanted > 0 ? friction * (most / wanted) : Vec3d{};
        held = normalize(along) * std::min(length(along), most / k);
    }
    return {frame.normal * normal, friction, held};
}

ContactPushes spring_pushes(const WorldState& state, const Assembly& method, const Island& island,
                            std::span<const ContactSpring> springs,
                            std::span<const FrictionSpring> stretches) {
    const std::vector<BodyMoment> bodies = moments_of(state, island);
    ContactPushes pushes{std::vector<Push>(bodies.size()), std::vector<Push>(bodies.size())};
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        const ContactFrame frame = frame_of(c, bodies);
        const SpringForce spring = spring_force(method, c, springs[i], frame, bodies[c.a],
                                                bodies[c.b], stretch_of(c, stretches));
        const auto push = [&](const Vec3d& force, std::vector<Push>& on) {
            on[c.a].linear -= force;
            on[c.a].angular -= cross(frame.point - bodies[c.a].x, force);
            on[c.b].linear += force;
            on[c.b].angular += cross(frame.point_b - bodies[c.b].x, force);
        };
        push(spring.normal, pushes.normal);
        push(spring.friction, pushes.friction);
    }
    return pushes;
}

/// Forces along tangents and normals.
ContactPushes pushes_of(const WorldState& state, const Island& island,
                        const std::vector<Vec3d>& forces) {
    const ContactProblem contacts(state, island, island.contacts);
    std::vector<Vec3d> normal, friction;
    for (const Vec3d& f : forces) {
        normal.push_back({0, 0, f.z});
        friction.push_back({f.x, f.y, 0});
    }
    return {contacts.pushes(normal), contacts.pushes(friction)};
}

} // namespace

ContactPushes resting_pushes(const WorldState& state, const Assembly& method, const Island& island,
                             std::span<const ContactSpring> springs,
                             std::span<const FrictionSpring> stretches) {
    const std::vector<Push> none(island.bodies.size());
    if (island.contacts.empty()) return {none, none};
    switch (method.resting) {
        case RestingRule::lp:
        case RestingRule::lcp:
            return pushes_of(state, island, forces_by_rule(state, method, island));
        case RestingRule::cone:
            return pushes_of(state, island, cone_forces(state, Laws{}, island));
        case RestingRule::penalty:
            return spring_pushes(state, method, island, springs, stretches);
        default:
            return {none, none};
    }
}

std::vector<FrictionSpring> stretched(const WorldState& state, const Assembly& method,
                                      const Island& island, std::span<const ContactSpring> springs,
                                      std::span<const FrictionSpring> stretches, double h) {
    std::vector<FrictionSpring> result;
    if (method.resting != RestingRule::penalty) return result;
    const std::vector<BodyMoment> bodies = moments_of(state, island);
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        const BodyMoment &a = bodies[c.a], &b = bodies[c.b];
        const ContactFrame frame = frame_of(c, bodies);
        if (!(frame.gap < 0)) continue;
        const Vec3d moved = stretch_of(c, stretches) + slip_velocity(frame, a, b) * h;
        result.push_back({c.shapes, c.features,
                          spring_force(method, c, springs[i], frame, a, b, moved).stretch});
    }
    return result;
}

} // namespace rigor::literature
