// Where two convex solids touch.
//
// First the direction in which they are nearest: by separating axes for two polyhedra that
// overlap, by GJK where cores are apart, by EPA where curved ones overlap. A face that looks this
// way becomes the reference, the other solid's face is laid over it, and four points of the
// overlap are kept. Without such a face two edges cross, or run in parallel, or a vertex touches.
#pragma once

#include "collide/contact_types.h"
#include "collide/core.h"

namespace rigor {

/// On entry `manifold` and `memory` are those of the last time, or empty; on return those of now.
/// No points are left when the solids are farther apart than the margin.
///
/// Swapping A and B mirrors the manifold, to rounding, as long as nothing is remembered and no two
/// axes are equally good.
template <class S>
void convex_contacts(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                     const ContactSettings<S>& wanted, ContactMemory<S>& memory,
                     Manifold<S>& manifold);

/// Contact along a given normal only: what is left of B over A's face that looks that way, or, when
/// there is none, of A over B's. For those who know the surface better than one of its parts does.
template <class S>
void contacts_along(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                    const Vec3<S>& normal, const ContactSettings<S>& wanted, Manifold<S>& manifold);

/// Contact with a half-space, which is A, in A's frame.
template <class S>
void plane_contacts(const Plane<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                    const ContactSettings<S>& wanted, Manifold<S>& manifold);

} // namespace rigor
