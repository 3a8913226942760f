// When two moving solids first meet.
//
// Conservative advancement [Mirtich 1996b]: between two solids that are apart there is a plane. As
// long as it keeps them apart they cannot meet, and how long it does is a question about two
// supporting points, answered with bounds that are proved (time_of_impact_convex.h). At the end of
// that time the distance is measured anew, which gives the next plane. Time never passes an
// impact, because it never passes what was proved.
//
//     convex, convex     as above
//     plane, any         the height over the plane, bounded in the same way
//     mesh, height field triangle by triangle, those that the swept box meets
//     compound           the earliest over all pairs of children
//
// Open meshes, and the triangles of all surfaces, have no thickness and are hit from both sides.
#pragma once

#include "collide/distance_types.h"
#include "geometry/motion_bounds.h"
#include "geometry/shape.h"

namespace rigor {

enum class ToiStatus : std::uint8_t {
    apart,      ///< they do not meet; t is 1
    hit,        ///< they meet after t
    overlapping ///< they overlap, or touch to within rounding, before anything moves; t is 0
};

/// The fraction t of the motion is safe: up to and at t the solids are apart, unless they were
/// overlapping at the start.
template <class S>
struct TimeOfImpact {
    ToiStatus state = ToiStatus::apart;
    S t = S(1);
    /// At t, in A's frame at t, as distance() has it; nothing when apart. Of a hit it is the gap
    /// of the two parts that meet, in (0, tolerance].
    Distance<S> distance;
    /// The one that was kept: the one asked for, or what rounding allows, or three quarters of the
    /// gap at the start when the solids start nearer than that.
    S tolerance{};
    int iterations = 0; ///< distances measured
    /// False: the iterations ran out, or rounding allows no more. t is the last safe time, the gap
    /// may be more than the tolerance, and what comes after t is not known. A motion that is not
    /// finite is not safe at all: t is 0.
    bool converged = true;
};

template <class S>
struct ImpactSettings {
    /// The gap to stop at, in meters. Motions whose least gap is more never hit, motions whose
    /// least gap is less than half of it always do. Raised to what rounding can tell.
    S tolerance = S(1e-4);
    int max_iterations = 200; ///< distances measured for one pair of convex parts
};

/// Swapping A and B gives the mirrored answer, to within the tolerance. Solids that start within
/// the tolerance are judged by their own gap: they hit when it shrinks, and leave or slide freely
/// when it does not.
template <class S>
TimeOfImpact<S> time_of_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                               const Motion<S>& motion_b, const ImpactSettings<S>& settings = {},
                               DistanceCache<S>* cache = nullptr);

} // namespace rigor
