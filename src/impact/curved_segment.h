// Segment of an impact path with a turning sliding direction, as power series.
//
// With ds = dp/|u_T| the equations of sliding lose their singularity at rest and become linear in
// u_T but for its length:
//
//     u_T' = |u_T| h - mu M u_T,   p' = |u_T|,   p_T' = -mu u_T.
//
// The coefficients of |u_T|² = x² + y² give those of |u_T| one by one, so a step of high order
// costs little more than three squares of series. Everything is homogeneous in u_T: the series are
// those of u_T/r, where r is its length at the start. Only the integrals are stored, since u = u_0
// + K p; the work needs one more integral, and that of |u_T|² is available already (see point()).
#pragma once

#include "impact/path_point.h"
#include "impact/series.h"
#include "impact/sliding.h"

namespace rigor::contact_dynamics {

/// Negligible errors.
struct PathTolerance {
    double velocity = 0, work = 0;
};

class CurvedSegment {
  public:
    /// As long as the truncation error of the series is within the tolerance. `contact` must
    /// outlive the segment; it slides, with the velocity u, and has friction.
    CurvedSegment(const SlidingContact& contact, const Vec3d& u, const PathTolerance& tolerance);

    PathPoint start() const { return {0, {}, u_, 0}; }
    PathPoint end() const { return end_; }
    PathPoint at(double s) const { return point(s, sums_.at(s)); }
    /// At the end.
    Vec2 last_sliding() const { return last_sliding_; }

    /// As for StraightSegment.
    std::optional<double> sign_change(const PathPoint& from, int sign) const;
    std::optional<double> find_work(const PathPoint& from, const PathPoint& to, double due) const;
    std::optional<double> find_impulse(const PathPoint& from, const PathPoint& to,
                                       double due) const;
    std::optional<double> find_velocity(const PathPoint& from, const PathPoint& to,
                                        double velocity) const;

  private:
    struct Slope;

    double expand(const PathTolerance& tolerance);
    /// The length at which the last terms of velocity and work are within the tolerance.
    double length_within(const PathTolerance& tolerance, double velocity, double work) const;
    void set_end(double length);

    // Quantities computed from the integrals at a point.
    PathPoint point(double s, const Four& sums) const;
    double normal_velocity(const Four& sums) const {
        return u_ + unit_ * (contact_.k * sums[2] - dot(mu_h_, {sums[0], sums[1]}));
    }
    /// u_T/r.
    Vec2 sliding(const Four& sums) const { return c_ + h_ * sums[2] - m_ * Vec2{sums[0], sums[1]}; }
    /// du_z/dp times |u_T|/r.
    double rise(const Vec2& sliding) const {
        return contact_.k * length(sliding) - dot(mu_h_, sliding);
    }

    std::optional<double> find_crossing(double velocity, const PathPoint& from, const PathPoint& to,
                                        int sign) const;
    template <class Quantity>
    static double find(double target, const PathPoint& from, const PathPoint& to, double guess,
                       bool rising, const Quantity& quantity);

    const SlidingContact& contact_;
    double r_;    ///< |u_T| at the start
    double rate_; ///< a bound of all rates: s is in units of its inverse
    double unit_; ///< r_/rate_: p in these units
    double u_;    ///< u_z at the start
    Vec2 c_;      ///< u_T/r there
    Sym2 m_;      ///< mu M in units of the rate
    Vec2 h_;      ///< h likewise
    Vec2 mu_h_;   ///< mu h
    int trend_;   ///< 1 or -1: u_z increases or decreases monotonically
    /// Integrals of x, y, |u_T| and u_T·(u_T - c) over s, for r = 1.
    FourSeries sums_;
    Vec2 last_sliding_;
    PathPoint end_;
};

} // namespace rigor::contact_dynamics
