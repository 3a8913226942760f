// Joint systems: groups of joints for the direct solver, and equal ones side by side in lanes.
//
// One sweep over the joints of a group in a substep leaves an error that grows with the length of a
// chain, with ratios of masses, and around loops. A direct solution leaves none.
#pragma once

#include <cstdint>
#include <vector>

#include "fast/elimination_plan.h"

namespace rigor::fast {

struct Scratch;
struct StepData;

struct JointSystems {
    /// Up to W groups of one plan, in a part. Each of their joints is a color, and a block.
    struct Bundle {
        std::uint32_t plan = 0, groups = 0;
        std::uint32_t first_color = 0; ///< in the part
        std::uint32_t first_block = 0;
        std::size_t values = 0, rows = 0;             ///< where they begin
        std::uint32_t gears_begin = 0, gears_end = 0; ///< of its group, if it has any the only one
    };
    static constexpr std::uint32_t kNone = UINT32_MAX;

    std::vector<EliminationPlan> plans;  ///< kept from step to step, as they depend on nothing else
    std::vector<std::uint64_t> hashes;   ///< of their joints
    std::vector<Bundle> bundles;         ///< part by part
    std::vector<std::uint32_t> colors;   ///< by joint constraint, in its part; kNone: is not direct
    std::vector<std::uint32_t> sequence; ///< joint constraints, group by group
    std::vector<double> values;

    std::vector<std::uint32_t> number_of_, group_begins_, open_, common_; // scratch of the search
    std::vector<LinkedJoint> joints_;
};

/// Part of the stage "prepare constraints", after the parts are known.
///
/// Reads    joint constraints and their parts.
/// Writes   the systems, and how many bundles and colors they are in each part.
/// Order    serial, by group.
void find_systems(StepData& step, std::uint32_t width);

} // namespace rigor::fast
