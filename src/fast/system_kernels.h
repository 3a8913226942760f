// Systems of joints solved directly: the equality rows of all joints of a group at once.
//
// The matrix J M⁻¹ Jᵀ of a group is factored L D Lᵀ block by block, in double: masses may differ by
// a factor of 10⁶, and rows may be redundant. W groups of one plan are solved side by side, in
// blocks of which each has the same joint of every group.
#pragma once

#include "fast/elimination_plan.h"
#include "fast/joint_block.h"

namespace rigor::fast {

/// How many doubles W systems of a plan need.
template <int W>
std::size_t values_needed(const EliminationPlan& plan) {
    return std::size_t{plan.value_count} * (W == 8 ? 8 : 4);
}

/// Factors the matrix of the rows as they are now. `blocks` are the joints in the order of the
/// plan.
template <int W>
void factor_system(const EliminationPlan& plan, const JointBlock<W>* blocks, double* values);

/// From the residuals of all rows to the impulses that make them vanish, with the opposite sign.
/// Six columns for each joint.
template <int W>
void solve_system(const EliminationPlan& plan, double* values, Column<W>* rows);

} // namespace rigor::fast
