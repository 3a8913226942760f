// Upper bound of the speed of a solid's points from its vertices [Kavan 2003, lemma in 3.1].
//
// A point r from the center of a solid that moves at v and rotates at w has the speed
//
//     |v + w x r| <= |v| + |w x r| .
//
// |w x r| = |w| p, where p is the distance of the point from the axis through the center. It is
// convex in r: the distance from a line of a convex combination of points is at most the combined
// distances. So its maximum over a polyhedron is at a vertex, and over a ball around a point it is
// the distance of that point plus the radius. While the solid rotates about the axis no point
// changes its distance from it: the bound of the first instant holds for the whole motion.
//
// The bounding radius, the largest |r|, is at least as large. It is much larger for what spins
// about its long axis.
#pragma once

#include "geometry/shape.h"

namespace rigor {

/// The largest distance of points of a solid from the line through `center` along `axis`, a unit;
/// in the solid's frame. Exact to rounding, and never less than the true one. Of a height field the
/// surface counts; a plane has no largest distance: infinity.
template <class S>
S axis_radius(const Shape<S>& shape, const Vec3<S>& center, const Vec3<S>& axis);

/// The bound of the lemma for a motion, in meters per motion: |displacement| + max |rotation x r|.
template <class S>
S surface_speed(const Shape<S>& shape, const Motion<S>& motion);

} // namespace rigor
