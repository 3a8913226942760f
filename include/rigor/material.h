// Materials: friction, restitution, density, surface velocity.
#pragma once

#include <cstdint>
#include <optional>

#include "rigor/vec.h"

namespace rigor {

struct Material {
    double static_friction = 0.5;
    double kinetic_friction = 0.5;
    double restitution = 0;        ///< 0 to 1
    double density = 1000;         ///< kg/m³; of a hollow shape kg/m²
    double rolling_resistance = 0; ///< a length, m
    double torsional_friction = 0; ///< a length, m
    double patch_radius = 0;       ///< of the contact, m: spin reduces sliding friction
    Vec3d surface_velocity = {};   ///< of a conveyor, in the body's frame
    Vec3d anisotropy_axis = {};    ///< body frame; zero when friction is isotropic
    double anisotropy_ratio = 1;   ///< friction along the axis over friction across it
    std::int32_t id = -1;          ///< identifies the material in MaterialPair
    std::uint32_t color = 0;       ///< 0xRRGGBBAA for drawing; 0: none given
};

/// Friction and restitution of two materials that replace the usual combination.
struct MaterialPair {
    int a = 0; ///< Material::id
    int b = 0;
    std::optional<double> static_friction = {};
    std::optional<double> kinetic_friction = {};
    std::optional<double> restitution = {};
};

} // namespace rigor
