// Wind: aerodynamic drag of moving air, as a steady stream and as a vortex (whirl) about an axis.
#pragma once

#include <optional>

#include "rigor/export.h"
#include "rigor/result.h"
#include "rigor/vec.h"

namespace rigor {

class World;

/// A Rankine vortex: the air turns like a rigid body up to the radius and falls off as 1/r beyond.
struct WhirlDef {
    Vec3d center = {};    ///< of its foot
    Vec3d axis{0, 0, 1};  ///< of any length but zero; the air turns anticlockwise about it
    double radius = 1;    ///< m
    double speed = 0;     ///< m/s around the axis, at the radius
    double inflow = 0;    ///< m/s towards the axis, at the radius
    double updraft = 0;   ///< m/s along the axis, on it
    double height = 1e12; ///< m along the axis; above it the wind fades within half of it
};

/// Drag is 1/2 density drag_coefficient area |u|u, u being the velocity of the air against the body
/// and the area that of the body's bounds seen along u. It acts at the center of mass.
struct WindDef {
    Vec3d velocity = {}; ///< m/s of the steady stream
    std::optional<WhirlDef> whirl = {};
    double density = 1.2; ///< of the air, kg/m³
    double drag_coefficient = 1;
};

/// Fails when a number is not finite or out of its range.
RIGOR_API Result<void> check_wind(const WindDef& wind);

/// Of the air at a point, m/s.
RIGOR_API Vec3d wind_velocity(const WindDef& wind, const Vec3d& point);

/// Applies the force of the step of `dt` that follows to every dynamic body. A body asleep is left
/// alone while the force is below a tenth of its weight.
RIGOR_API void apply_wind(World& world, const WindDef& wind, double dt);

} // namespace rigor
