// The stages that find out what touches.
#pragma once

#include "base/thread_team.h"
#include "fast/contact_pair.h"
#include "fast/near_shape.h"

namespace rigor::fast {

/// Of the smaller of two shapes: differences of depth that do not matter.
inline constexpr float kTolerance = 1e-3f;

/// The stage "pairs".
///
/// Reads    the proxies that moved out of their boxes since the last time.
/// Writes   new pairs into the store; shapes in single precision.
void find_new_pairs(const WorldState& state, ShapeProxies& proxies, ThreadTeam& team,
                    const ContactHooks& hooks, NearShapes& shapes, PairStore& store,
                    std::vector<ProxyPair>& found);

/// The stage "contacts".
///
/// Reads    where shapes are.
/// Writes   each pair's manifolds, with the impulses of the points that are still there. Pairs
/// whose
///          boxes no longer overlap are removed, in order.
/// Order    pairs do not see each other; blocks may run in any order on any worker.
void update_contacts(const WorldState& state, const NearShapes& shapes, ThreadTeam& team, double dt,
                     PairStore& store);

/// Before a body is removed.
void forget_pairs_of(const WorldState& state, std::uint32_t body, PairStore& store);
/// When two bodies no longer meet each other.
void forget_pairs_between(const WorldState& state, std::uint32_t body_a, std::uint32_t body_b,
                          PairStore& store);

} // namespace rigor::fast
