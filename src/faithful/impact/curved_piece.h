// A piece of an impact while sliding turns: power series of all that changes.
//
// With ds = dp/|u_T| the equations of sliding lose their singularity at rest and become linear in
// u_T but for its length:
//
//     u_T' = |u_T| h - mu M u_T,   p' = |u_T|,   p_T' = -mu u_T.
//
// Coefficients of |u_T|² = x² + y² give those of |u_T| one by one, so a step of high order costs
// little more than three squares of series. All is homogeneous in u_T: the series are those of
// u_T/r, with r its length at the start.
#pragma once

#include "faithful/impact/path_point.h"
#include "faithful/impact/series.h"
#include "faithful/impact/sliding.h"

namespace rigor::faithful {

/// Errors that do not matter.
struct PathTolerance {
    double velocity = 0, work = 0;
};

class CurvedPiece {
  public:
    /// As long as what is left out of the series is within the tolerance. `contact` outlives the
    /// piece; it slides, with the velocity u, and has friction.
    CurvedPiece(const SlidingContact& contact, const Vec3d& u, const PathTolerance& tolerance);

    PathPoint start() const { return {0, {}, u_[0], 0}; }
    PathPoint end() const { return end_; }
    PathPoint at(double s) const;
    Vec2 sliding(double s) const { return Vec2{value(x_, s), value(y_, s)} * r_; }
    /// At the end.
    Vec2 last_sliding() const { return last_sliding_; }

    /// As for StraightPiece.
    std::optional<double> sign_change(const PathPoint& from, int sign) const;
    std::optional<double> where_work(const PathPoint& from, const PathPoint& to, double due) const;
    std::optional<double> where_impulse(const PathPoint& from, const PathPoint& to,
                                        double due) const;
    std::optional<double> where_velocity(const PathPoint& from, const PathPoint& to,
                                         double velocity) const;

  private:
    struct Slope;

    void expand();
    void expand_normal();
    double reach(const PathTolerance& tolerance) const;
    double monotone_reach(double length);
    /// du_z/dp times |u_T|.
    double rise(const Vec2& sliding) const {
        return contact_.k * length(sliding) - contact_.mu * dot(contact_.h, sliding);
    }
    std::optional<double> where_becomes(double velocity, const PathPoint& from, const PathPoint& to,
                                        int sign) const;
    template <class Quantity>
    static double find(double target, const PathPoint& from, const PathPoint& to, double guess,
                       bool rising, const Quantity& quantity);

    const SlidingContact& contact_;
    double r_;    ///< |u_T| at the start
    double rate_; ///< a bound of all rates: s is in units of its inverse
    double unit_; ///< r_/rate_: p in these units
    int trend_;   ///< 1 or -1: u_z rises or falls all along
    Series x_, y_, rho_;
    Series p_x_, p_y_, p_z_; ///< integrals of those
    Series u_, work_;        ///< u_z and its work, in their own units
    Vec2 last_sliding_;
    PathPoint end_;
};

} // namespace rigor::faithful
