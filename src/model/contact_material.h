// What two surfaces do to each other.
#pragma once

#include "model/world_state.h"

namespace rigor {

struct ContactMaterial {
    double static_friction = 0, kinetic_friction = 0;
    double restitution = 0;
    double rolling_resistance = 0, torsional_friction = 0; ///< lengths, m
};

/// Friction is the geometric mean, restitution, rolling and torsion are the larger ones, unless the
/// world has a pair of its own for these two.
ContactMaterial combine(const WorldState& state, const Material& a, const Material& b);

/// Replaces what was said about the two before.
void set_material_pair(WorldState& state, const MaterialPair& pair);

} // namespace rigor
