// Signed distance of any two shapes.
//
//     convex, convex     closed form, GJK or EPA (convex_distance.h)
// plane, any         the lowest point of the other over the plane
// mesh, height field by traversal to their triangles (surface_distance.h)
//     compound           the least over all pairs of children
//
// A plane is a half-space. Two of them that are not exactly opposite overlap without bound: their
// distance is minus infinity, the only result that is not finite.
#pragma once

#include "collide/distance_types.h"
#include "geometry/shape.h"

namespace rigor {

/// The signed distance of two shapes, optionally with a cache from the last query about them. All
/// in A's frame. distance(b, a) gives the mirrored result, to rounding; where several pairs of
/// points are equally near it may choose another one.
template <class S>
Distance<S> distance(const Shape<S>& a, const Shape<S>& b, const Pose<S>& b_in_a,
                     DistanceCache<S>* cache = nullptr);

/// How deep two shapes overlap, 0 where they do not: minus the signed distance. Of shapes that are
/// apart the distance is not measured, which of two meshes is most of the work.
template <class S>
S penetration(const Shape<S>& a, const Shape<S>& b, const Pose<S>& b_in_a);

} // namespace rigor
