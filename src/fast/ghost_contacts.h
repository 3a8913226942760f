// Internal-edge (ghost) contacts between immovable shapes that lie side by side, see
// collide/internal_edges.h.
#pragma once

#include "fast/collision_shape_cache.h"
#include "fast/contact_pair.h"

namespace rigor::fast {

/// Part of the stage "update contacts".
///
/// Reads    the manifolds of convex pairs of which one responds to impulses and the other does not.
/// Writes   those that stem from an internal edge of the ground.
/// Order    serial, by shape of the mover.
void remove_ghost_contacts(const WorldState& state, const CollisionShapeCache& shapes,
                           PairStore& store);

} // namespace rigor::fast
