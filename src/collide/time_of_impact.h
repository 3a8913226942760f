// Time of impact of two moving solids, by conservative advancement.
//
// Conservative advancement [Mirtich 1996b]: two separated solids have a separating plane. They
// cannot collide as long as it separates them, and that time follows from two support points, with
// proven bounds (time_of_impact_convex.h). At its end the distance is computed again, which gives
// the next plane. Time never passes an impact, because it never passes what is proved.
//
//     convex, convex     as above
//     plane, any         the height over the plane, bounded in the same way
// mesh, height field triangle by triangle, those in the swept box
//     compound           the earliest over all pairs of children
//
// Open meshes, and the triangles of all surfaces, have no thickness and are hit from both sides.
#pragma once

#include "collide/distance_types.h"
#include "geometry/motion_bounds.h"
#include "geometry/shape.h"

namespace rigor {

enum class ToiStatus : std::uint8_t {
    apart,      ///< they do not collide; t is 1
    hit,        ///< they collide after t
    overlapping ///< they overlap, or touch to within rounding, at the start; t is 0
};

/// The fraction t of the motion is safe: up to and at t the solids are separated, unless they were
/// overlapping at the start.
template <class S>
struct TimeOfImpact {
    ToiStatus state = ToiStatus::apart;
    S t = S(1);
    /// At t, in A's frame at t, as by distance(); nothing when apart. For a hit it is the gap of
    /// the two parts that collide, in (0, tolerance].
    Distance<S> distance;
    /// The tolerance used: the one requested, or the rounding error, or three quarters of the gap
    /// at the start when the solids start nearer than that.
    S tolerance{};
    int iterations = 0; ///< distance queries
    /// False: the iterations ran out, or rounding prevents convergence. t is the last safe time,
    /// the gap may exceed the tolerance, and the motion after t is unknown. For a non-finite motion
    /// t is 0.
    bool converged = true;
};

template <class S>
struct ImpactSettings {
    /// The gap to stop at, in meters. Motions whose least gap is larger never hit, motions whose
    /// least gap is less than half of it always do. Raised to the rounding error.
    S tolerance = S(1e-4);
    int max_iterations = 200; ///< distance queries for one pair of convex parts
};

/// Swapping A and B gives the mirrored result, to within the tolerance. Solids that start within
/// the tolerance use their initial gap: they hit when it shrinks, and separate or slide freely when
/// it does not.
template <class S>
TimeOfImpact<S> time_of_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                               const Motion<S>& motion_b, const ImpactSettings<S>& settings = {},
                               DistanceCache<S>* cache = nullptr);

} // namespace rigor
