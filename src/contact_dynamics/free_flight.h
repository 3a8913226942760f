// Free flight: exact motion under gravity, a constant force and torque-free rotation.
#pragma once

#include "model/world_state.h"

namespace rigor::contact_dynamics {

/// Whether a body without contacts moves in free flight: no locks, no damping, no torque.
bool is_in_free_flight(const WorldState& state, std::uint32_t body);

/// Acceleration of the center of mass in free flight. Zero for immobile and kinematic bodies.
Vec3d free_flight_acceleration(const WorldState& state, std::uint32_t body);

/// Center of mass after a time.
inline Vec3d free_flight_center(const BodyMotion& motion, double inv_mass,
                                const Vec3d& acceleration, double time) {
    return motion.x + (motion.p * inv_mass * time + acceleration * (0.5 * time * time));
}

/// Motion after a time, of a body in free flight, of a kinematic body or of a static one.
BodyMotion free_flight_motion(const WorldState& state, std::uint32_t body, const BodyMotion& motion,
                              double time);

} // namespace rigor::contact_dynamics
