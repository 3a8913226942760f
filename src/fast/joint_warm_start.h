// Warm start of W joints in lanes: impulses of the last substep, half before the bodies move and
// half after.
#pragma once

#include "fast/joint_bodies.h"
#include "fast/joint_springs.h"

namespace rigor::fast {

/// The two halves with which a substep begins. In trees that are solved until they fit the force at
/// the end of the last substep, its second half, is nearest to both: the mean of the last substep
/// leaves ten times the error.
template <int W>
struct WarmHalves {
    RIGOR_INLINE WarmHalves(const JointBlock<W>& block, const Row<W>& row, Lanes<W> share) {
        const Lanes<W> last = read<W>(row.impulse), mean = share * last;
        if (block.is_of_tree) {
            const auto is_whole = share > Lanes<W>(0.75f);
            Lanes<W> latest = last - read<W>(row.second_half);
            // A limit may have taken back some of its first half, and never pulls.
            if (block.layout.has_limit_rows && is_limit(block, row))
                latest = select(latest * last > Lanes<W>(0.0f), latest, Lanes<W>(0.0f));
            first = select(is_whole, last, latest);
            second = select(is_whole, last - mean, latest);
        } else {
            first = mean;
            second = last - mean;
        }
    }
    RIGOR_INLINE static bool is_limit(const JointBlock<W>& block, const Row<W>& row) {
        return &row >= block.rows.data() + block.layout.equality_rows;
    }
    Lanes<W> first, second;
};

template <int W>
RIGOR_INLINE void warm_start_block(JointBlock<W>& block, SolverBody* bodies) {
    JointBodies<W> pair(block, bodies);
    const auto equality_rows = static_cast<std::size_t>(block.layout.equality_rows);
    const Lanes<W> share = read<W>(block.first_half_share);
    if (is_ball<W>(block)) {
        const WarmHalves<W> x(block, block.rows[0], share), y(block, block.rows[1], share),
            z(block, block.rows[2], share);
        const LaneVec<W> now{x.first, y.first, z.first};
        write_rows<W>(block, &Row<W>::impulse, now);
        write_rows<W>(block, &Row<W>::second_half, {x.second, y.second, z.second});
        pair.accumulate_ball(now);
        pair.apply();
        return pair.write(bodies);
    }
    for (std::size_t i = 0; i < block.layout.system_rows(); ++i) {
        auto& row = block.rows[i];
        const WarmHalves<W> halves(block, row, share);
        write<W>(row.impulse, halves.first);
        write<W>(row.second_half, halves.second);
        pair.accumulate(row, halves.first);
    }
    if (block.layout.is_sprung && block.layout.dofs > 0) {
        auto& f = block.dofs[0];
        for (auto* impulse : {&f.drive_impulse, &f.lower_impulse, &f.upper_impulse})
            write<W>(*impulse, share * read<W>(*impulse));
    }
    const std::size_t dofs = block.layout.has_limit_rows ? 0 : block.layout.dofs;
    for (std::size_t i = 0; i < dofs; ++i) {
        const auto& f = block.dofs[i];
        pair.accumulate(block.rows[equality_rows + i],
                        read<W>(f.drive_impulse) + read<W>(f.friction_impulse) +
                            read<W>(f.lower_impulse) - read<W>(f.upper_impulse));
    }
    pair.apply();
    pair.write(bodies);
}

template <int W>
RIGOR_INLINE void warm_start_second_half_block(JointBlock<W>& block, SolverBody* bodies) {
    JointBodies<W> pair(block, bodies);
    if (is_ball<W>(block)) {
        const LaneVec<W> rest = read_rows<W>(block, &Row<W>::second_half),
                         first = read_rows<W>(block, &Row<W>::impulse);
        write_rows<W>(block, &Row<W>::impulse, first + rest);
        if (block.is_of_tree) write_rows<W>(block, &Row<W>::second_half, first);
        pair.accumulate_ball(rest);
        pair.apply();
        return pair.write(bodies);
    }
    for (std::size_t i = 0; i < block.layout.system_rows(); ++i) {
        auto& row = block.rows[i];
        const Lanes<W> rest = read<W>(row.second_half), first = read<W>(row.impulse);
        write<W>(row.impulse, first + rest);
        if (block.is_of_tree) write<W>(row.second_half, first);
        pair.accumulate(row, rest);
    }
    if (block.layout.is_sprung && block.layout.dofs > 0) add_second_half_of_spring<W>(block, pair);
    pair.apply();
    pair.write(bodies);
}

} // namespace rigor::fast
