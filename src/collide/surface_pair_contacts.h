// Contacts of two triangle surfaces (meshes, height fields), of which one at least is a solid.
//
// The contacts are those of features that can touch: a vertex of one over a face of the other, and
// two convex edges that cross. The normal is that of the face, or across both edges, and it must be
// one that both surfaces have there: all edges at the vertex lead away from the face, and both
// triangles at an edge lie behind it. So neither internal edges nor dents make contacts.
//
// Where the solids overlap, a feature may be meters behind a face that has nothing to do with the
// contact: the corner of a box that stands on a cliff is far behind the wall of the cliff. Such a
// contact is gone as soon as B is moved out of a shallower one at the same place (here up), and is
// dropped; in a dent, between two walls, it is not. It is dropped too where the overlap around it
// is thin compared with the depth claimed.
//
// Contacts with nearly the same normal make a manifold. With exact features all of them count; else
// four of each manifold.
#pragma once

#include <vector>

#include "collide/manifold_groups.h"
#include "collide/surface_features.h"

namespace rigor {

template <class S, class SurfaceA, class SurfaceB>
void surface_pair_contacts(const SurfaceA& a, const SurfaceB& b, const Pose<S>& b_in_a,
                           const ContactSettings<S>& wanted, std::vector<Manifold<S>>& out);

} // namespace rigor
