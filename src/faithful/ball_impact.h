// Time of impact of balls in free flight, with each other under the same acceleration or with a
// static plane: closed form by quadratic equations.
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

/// Time until two balls collide; their relative motion is straight. Balls within `touch_distance`
/// collide at once if they approach faster than `slow_speed`, and else never: balls that an impact
/// left side by side still have rounding errors of relative velocity.
inline std::optional<double> ball_impact_time(const BallFlight& a, const BallFlight& b,
                                              double touch_distance, double slow_speed) {
    const Vec3d d = b.x - a.x, v = b.v - a.v;
    const double radius_sum = a.radius + b.radius;
    const double closing = -dot(d, v), speed2 = dot(v, v);
    if (!(closing > 0)) return std::nullopt;
    // |d + v t|² = radius_sum²; c = |d|² - radius_sum², factored to avoid cancellation at small
    // gaps.
    const double distance = length(d);
    const double c = (distance - radius_sum) * (distance + radius_sum);
    if (distance - radius_sum <= touch_distance)
        return closing > slow_speed * distance ? std::optional(0.0) : std::nullopt;
    const double discriminant = closing * closing - speed2 * c;
    if (!(discriminant >= 0)) return std::nullopt;
    return c / (closing + std::sqrt(discriminant));
}

/// Time until a ball collides with a static plane. A ball that leaves the plane and is accelerated
/// back collides again.
inline std::optional<double> plane_impact_time(const BallFlight& ball, const Plane<double>& plane,
                                               double touch_distance, double slow_speed) {
    const double gap = height_over(plane, ball.x) - ball.radius;
    const double v = dot(plane.normal, ball.v),
                 downward_acceleration = -dot(plane.normal, ball.acceleration);
    // gap + v t - ½ downward_acceleration t² = 0: the first root if the ball approaches, the second
    // if it leaves.
    const double discriminant = v * v + 2 * downward_acceleration * gap;
    if (gap > touch_distance && v < 0) {
        if (!(discriminant >= 0)) return std::nullopt; // it turns back before it arrives
        return 2 * gap / (std::sqrt(discriminant) - v);
    }
    if (v < -slow_speed) return 0;
    if (!(downward_acceleration > 0)) return std::nullopt;
    return (v + std::sqrt(std::max(discriminant, 0.0))) / downward_acceleration;
}

} // namespace rigor::faithful
