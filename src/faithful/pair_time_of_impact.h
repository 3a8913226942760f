// When two bodies on their ways first meet.
//
// Conservative advancement [Mirtich 1996b] over any motion that is known with a bound on how fast
// it turns and how much its velocity changes: while the bound leaves a gap, nothing can have met.
// Near the end a root of the signed gap is found to rounding, so the bodies meet at no distance at
// all.
#pragma once

#include <functional>
#include <optional>

#include "contact_dynamics/island.h"

namespace rigor::faithful {

using namespace contact_dynamics;

/// The way of one body over a part of a step.
struct Way {
    std::function<BodyMotion(double time)> at;
    double inv_mass = 0; ///< from momentum to velocity
    double turning = 0;  ///< m/s: no surface point moves faster about the center
    Vec3d gravity;       ///< the constant part of its acceleration
    double strays = 0;   ///< m/s: no less than by how much else its velocity changes on the way
};

/// The time of the first meeting after `begin`, if there is one before `end`. Bodies that touch at
/// the beginning are taken to be parting: the next time counts. A search that takes too long ends
/// with a time up to which nothing met.
std::optional<double> first_meeting(const WorldState& state, const ShapePair& pair, const Way& a,
                                    const Way& b, double begin, double end, double touch);

} // namespace rigor::faithful
