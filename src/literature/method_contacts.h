// Pairs and contacts of a step.
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

/// Finds the pairs of shapes that may touch within the rest of the step. Those found before are
/// kept as long as no body can get farther than they allow for.
///
/// Reads    the motion of the island, and the external forces.
/// Writes   the pairs of the island, and how far they allow bodies to move; where pairs are found
///          anew the motion of the bodies in the world, where the pair prediction reads it.
/// Order    pairs are sorted by shape, whatever the number of threads.
void find_pairs(const MethodParts& method, double time_left, ThreadTeam& team, WorldState& state,
                MethodState& step);

/// Detects all contacts of these pairs.
///
/// Reads    the pairs and the motion of the island.
/// Writes   the contacts of the step; interactions in the outcome, if island ledgers are kept.
/// Order    by pair, and within a pair as its manifold lists them.
void find_contacts(const WorldState& state, const MethodParts& method, MethodState& step);

} // namespace rigor::literature
