// Removal of pairs from the store.
#pragma once

#include "fast/contact_pair.h"

namespace rigor::fast {

/// The key of a pair that is to be removed.
inline constexpr std::uint64_t kRemovedPair = ~std::uint64_t(0);

/// Removes all pairs with this key, in order. What touched is added to PairStore::ended.
void drop_removed_pairs(const WorldState& state, PairStore& store);

/// Before a body is removed.
void forget_pairs_of(const WorldState& state, std::uint32_t body, PairStore& store);
/// When two bodies no longer collide with each other.
void forget_pairs_between(const WorldState& state, std::uint32_t body_a, std::uint32_t body_b,
                          PairStore& store);

} // namespace rigor::fast
