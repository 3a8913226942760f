// The sweeps over contact blocks, for each width that this machine may have.
#pragma once

#include <cstddef>

#include "fast/body_rows.h"
#include "fast/contact_block.h"

namespace rigor::fast {

struct SweepSettings {
    float inv_h = 0;          ///< of a substep
    float push_speed = 3;     ///< overlaps are left no faster than this
    bool use_bias = true;     ///< push out of overlaps; else only stop
    bool backward = false;    ///< points in reverse order
    float slowest_bounce = 0; ///< approaches slower than this do not bounce
};

// `points` are those of all blocks. All blocks of one color, of which no two have a moving body in
// common; so any order, and any number of threads, gives the same.

/// Books the impulses and the work of a substep, at whose end bodies moved as `ended` says.
template <int W>
void book(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points, const BodyRow* ended);
/// What follows from the arms, masses and velocities of filled blocks: effective masses, speeds at
/// which points meet, and who meets faster than `hit_speed`.
template <int W>
void finish_blocks(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points,
                   const BodyRow* rows, float hit_speed);
template <int W>
void warm_start(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points, BodyRow* rows);
template <int W>
void solve(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points, BodyRow* rows,
           const SweepSettings& settings);
template <int W>
void bounce(ContactBlock<W>* blocks, std::size_t count, PointBlock<W>* points, BodyRow* rows,
            const SweepSettings& settings);

/// 8 with AVX2, else 4.
int widest_lanes();

} // namespace rigor::fast
