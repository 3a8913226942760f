// Internal edges: ghost contacts where a solid slides from one part of a floor to the next.
//
// A box on a floor of tiles sinks in by a hair, and so touches the side of the next tile by a hair
// too. Looked at alone, the shortest way out of that is backward, and the box bumps into an edge
// that is not there. The tile before tells better: its face goes on in the face of the next one, so
// the normal of both is the same.
#pragma once

#include <optional>
#include <span>

#include "collide/convex_contacts.h"

namespace rigor {

/// Which of the two solids of a manifold is the one that moves about; the other is its neighbor.
enum class Mover : std::uint8_t { a, b };

/// A face that the mover lies on.
template <class S>
struct Ground {
    Vec3<S> up; ///< outward normal of the face
    S level{};  ///< of the face along it
    S depth{};  ///< by which the mover is sunk in
};

/// Nothing when the mover touches no face of its neighbor.
template <class S>
std::optional<Ground<S>> ground_of(const Manifold<S>& manifold, Mover mover);

/// Whether a neighbor is touched only at the rim of a face that goes on the one the mover lies on:
/// across another normal, no deeper than the mover is sunk in anyway, and with the neighbor's
/// highest point at the same level. `neighbor_in_a` is where it stands in the frame of A.
template <class S>
bool is_internal_edge(const Manifold<S>& manifold, Mover mover, const Core<S>& neighbor,
                      const Pose<S>& neighbor_in_a, const Ground<S>& ground, S tolerance);

/// One part of the surroundings of a convex solid A.
template <class S>
struct Neighbor {
    const Core<S>* core = nullptr;
    Pose<S> pose;                    ///< in A's frame
    Manifold<S>* manifold = nullptr; ///< of A with it, which is B
};

/// Makes the manifolds of one solid with all its neighbors agree: contacts at seams are made again
/// along the normal of the ground. They may end up without points.
///
/// Quadratic in the number of neighbors, and nearly free when all normals are the same.
template <class S>
void correct_internal_edges(const Core<S>& a, std::span<const Neighbor<S>> neighbors,
                            const ContactSettings<S>& wanted);

} // namespace rigor
