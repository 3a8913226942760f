// When a ball that flies meets another under the same acceleration, or a fixed plane: quadratic
// equations.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "geometry/plane.h"
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

/// The same of a ball and a fixed plane. What leaves it slowly, and is pulled back, meets it again.
inline std::optional<double> plane_meeting(const BallFlight& ball, const Plane<double>& plane,
                                           double touch, double slow) {
    const double gap = height_over(plane, ball.x) - ball.radius;
    const double v = dot(plane.normal, ball.v), pull = -dot(plane.normal, ball.acceleration);
    // gap + v t - ½ pull t² = 0: the first root of one that comes, the second of one that leaves.
    const double discriminant = v * v + 2 * pull * gap;
    if (gap > touch && v < 0) {
        if (!(discriminant >= 0)) return std::nullopt; // it is pushed back before
        return 2 * gap / (std::sqrt(discriminant) - v);
    }
    if (v < -slow) return 0;
    if (!(pull > 0)) return std::nullopt;
    return (v + std::sqrt(std::max(discriminant, 0.0))) / pull;
}

} // namespace rigor::faithful
