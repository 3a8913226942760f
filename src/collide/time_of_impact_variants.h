// Time of impact by other methods from the literature, for comparison. All use distance() of whole
// shapes.
#pragma once

#include "collide/swept_volumes.h"
#include "collide/time_of_impact.h"

namespace rigor {

enum class ImpactMethod : std::uint8_t {
    advancement, ///< time_of_impact
    substep,     ///< [Kavan 2003, 3.2 and 3.3]
    bisection,   ///< findCollisionTime of [Galoppo 2007]
    static_only  ///< tests the ends of the motion only
};

template <class S>
struct VariantSettings {
    /// For advancement and bisection: the gap to stop at.
    S tolerance = S(1e-4);
    /// For substep: the depth epsilon that a step may miss, which should be less than the thickness
    /// of the thinnest solid.
    S depth = S(1e-3);
    /// For substep, epsilon_t: the accuracy of the time of contact, as a fraction of the motion.
    S time_precision = S(1e-6);
    /// For substep: the swept volumes that skip steps in which nothing can meet. The answer is the
    /// same with all of them, and with none.
    SweptVolume volume = SweptVolume::oriented_box;
    int max_steps = 100'000;
};

/// Steps of at most depth/(v_A + v_B), with v the bound on surface speed from the vertices
/// (surface_speed.h), and an overlap test at the end of each; then bisection between the last two,
/// which ends at the time without collision. A contact less deep than `depth` can be missed.
/// Intervals of several steps in which the swept volumes of the two do not overlap are skipped.
template <class S>
TimeOfImpact<S> substep_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                               const Motion<S>& motion_b, const VariantSettings<S>& settings = {});

/// If the solids overlap at the end, the time is bisected until their gap is in [0, tolerance).
/// Solids that do not overlap at the end are taken to be apart. The original never ends when they
/// overlap at the start; that is reported as `overlapping`.
template <class S>
TimeOfImpact<S> bisection_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                                 const Motion<S>& motion_b,
                                 const VariantSettings<S>& settings = {});

/// Tests the start and the end. A hit is detected at the end, too late: t is 1, and the distance
/// there negative.
template <class S>
TimeOfImpact<S> static_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                              const Motion<S>& motion_b, const VariantSettings<S>& settings = {});

/// Dispatch by method.
template <class S>
TimeOfImpact<S> time_of_impact_by(ImpactMethod method, const Shape<S>& a, const Motion<S>& motion_a,
                                  const Shape<S>& b, const Motion<S>& motion_b,
                                  const VariantSettings<S>& settings = {});

} // namespace rigor
