// Contact solver kernels in lanes: prepare, warm start, solve, restitution, work.
#pragma once

#include <cstddef>

#include "fast/contact_block.h"

namespace rigor::fast {

/// Of a body in a substep, rad: beyond it the speed of its points, and the work of impulses on
/// them, are not well known.
inline constexpr float kMaxKnownTurn = 0.2f;

struct ContactSolveSettings {
    float h = 0, inv_h = 0;          ///< of a substep
    float max_bias_velocity = 3;     ///< penetration is recovered no faster than this
    bool use_bias = true;            ///< recover penetration; else solve velocities only (relax)
    bool backward = false;           ///< points in reverse order
    float restitution_threshold = 0; ///< slower approaches have no restitution
};

// `blocks` are of one color: no two share a body that responds to impulses, so any order and any
// number of threads give the same bits. `points` are those of all blocks.

/// Computes from the anchors, masses and velocities of filled blocks: effective masses, impact
/// velocities, and which lanes meet faster than `hit_speed`.
template <int W>
void prepare_blocks(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,
                    const SolverBody* bodies, float hit_speed);
/// Effective masses of blocks with a turning body or moving friction anchors.
template <int W>
void update_masses(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points);
/// With the contacts, as the bodies move for a time, and turns friction as they turn for another.
template <int W>
void move_friction_anchors(ContactBlock<W>* blocks, std::size_t count, const SolverBody* bodies,
                           float moved_for, float turned_for);
/// Applies the impulses of the last substep.
template <int W>
void warm_start(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,
                SolverBody* bodies);
/// One iteration of sequential impulses.
template <int W>
void solve(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points, SolverBody* bodies,
           const ContactSolveSettings& settings);
/// Adds up the impulses and the work of a substep of length h. `end_of_substep` are the bodies at
/// its end.
template <int W>
void accumulate_work(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,
                     const SolverBody* end_of_substep, float h);
/// After the last substep.
template <int W>
void apply_restitution(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,
                       SolverBody* bodies, const ContactSolveSettings& settings);

/// 8 with AVX2, else 4.
int widest_lanes();

} // namespace rigor::fast
