// When two moving convex cores with balls around them first meet.
//
// A plane across a fixed direction n has the separation
//
//     f(t) = min over b of n·x_b(t) - max over a of n·x_a(t)
//
// between them: two support points. f > 0 proves them apart. f is the least over all pairs of
// points, and with w the rates of turning and r the distances of points from the axes, all have
//
//     fall   =  -n·v + |w_A x n| r_A + |w_B x n| r_B
//     curve  =  |w_A| |w_A x n| r_A + |w_B| |w_B x n| r_B
//
// since the derivatives of n·(turned r) are n·(w x r) and n·(w x (w x r)), and only the part of r
// across w counts: the directed bound of [Mirtich 1996b] and [Zhang 2006], and one order more. The
// plane is followed to the end of its use (time_of_impact_follow.h) as in [Catto 2013], who looks
// for the same root without a proof that it is the first. Then the distance gives the next plane.
#pragma once

#include <span>

#include "collide/conservative_advancement.h"
#include "collide/convex_distance.h"
#include "collide/time_of_impact.h"
#include "collide/time_of_impact_motion.h"

namespace rigor {

/// What rounding leaves uncertain of a gap between cores whose centers are `away` apart.
template <class S>
S rounding_gap(const Core<S>& a, const Core<S>& b, S away);

/// The gaps, raised to what is clear of the rounding of distances.
template <class S>
ImpactGaps<S> raise_gaps(const ImpactGaps<S>& gaps, const Core<S>& a, const Core<S>& b, S away);

/// Two cores on their way. Refers to all it is made from.
template <class S>
class ConvexSweep {
  public:
    ConvexSweep(const Core<S>& a, const Core<S>& b, const PairMotion<S>& motion)
        : ConvexSweep(a, b, motion, reach_of_a(a, motion), reach_of_b(b, motion)) {}
    ConvexSweep(const Core<S>& a, const Core<S>& b, const PairMotion<S>& motion, S reach_a,
                S reach_b);

    /// From a beginning at which they are apart, so never `overlapping`. `first` is their distance
    /// at the beginning, if known; `guesses` are directions that may separate them for a while.
    TimeOfImpact<S> first_impact(const Stretch<S>& stretch, const ImpactGaps<S>& gaps,
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
        S t{}; ///< when
    };
    S separation(const Vec3<S>& n, S t) const;
    S follow_plane(const Plane& plane, S end, const ImpactGaps<S>& gaps) const;
    Plane best_plane(const Distance<S>& d, S t, const Plane& last) const;
    void come_to_rest(TimeOfImpact<S>& answer, const Plane& plane, S end) const;

    const Core<S>& a_;
    const Core<S>& b_;
    const PairMotion<S>& motion_;
    S reach_a_, reach_b_; ///< from the axes
    S speed_ = S(0);      ///< no two points approach each other faster
};

} // namespace rigor
