// Energy and momentum of bodies.
#pragma once

#include "model/world_state.h"
#include "rigor/report.h"

namespace rigor {

/// ½ (p·v + L·w). For a body with locked axes L is the free part, and w has no other components.
double kinetic_energy(const BodyMotion& motion, const BodyInertia& inertia,
                      const BodyTraits& traits);

/// Of one body; zero unless it is dynamic.
double kinetic_energy(const BodyStore& bodies, std::uint32_t body);

/// Records kinetic energy that an edit from outside gave a body in the ledgers.
void record_edit(WorldState& state, std::uint32_t body, double energy);

/// Of all dynamic bodies, added up in the order of their slots.
Energy energy(const BodyStore& bodies, const Vec3d& gravity);

/// Likewise; the angular momentum is about the world's origin, and is the true I w even where locks
/// constrain part of it.
Momentum momentum(const BodyStore& bodies);

} // namespace rigor
