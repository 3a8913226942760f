// Combined friction and restitution of two materials.
#pragma once

#include "model/world_state.h"

namespace rigor {

struct ContactMaterial {
    double static_friction = 0, kinetic_friction = 0;
    double restitution = 0;
    double rolling_resistance = 0, torsional_friction = 0; ///< lengths, m
};

/// Friction is the geometric mean, restitution, rolling and torsion are the maxima, unless the
/// world has an entry for this pair of materials.
ContactMaterial combine(const WorldState& state, const Material& a, const Material& b);

/// Replaces the entry of the pair.
void set_material_pair(WorldState& state, const MaterialPair& pair);

} // namespace rigor
