// Segment of an impact path with constant du_z/dp: sliding along a ray, sticking, and frictionless
// impacts. Closed form; the parameter s is the normal impulse.
#pragma once

#include <cmath>
#include <limits>

#include "impact/path_point.h"

namespace rigor::contact_dynamics {

struct StraightSegment {
    Vec3d direction; ///< of the impulse, for one unit of normal impulse
    double u0 = 0;   ///< u_z at the start
    double rate = 0; ///< du_z/dp
    double length = std::numeric_limits<double>::infinity();

    PathPoint start() const { return at(0); }
    PathPoint end() const { return at(length); }
    PathPoint at(double s) const {
        return {s, direction * s, u0 + rate * s, (u0 + 0.5 * rate * s) * s};
    }

    /// Where u_z, whose sign is `sign` (1 or -1) from `from` on, changes it.
    std::optional<double> sign_change(const PathPoint& from, int sign) const {
        if (!(rate * sign < 0)) return {};
        return within(std::fmax(from.s, -u0 / rate), length);
    }
    /// Where the work since `from` is `due`, with u_z positive: the smaller root of
    ///     u s + rate s²/2 = due.
    std::optional<double> find_work(const PathPoint& from, const PathPoint& to, double due) const {
        const double u = std::fmax(from.u, 0), square = u * u + 2 * rate * due;
        if (!(square >= 0)) return {};
        const double sum = u + std::sqrt(square);
        return within(sum > 0 ? from.s + 2 * due / sum : from.s, to.s);
    }
    std::optional<double> find_impulse(const PathPoint& from, const PathPoint& to,
                                       double due) const {
        return within(from.s + due, to.s);
    }
    std::optional<double> find_velocity(const PathPoint& from, const PathPoint& to,
                                        double velocity) const {
        if (velocity <= from.u) return from.s;
        if (!(rate > 0)) return {};
        return within((velocity - u0) / rate, to.s);
    }

  private:
    static std::optional<double> within(double s, double to) {
        return s <= to ? std::optional(s) : std::nullopt;
    }
};

} // namespace rigor::contact_dynamics
