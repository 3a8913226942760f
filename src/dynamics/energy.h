// Energy and momentum of bodies.
#pragma once

#include "model/body_store.h"
#include "rigor/report.h"

namespace rigor {

/// ½ (p·v + L·w). For a body with locked axes L is the free part, and w has no other.
double kinetic_energy(const BodyMotion& motion, const BodyInertia& inertia,
                      const BodyTraits& traits);

/// Of all dynamic bodies, added up in the order of their slots.
Energy energy(const BodyStore& bodies, const Vec3d& gravity);

/// Likewise; the angular momentum is about the world's origin, and is the true I w even where
/// locks keep part of it.
Momentum momentum(const BodyStore& bodies);

} // namespace rigor
