// Adapter between joint blocks and the direct solver (system_kernels.h): passes residuals of
// velocities or positions to it, and impulses back.
#pragma once

#include "fast/joint_kernels.h"

namespace rigor::fast {

/// The rates that the equality rows should lose. Six columns for each block.
template <int W>
void find_residuals(const JointBlock<W>* blocks, std::size_t count, const SolverBody* bodies,
                    const JointSolveSettings& settings, Column<W>* rows);
/// The same for positions: the errors at the displacements `ahead`, those at the end of the
/// substep, as rates. `largest` becomes the largest of each lane, as the square of an angle, and
/// `grown` the same but for what would be left of old errors: a loop need not fit at all. It is
/// null for trees.
template <int W>
void find_errors_ahead(const JointBlock<W>* blocks, std::size_t count, const SolverBody* ahead,
                       const JointSolveSettings& settings, Column<W>* rows, Column<W>& largest,
                       Column<W>* grown);
/// The impulses that do it, in the lanes that are chosen: 1, else 0.
template <int W>
void subtract_impulses(JointBlock<W>* blocks, std::size_t count, SolverBody* bodies,
                       const Column<W>* rows, const Column<W>& chosen);

/// Solves degree of freedom i of a block. `change` becomes that of its impulses, along its row.
template <int W>
void solve_dof(JointBlock<W>& block, std::size_t i, SolverBody* bodies,
               const JointSolveSettings& settings, Column<W>& change);
/// Sets the velocities of `bodies` to those by a unit impulse along degree of freedom i. Those of
/// all bodies of its system must be zero.
template <int W>
void push_dof(const JointBlock<W>& block, std::size_t i, SolverBody* bodies);
/// The rate of degree of freedom i.
template <int W>
Column<W> rate_of_dof(const JointBlock<W>& block, std::size_t i, const SolverBody* bodies);

template <int W>
Column<W> all_lanes() {
    Column<W> ones;
    ones.fill(1);
    return ones;
}

/// From the squared errors ahead, in `lanes`, to which lanes go on: 1, else 0. They do until they
/// fit, or come no closer; those that end without a fit, in which errors have `grown`, set
/// `has_failed`. `last` are the errors of the iteration before, 0 of lanes that ended. Returns
/// whether any goes on. A joint alone, whose matrix is small, is made to fit as well as it can be.
template <int W>
bool choose_lanes(int iteration, bool is_single, Column<W>& lanes, const Column<W>& grown,
                  Column<W>& last, bool& has_failed) {
    constexpr int kMaxIterations = 12;
    constexpr float kAllFit = 1e-6f * 1e-6f, kFails = 1e-5f * 1e-5f; // rad²: roundoff
    constexpr float kOneFits = 2e-8f * 2e-8f;
    const float fits = is_single ? kOneFits : kAllFit;
    bool any = false;
    for (std::size_t i = 0; i < W; ++i) {
        const float error = lanes[i];
        const bool comes_closer = error < 0.25f * last[i] && iteration < kMaxIterations;
        const bool goes_on = error > fits && comes_closer;
        if (last[i] > 0 && !comes_closer && !(grown[i] < kFails)) has_failed = true;
        last[i] = goes_on ? error : 0;
        lanes[i] = goes_on ? 1 : 0;
        any = any || goes_on;
    }
    return any;
}

} // namespace rigor::fast
