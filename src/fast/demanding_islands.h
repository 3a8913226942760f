// Demanding islands: small islands, as with large mass ratios, that need more than one sweep per
// substep.
//
// In these a heavy body rests on a far lighter one; or bodies are stacked in three or more layers
// that are not vertically aligned (overhangs, arches, houses of cards); or frictionless bodies
// support each other; or a body rests on three or more immovable ones; or bodies hang from each
// other, as the rings of a chain. Their contacts are solved to
// convergence (contact_newton.h) in the same substeps.
//
// The selection depends on masses, positions, friction and velocities at the beginning of a step
// alone, so there is no state to keep.
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
    std::vector<std::uint16_t> traits;  ///< of the roots
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
