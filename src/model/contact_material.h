// Combined friction and restitution of two materials, and the directions of a surface.
#pragma once

#include "model/world_state.h"

namespace rigor {

struct ContactMaterial {
    double static_friction = 0, kinetic_friction = 0;
    double restitution = 0;
    double rolling_resistance = 0, torsional_friction = 0; ///< lengths, m
};

/// What has a direction on a surface, along the principal axes of its body.
struct SurfaceDirections {
    Vec3d velocity;   ///< of the surface along itself, as of a conveyor, m/s
    Vec3d grain;      ///< unit; zero when friction is the same all round
    double ratio = 1; ///< of friction along the grain to friction across it

    bool has_grain() const { return ratio != 1; }
};
SurfaceDirections surface_directions(const WorldState& state, std::uint32_t shape);
/// Whether friction depends on them, or on the spin about the normal.
bool has_directions(const Material& material);

/// Friction is the geometric mean, restitution, rolling and torsion are the maxima, unless
/// the world has an entry for this pair of materials.
ContactMaterial combine(const WorldState& state, const Material& a, const Material& b);

/// Replaces the entry of the pair.
void set_material_pair(WorldState& state, const MaterialPair& pair);

} // namespace rigor
