// Time of impact of two bodies on their trajectories, by conservative advancement.
//
// Conservative advancement [Mirtich 1996b] over any motion with bounds on its rotation speed and
// its change of velocity: while the bound leaves a gap, no impact can have happened. Near the end a
// root of the signed gap is found to rounding, so the gap at the time of impact is zero.
#pragma once

#include <functional>
#include <optional>

#include "contact_dynamics/island.h"

namespace rigor::faithful {

using namespace contact_dynamics;

/// Motion of one body over a time interval.
struct Trajectory {
    std::function<BodyMotion(double time)> at;
    double inv_mass = 0;        ///< from momentum to velocity
    double rotation_speed = 0;  ///< m/s: bound of the velocity of surface points about the center
    Vec3d acceleration;         ///< constant part of the acceleration
    double velocity_change = 0; ///< m/s: bound of the other changes of velocity
};

/// The first time of impact after `begin`, if there is one before `end`. Bodies that touch at
/// `begin` are assumed to separate: the next impact counts. A search with too many iterations
/// returns a time before which there is no impact.
std::optional<double> first_time_of_impact(const WorldState& state, const ShapePair& pair,
                                           const Trajectory& a, const Trajectory& b, double begin,
                                           double end, double touch_distance);

} // namespace rigor::faithful
