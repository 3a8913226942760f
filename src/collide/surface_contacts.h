// Contacts of a triangle surface (mesh or height field) with convex solids.
//
// Each triangle near the solid makes its own manifold. A triangle alone does not know that its edge
// is an internal edge of the surface: a sliding box would get ghost contacts. So a normal must be
// one that the surface has there. At a convex edge it lies between the normals of the two
// triangles; where it leans over a flat or concave edge, the contact is rebuilt along the
// triangle's own normal; where it leans beyond the neighbor's normal, it belongs to the neighbor.
//
// Closed meshes and height fields are solid and collide on their outer side only. Open meshes are
// sheets, and collide on the side of the other solid's center.
#pragma once

#include <vector>

#include "collide/convex_contacts.h"
#include "geometry/height_field.h"
#include "geometry/mesh.h"

namespace rigor {

/// Adds the manifolds of the surface, which is A, in ascending order of its triangles. `part_a` of
/// a manifold is its triangle.
template <class S>
void surface_contacts(const TriangleMesh<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                      const ContactSettings<S>& wanted, std::vector<Manifold<S>>& out);
template <class S>
void surface_contacts(const HeightField<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                      const ContactSettings<S>& wanted, std::vector<Manifold<S>>& out);

} // namespace rigor
