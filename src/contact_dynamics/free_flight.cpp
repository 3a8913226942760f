#include "contact_dynamics/free_flight.h"

#include "dynamics/free_rotation.h"
#include "rigor/rotation.h"

namespace rigor::contact_dynamics {

bool is_in_free_flight(const WorldState& state, std::uint32_t body) {
    const BodyStore& bodies = state.bodies;
    if (!is_dynamic(bodies, body) || bodies.mobility[body] != Mobility::plain) return false;
    return bodies.wrenches.empty() || bodies.wrenches[body].torque == Vec3d{};
}

Vec3d free_flight_acceleration(const WorldState& state, std::uint32_t body) {
    const BodyStore& bodies = state.bodies;
    if (!is_dynamic(bodies, body) || bodies.mobility[body] == Mobility::immobile) return {};
    Vec3d force = state.gravity * bodies.inertia[body].weight;
    if (!bodies.wrenches.empty()) force += bodies.wrenches[body].force;
    return force * bodies.inertia[body].inv_mass;
}

BodyMotion free_flight_motion(const WorldState& state, std::uint32_t body, const BodyMotion& motion,
                              double time) {
    const BodyTraits& traits = state.bodies.traits[body];
    if (traits.type == BodyType::static_body || time == 0) return motion;
    const double inv_mass = state.bodies.inertia[body].inv_mass;
    BodyMotion m = motion;
    const Vec3d a = free_flight_acceleration(state, body);
    m.x = free_flight_center(motion, inv_mass, a, time);
    if (traits.type == BodyType::kinematic_body) {
        m.q = normalize(from_rotation_vector(motion.l * time) * motion.q);
        return m;
    }
    m.p += a * (time / inv_mass);
    if (motion.l != Vec3d{}) m.q = rotate_freely(traits.moments, motion.q, motion.l, time);
    return m;
}

} // namespace rigor::contact_dynamics
