// Free flight: under gravity and a constant force, turning freely. Exact at any time.
#pragma once

#include "model/world_state.h"

namespace rigor::contact_dynamics {

/// Whether a body that touches nothing moves like this: no locks, no damping, no torque.
bool flies(const WorldState& state, std::uint32_t body);

/// Of its center, while it flies. Zero of a body that nothing pushes.
Vec3d acceleration(const WorldState& state, std::uint32_t body);

/// Where its center is after a time.
inline Vec3d center_flown(const BodyMotion& motion, double inv_mass, const Vec3d& acceleration,
                          double time) {
    return motion.x + (motion.p * inv_mass * time + acceleration * (0.5 * time * time));
}

/// The motion after a time, of a body that flies; of one with a velocity of its own; or of one that
/// stands still.
BodyMotion flown(const WorldState& state, std::uint32_t body, const BodyMotion& motion,
                 double time);

} // namespace rigor::contact_dynamics
