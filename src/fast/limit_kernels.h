// Active set of joint limits, for systems that have limits as rows (limit_rows.h).
#pragma once

#include "fast/joint_kernels.h"

namespace rigor::fast {

/// Chooses the limits that act by the velocities. `changed` becomes positive in lanes in which
/// others act than before: then the system must be factored again.
template <int W>
void choose_limits(JointBlock<W>* blocks, std::size_t count, const SolverBody* bodies,
                   const JointSolveSettings& settings, Column<W>& changed);
/// As find_residuals() for the limits, in the rows after the equality rows.
template <int W>
void find_limit_residuals(const JointBlock<W>* blocks, std::size_t count, const SolverBody* bodies,
                          const JointSolveSettings& settings, Column<W>* rows);
/// As find_errors_ahead() for the limits, which are chosen by where the displacements `ahead` lead.
/// `changed` becomes positive in lanes in which others act than before.
template <int W>
void find_limit_errors_ahead(JointBlock<W>* blocks, std::size_t count, const SolverBody* ahead,
                             const JointSolveSettings& settings, Column<W>* rows,
                             Column<W>& largest, Column<W>& changed);

/// How far a limit is from where it acts, as rates: negative below the lower one, positive above
/// the upper one; what each should lose if it acts; the impulse that it may take back; and the
/// angle that a rate is.
template <int W>
struct LimitGap {
    Column<W> below, above, lower_rate, upper_rate, open, angle;
};
/// Of all limits, six for each block: by the velocities, or by where the displacements `ahead`
/// lead.
template <int W>
void measure_limit_rates(const JointBlock<W>* blocks, std::size_t count, const SolverBody* bodies,
                         const JointSolveSettings& settings, LimitGap<W>* gaps);
template <int W>
void measure_limits_ahead(const JointBlock<W>* blocks, std::size_t count, const SolverBody* ahead,
                          const JointSolveSettings& settings, LimitGap<W>* gaps);

/// Limits push and never pull: bounds the impulses that solve_system() found.
template <int W>
void bound_limit_impulses(const JointBlock<W>* blocks, std::size_t count,
                          const JointSolveSettings& settings, Column<W>* rows);

} // namespace rigor::fast
