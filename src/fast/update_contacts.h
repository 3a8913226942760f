// Narrowphase: the manifolds of all pairs, with speculative contacts within a margin.
#pragma once

#include "base/thread_team.h"
#include "fast/collision_shape_cache.h"
#include "fast/contact_pair.h"

namespace rigor::fast {

/// The stage "update contacts".
///
/// Reads    where shapes are.
/// Writes   the manifolds of each pair, with the impulses of points that are still there. Pairs
///          whose bounds no longer overlap are removed.
/// Order    pairs are independent and may run on any worker; manifolds are added and removed
///          serially, in the order of the pairs.
void update_contacts(const WorldState& state, const CollisionShapeCache& shapes, ThreadTeam& team,
                     double dt, PairStore& store);

} // namespace rigor::fast
