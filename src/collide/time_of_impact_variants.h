// Other ways to find an impact, as the literature has them: for comparison, and to show what they
// miss. All measure whole shapes with distance().
#pragma once

#include "collide/time_of_impact.h"

namespace rigor {

enum class ImpactMethod : std::uint8_t {
    advancement, ///< time_of_impact
    substep,     ///< [Kavan 2003, 3.2 and 3.3]
    bisection,   ///< findCollisionTime of [Galoppo 2007]
    static_only  ///< what is never looked at between two frames
};

template <class S>
struct VariantSettings {
    /// The gap to stop at: of advancement and bisection.
    S tolerance = S(1e-4);
    /// Of substep, the depth epsilon that a step may miss, which should be less than the thickness
    /// of the thinnest solid.
    S depth = S(1e-3);
    /// Of substep, epsilon_t: the time of contact is known to this fraction of the motion.
    S time_precision = S(1e-6);
    int max_steps = 100'000;
};

/// Steps of at most depth/(v_A + v_B), with v the bound on surface speed, and a test of overlap
/// at the end of each; then binary search between the last two, which ends at the time without
/// collision. A contact less deep than `depth` can be missed.
template <class S>
TimeOfImpact<S> substep_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                               const Motion<S>& motion_b, const VariantSettings<S>& settings = {});

/// If the solids overlap at the end, the time is halved until their gap is in [0, tolerance). What
/// does not overlap at the end is taken to be apart. The original never ends when they overlap
/// at the start; that is reported as `overlapping`.
template <class S>
TimeOfImpact<S> bisection_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                                 const Motion<S>& motion_b,
                                 const VariantSettings<S>& settings = {});

/// Looks at the start and at the end. A hit is one at the end, too late: t is 1, and the distance
/// there negative.
template <class S>
TimeOfImpact<S> static_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                              const Motion<S>& motion_b, const VariantSettings<S>& settings = {});

/// By name.
template <class S>
TimeOfImpact<S> time_of_impact_by(ImpactMethod method, const Shape<S>& a, const Motion<S>& motion_a,
                                  const Shape<S>& b, const Motion<S>& motion_b,
                                  const VariantSettings<S>& settings = {});

} // namespace rigor
