// Joint solver kernels in lanes: rows, warm start, motors, friction, limits. The blocks of one call
// share no body that responds to impulses.
#pragma once

#include <cstddef>

#include "dynamics/joints/row.h"
#include "fast/joint_block.h"

namespace rigor::fast {

struct JointSolveSettings {
    float inv_h = 0;       ///< of a substep
    bool use_bias = false; ///< correct errors; else solve velocities only (relax)
    bool is_held = false;  ///< before the motion without bias: to find how a system responds
    bool is_loop = false;  ///< of the system that is solved: see EliminationPlan::has_loop
    float correction = 1;  ///< part of an error that a direct solution removes in a substep
};

/// Copies the inertia of turning bodies as it is now.
template <int W>
void update_inertia(JointBlock<W>* blocks, std::size_t count, const SolverMass* masses);

/// Updates rows and effective masses to where the bodies are now. `moved_for` is the time since the
/// last update.
template <int W>
void update_rows(JointBlock<W>* blocks, std::size_t count, const SolverBody* bodies,
                 float moved_for);

/// Sets rows that are computed elsewhere: of a track.
void set_rows(JointBlock<1>& block, const JointRow<float>* rows, float moved_for);

/// Computes by how much the curvature of the anchors' paths will change each error in the coming
/// substep: at its beginning, when velocities are still those that the joints allowed.
template <int W>
void predict_drift(JointBlock<W>* blocks, std::size_t count, const SolverBody* bodies,
                   const SolverBody* end_of_substep, float h);

/// Applies the impulses of the last substep, or the first half of them; and the second half, which
/// for springs is that of this substep.
template <int W>
void warm_start(JointBlock<W>* blocks, std::size_t count, SolverBody* bodies);
template <int W>
void warm_start_second_half(JointBlock<W>* blocks, std::size_t count, SolverBody* bodies);

/// One iteration.
template <int W>
void solve(JointBlock<W>* blocks, std::size_t count, SolverBody* bodies,
           const JointSolveSettings& settings);

/// Adds the work of a substep, whose ends `bodies` and `end_of_last` are, and forgets its impulses.
template <int W>
void accumulate_work(JointBlock<W>* blocks, std::size_t count, const SolverBody* bodies,
                     const SolverBody* end_of_last);

} // namespace rigor::fast
