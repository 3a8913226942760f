// Contact manifold of two convex solids.
//
// First the direction of least separation or penetration: by separating axes (SAT) for two
// polyhedra (boxes, hulls, triangles) that overlap, by GJK where cores are apart, by EPA where
// curved ones overlap. A face along that direction becomes the reference, the other solid's face is
// clipped against it, and four points are kept. Without such a face there are two crossing or
// parallel edges, or a vertex.
#pragma once

#include "collide/contact_types.h"
#include "collide/core.h"

namespace rigor {

/// On entry `manifold` and `memory` are those of the last query, or empty; on return those of now.
/// There are no points when the solids are farther apart than the margin.
///
/// Swapping A and B mirrors the manifold, to rounding, as long as the cache is empty and no two
/// axes are equally good.
template <class S>
void convex_contacts(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                     const ContactSettings<S>& wanted, ContactMemory<S>& memory,
                     Manifold<S>& manifold);

/// Contact along a given normal only: B clipped against A's face along the normal, or, when there
/// is none, A against B's. For callers that know the normal of the whole surface.
template <class S>
void contacts_along(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                    const Vec3<S>& normal, const ContactSettings<S>& wanted, Manifold<S>& manifold);

/// Contact with a half-space, which is A, in A's frame.
template <class S>
void plane_contacts(const Plane<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                    const ContactSettings<S>& wanted, Manifold<S>& manifold);

} // namespace rigor
