// What a surface is made of.
#pragma once

#include <cstdint>

#include "rigor/vec.h"

namespace rigor {

struct Material {
    double static_friction = 0.5;
    double kinetic_friction = 0.5;
    double restitution = 0;        ///< 0 to 1
    double density = 1000;         ///< kg/m³; of a hollow shape kg/m²
    double rolling_resistance = 0; ///< a length, m
    double torsional_friction = 0; ///< a length, m
    Vec3d surface_velocity;        ///< of a conveyor, in the body's frame
    Vec3d anisotropy_axis;         ///< body frame; zero when friction is the same all round
    double anisotropy_ratio = 1;   ///< friction along the axis over friction across it
    std::int32_t id = -1;          ///< names a material where pairs have values of their own
    std::uint32_t color = 0;       ///< 0xRRGGBBAA for those who draw it; 0: none given
};

} // namespace rigor
