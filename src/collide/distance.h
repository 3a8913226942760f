// How far any two shapes are apart.
//
//     convex, convex     closed form, GJK or EPA (convex_distance.h)
//     plane, any         the lowest point of the other over the plane
//     mesh, height field by descent to their triangles (surface_distance.h)
//     compound           the least over all pairs of children
//
// A plane is a half-space. Two of them that do not face each other exactly overlap without end:
// their distance is minus infinity, the only answer that is not finite.
#pragma once

#include "collide/distance_types.h"
#include "geometry/shape.h"

namespace rigor {

/// The signed distance of two shapes, with a cache from the last query about them if wished. All
/// in A's frame. distance(b, a) gives the mirrored answer, to rounding; where several pairs of
/// points are equally near it may choose another one.
template <class S>
Distance<S> distance(const Shape<S>& a, const Shape<S>& b, const Pose<S>& b_in_a,
                     DistanceCache<S>* cache = nullptr);

} // namespace rigor
