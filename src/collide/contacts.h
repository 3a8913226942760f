// Contact manifolds of any two shapes.
//
//     convex, convex     one manifold (convex_contacts.h)
// plane, convex      one manifold: the lowest points over the plane
// mesh, height field one for each touched triangle (surface_contacts.h)
//     compound           those of all pairs of children
//
// Planes do not collide with planes. Two surfaces (mesh, height field) collide triangle by
// triangle.
#pragma once

#include <vector>

#include "collide/contact_types.h"
#include "geometry/shape.h"

namespace rigor {

/// The contact of one part of A with one part of B, and its cache.
template <class S>
struct PartContact {
    Manifold<S> manifold; ///< may have no points: then only the cache matters
    ContactMemory<S> memory;
};

/// All contacts of two shapes, in the order of their parts. On entry the list of the last query
/// about the same two shapes, or an empty one.
template <class S>
void find_contacts(const Shape<S>& a, const Shape<S>& b, const Pose<S>& b_in_a,
                   const ContactSettings<S>& wanted, std::vector<PartContact<S>>& contacts);

/// The direction of the edge of a contact: a unit vector, in the shape's frame. `point` is the
/// contact point there. Zero when the feature is no edge.
template <class S>
Vec3<S> edge_direction(const Shape<S>& shape, const ShapePart& part, Feature feature,
                       const Vec3<S>& point);

/// How far a part of a shape reaches along a unit vector, in the shape's frame. `feature` is that
/// of a contact there. Minus infinity for what is not convex.
template <class S>
S reach(const Shape<S>& shape, const ShapePart& part, Feature feature, const Vec3<S>& direction);

} // namespace rigor
