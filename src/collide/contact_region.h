// Contact region: all vertices of the polygon in which two shapes touch, not reduced to four.
//
// A manifold keeps four points, which is enough for a solver that iterates. Forces at the vertices
// of the whole region can represent every pressure on it [Baber 2006, figure 17], and Contacts(A,
// B) of [Galoppo 2007] is all nearest features. The normal, the reference face and the points are
// those of the manifold: a region with at most four vertices is the manifold itself, bit for bit.
#pragma once

#include <vector>

#include "collide/contacts.h"

namespace rigor {

/// Points and normal are in A's frame, as in Manifold.
template <class S>
struct ContactRegion {
    Vec3<S> normal; ///< unit, from A to B
    std::vector<ContactPoint<S>> points;
    ShapePart part_a, part_b;
};

/// All contact regions of two shapes, in the order of their parts: one for two convex solids, one
/// for each touched triangle of a mesh or height field, those of all pairs of children of
/// compounds. Without points farther apart than the margin. Points are sorted counterclockwise
/// about the normal: the vertices of a convex region are in order.
template <class S>
std::vector<ContactRegion<S>> contact_regions(const Shape<S>& a, const Shape<S>& b,
                                              const Pose<S>& b_in_a,
                                              const ContactSettings<S>& wanted);

/// The region of a manifold that find_contacts() gave for the same shapes, pose and settings; with
/// up to four points they are those of the manifold in its order. The face is clipped once more
/// when the manifold may have been reduced: three or four points.
template <class S>
ContactRegion<S> region_of(const Manifold<S>& manifold, const Shape<S>& a, const Shape<S>& b,
                           const Pose<S>& b_in_a, const ContactSettings<S>& wanted);

} // namespace rigor
