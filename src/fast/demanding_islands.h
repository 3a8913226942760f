// Demanding islands: small islands, as with large mass ratios, that need more than one sweep per
// substep.
//
// In these a heavy body rests on a far lighter one; or bodies are piled up in three or more stories
// and not right above each other (overhangs, arches, houses of cards); or frictionless bodies hold
// each other; or a body rests on three or more others that are immovable. Their contacts are solved
// to convergence (contact_newton.h) in the same substeps.
//
// What decides are the masses, places, friction and speeds at the beginning of a step, so there is
// nothing to remember.
#pragma once

#include "base/disjoint_sets.h"
#include "fast/contact_newton.h"

namespace rigor::fast {

struct StepData;

/// Where a contact constraint is among the blocks.
struct BlockLane {
    std::uint32_t block = 0, lane = 0;
};

struct DemandingIsland {
    std::vector<std::uint32_t> contacts; ///< constraints
    std::vector<std::uint32_t> bodies;   ///< solver bodies; neighbors are near each other
    std::vector<BlockLane> lanes;        ///< of the contacts
    ContactNewton newton;
    int unsolved = 0; ///< substeps of this step in which Newton's method did not converge
};

/// Scratch of a step.
struct DemandingIslands {
    static constexpr std::uint32_t kNone = UINT32_MAX;

    std::vector<DemandingIsland> islands; ///< the first `count` are of this step
    std::size_t count = 0;
    std::vector<std::uint32_t> of_contact; ///< the island of each constraint, or kNone
    std::vector<std::uint32_t> number_of;  ///< by solver body: its number in its island

    DisjointSets sets;                  ///< of solver bodies
    std::vector<std::uint8_t> traits;   ///< of the roots
    std::vector<std::uint16_t> sizes;   ///< of the roots, bodies
    std::vector<std::uint32_t> of_root; ///< candidates
};

/// Part of the stage "prepare constraints".
///
/// Reads    contact constraints, solver bodies.
/// Writes   scratch.demanding.
/// Order    serial; islands in the order of their first bodies.
void find_demanding_islands(StepData& step);

} // namespace rigor::fast
