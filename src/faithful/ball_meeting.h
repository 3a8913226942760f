// When two balls meet that fly under the same acceleration: a quadratic equation.
#pragma once

#include <cmath>
#include <optional>

#include "rigor/vec.h"

namespace rigor::faithful {

struct BallFlight {
    Vec3d x, v, acceleration;
    double radius = 0;
};

/// The time from now on; seen from each other they fly straight. Balls within `touch` of each other
/// meet at once if they approach faster than `slow`, and never again if they do not: those that an
/// impact has left side by side have a last digit of speed.
inline std::optional<double> ball_meeting(const BallFlight& a, const BallFlight& b, double touch,
                                          double slow) {
    const Vec3d d = b.x - a.x, v = b.v - a.v;
    const double reach = a.radius + b.radius;
    const double closing = -dot(d, v), speed2 = dot(v, v);
    if (!(closing > 0)) return std::nullopt;
    // |d + v t|² = reach²; c in the form that keeps its digits where the gap is small.
    const double distance = length(d);
    const double c = (distance - reach) * (distance + reach);
    if (distance - reach <= touch)
        return closing > slow * distance ? std::optional(0.0) : std::nullopt;
    const double discriminant = closing * closing - speed2 * c;
    if (!(discriminant >= 0)) return std::nullopt;
    return c / (closing + std::sqrt(discriminant));
}

} // namespace rigor::faithful
