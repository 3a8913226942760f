// Time of impact of two moving convex cores with balls around them.
//
// A plane with a fixed normal n has the separation
//
//     f(t) = min over b of n·x_b(t) - max over a of n·x_a(t)
//
// between them: two support points. f > 0 proves them apart. f is the minimum over all pairs of
// points, and with w the angular velocities and r the distances of points from the axes, it has
//
//     closing speed  =  -n·v + |w_A x n| r_A + |w_B x n| r_B
//     curvature      =  |w_A| |w_A x n| r_A + |w_B| |w_B x n| r_B
//
// since the derivatives of n·(R r) are n·(w x r) and n·(w x (w x r)), and only the part of r normal
// to w counts: the directed bound of [Mirtich 1996b] and [Zhang 2006], and one order more. The
// plane is followed to the end of its use (conservative_advancement.h) as in [Catto 2013], who
// finds the same root without a proof that it is the first. Then the distance gives the next plane.
#pragma once

#include <span>

#include "collide/conservative_advancement.h"
#include "collide/convex_distance.h"
#include "collide/time_of_impact.h"
#include "collide/time_of_impact_motion.h"

namespace rigor {

/// Rounding error of a gap between cores whose centers are `away` apart.
template <class S>
S rounding_gap(const Core<S>& a, const Core<S>& b, S away);

/// The gaps, raised above the rounding error of distances.
template <class S>
ImpactGaps<S> raise_gaps(const ImpactGaps<S>& gaps, const Core<S>& a, const Core<S>& b, S away);

/// Sweep of two moving cores. Refers to its arguments.
template <class S>
class ConvexSweep {
  public:
    ConvexSweep(const Core<S>& a, const Core<S>& b, const PairMotion<S>& motion)
        : ConvexSweep(a, b, motion, axis_radius_of_a(a, motion), axis_radius_of_b(b, motion)) {}
    ConvexSweep(const Core<S>& a, const Core<S>& b, const PairMotion<S>& motion, S axis_radius_a,
                S axis_radius_b);

    /// From a time at which they are apart, so never `overlapping`. `first` is their distance at
    /// the beginning, if known; `guesses` are directions that may separate them temporarily.
    TimeOfImpact<S> first_impact(const Interval<S>& interval, const ImpactGaps<S>& gaps,
                                 int max_iterations, DistanceCache<S>* cache,
                                 const Distance<S>* first,
                                 std::span<const Vec3<S>> guesses = {}) const;

    Distance<S> measure(S t, DistanceCache<S>* cache) const {
        return convex_distance(a_, b_, motion_.b_in_a(t), cache);
    }

  private:
    struct Plane {
        Vec3<S> n; ///< in world axes
        S separation{};
        S t{}; ///< its time
    };
    S separation(const Vec3<S>& n, S t) const;
    S follow_plane(const Plane& plane, S end, const ImpactGaps<S>& gaps) const;
    Plane best_plane(const Distance<S>& d, S t, const Plane& last) const;
    void come_to_rest(TimeOfImpact<S>& answer, const Plane& plane, S end) const;

    const Core<S>& a_;
    const Core<S>& b_;
    const PairMotion<S>& motion_;
    S axis_radius_a_, axis_radius_b_; ///< distances from the rotation axes
    S speed_ = S(0);                  ///< upper bound of the relative speed of any two points
};

} // namespace rigor
