// Filling of constraint blocks: makes the BlockPlan, then writes each constraint to its lane.
#pragma once

#include "fast/step_data.h"

namespace rigor::fast {

inline constexpr std::size_t kBlockGrain = 16; // blocks per task

/// Calls visit(index, plan) for all blocks, several at a time.
template <class Visit>
void for_blocks(ThreadTeam& team, const BlockPlan& plan, const Visit& visit) {
    team.parallel_for(plan.blocks.size(), kBlockGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) visit(i, plan.blocks[i]);
    });
}

/// The manifolds of a block that will be filled, or read back, soon.
void prefetch_contacts(const Scratch& scratch, std::size_t block);

/// Part of the stage "prepare constraints".
///
/// Reads    contact and joint constraints, solver bodies.
/// Writes   the block plans, and every lane of every block.
/// Order    colors are greedy, in the order of the constraints; then blocks are independent.
template <int W>
void fill_contact_blocks(StepData& step);
template <int W>
void fill_joint_blocks(StepData& step);
/// The joints and contacts of one part anew, when its substeps have another length.
template <int W>
void fill_blocks_of(StepData& step, const SolverPart& part);

} // namespace rigor::fast
