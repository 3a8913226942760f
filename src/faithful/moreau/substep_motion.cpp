#include "faithful/moreau/substep_motion.h"

#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/free_flight.h"
#include "dynamics/free_rotation.h"
#include "faithful/static_body.h"
#include "rigor/rotation.h"

namespace rigor::faithful {

void apply_external_forces(MoreauData& data, double h) {
    std::vector<SpatialVector> impulses =
        external_forces(data.state, data.world, data.world.motion);
    for (SpatialVector& f : impulses) f = {f.linear * h, f.angular * h};
    apply(data.world, data.state, impulses);
    data.external_impulses = std::move(impulses);
}

void record_external_work(MoreauData& data, std::span<const BodyMotion> end, double h) {
    const WorldState& state = data.state;
    for (std::size_t i = 0; i < data.world.bodies.size(); ++i) {
        const std::uint32_t body = data.world.bodies[i];
        if (!responds_to_impulses(state, body)) continue;
        const BodyKinematics before = kinematics_of(state.bodies, body, data.motion_before[i]);
        const BodyKinematics after = kinematics_of(state.bodies, body, end[i]);
        const SpatialVector& impulse = data.external_impulses[i];
        const Vec3d weight = state.gravity * state.bodies.inertia[body].weight;
        data.outcome.work.by_body[body].forces +=
            0.5 * (dot(impulse.linear - weight * h, before.v + after.v) +
                   dot(impulse.angular, before.w + after.w));
    }
}

void correct_free_flight(MoreauData& data, std::span<const ContactGroup> groups, double h) {
    std::vector<bool> is_free(data.world.bodies.size(), true);
    for (const ContactGroup& group : groups)
        for (const std::uint32_t i : group.world_index) is_free[i] = false;
    for (std::size_t i = 0; i < is_free.size(); ++i) {
        if (!is_free[i] || !responds_to_impulses(data.state, data.world.bodies[i])) continue;
        const double inv_mass = data.state.bodies.inertia[data.world.bodies[i]].inv_mass;
        const BodyMotion& before = data.motion_before[i];
        BodyMotion& m = data.world.motion[i];
        m.x = before.x + (before.p + m.p) * (0.5 * h * inv_mass);
    }
}

void integrate_positions(const WorldState& state, Island& island, double h) {
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        const std::uint32_t body = island.bodies[i];
        BodyMotion& m = island.motion[i];
        if (is_static(state, body)) continue;
        if (!responds_to_impulses(state, body)) {
            m = free_flight_motion(state, body, m, h);
            continue;
        }
        const BodyKinematics now = kinematics_of(state.bodies, body, m);
        m.x += now.v * h;
        // Between impulses a body rotates freely, which keeps its energy.
        if (state.bodies.mobility[body] == Mobility::plain)
            m.q = rotate_freely(state.bodies.traits[body].moments, m.q, m.l, h);
        else
            m.q = normalize(from_rotation_vector(now.w * h) * m.q);
    }
}

} // namespace rigor::faithful
