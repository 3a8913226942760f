// Internal edges: ghost contacts where a solid slides from one part of a floor to the next.
//
// A box on a floor of tiles penetrates slightly, and so also touches the side of the next tile.
// Taken alone, the minimum translation out of that tile is backward, and the box collides with an
// internal edge. The previous tile shows this: its face continues in the face of the next one, so
// both have the same normal.
#pragma once

#include <optional>
#include <span>

#include "collide/convex_contacts.h"

namespace rigor {

/// Which of the two solids of a manifold is the moving one; the other is its neighbor.
enum class Mover : std::uint8_t { a, b };

/// A face that supports the mover.
template <class S>
struct Ground {
    Vec3<S> up; ///< outward normal of the face
    S level{};  ///< of the face along it
    S depth{};  ///< penetration of the mover
};

/// Nothing when the mover touches no face of its neighbor.
template <class S>
std::optional<Ground<S>> ground_of(const Manifold<S>& manifold, Mover mover);

/// Whether the contact with a neighbor is at an internal edge: with another normal than the ground,
/// no deeper than the mover's penetration of the ground, and with the neighbor's highest point at
/// the same level. `neighbor_in_a` is its pose in the frame of A.
template <class S>
bool is_internal_edge(const Manifold<S>& manifold, Mover mover, const Core<S>& neighbor,
                      const Pose<S>& neighbor_in_a, const Ground<S>& ground, S tolerance);

/// One neighbor of a convex solid A.
template <class S>
struct Neighbor {
    const Core<S>* core = nullptr;
    Pose<S> pose;                    ///< in A's frame
    Manifold<S>* manifold = nullptr; ///< of A with it, which is B
};

/// Corrects the manifolds of one solid with all its neighbors: contacts at internal edges are
/// rebuilt along the normal of the ground. They may end up without points.
///
/// Quadratic in the number of neighbors, and nearly free when all normals are the same.
template <class S>
void correct_internal_edges(const Core<S>& a, std::span<const Neighbor<S>> neighbors,
                            const ContactSettings<S>& wanted);

} // namespace rigor
