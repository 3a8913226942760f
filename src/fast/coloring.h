// Graph coloring of constraints: no two of one color share a body that responds to impulses.
#pragma once

#include <cstdint>
#include <vector>

#include "fast/solver_bodies.h"

namespace rigor::fast {

/// Greedy, in the order given: the first color that neither body has. There is no limit.
class Coloring {
  public:
    void reset(std::size_t bodies) {
        used_.assign(1, {});
        used_[0].assign(bodies, 0);
        bodies_ = bodies;
    }

    /// The color of a constraint between two bodies. Bodies that do not respond do not count.
    std::uint32_t color(SolverBodyIndex a, SolverBodyIndex b) {
        const bool a_counts = a.responds_to_impulses(), b_counts = b.responds_to_impulses();
        for (std::uint32_t level = 0;; ++level) {
            if (level == used_.size()) used_.emplace_back(bodies_, 0);
            std::vector<std::uint64_t>& used = used_[level];
            const std::uint64_t taken =
                (a_counts ? used[a.index()] : 0) | (b_counts ? used[b.index()] : 0);
            if (taken == ~std::uint64_t(0)) continue;
            const auto free = static_cast<std::uint32_t>(__builtin_ctzll(~taken));
            if (a_counts) used[a.index()] |= std::uint64_t(1) << free;
            if (b_counts) used[b.index()] |= std::uint64_t(1) << free;
            return 64 * level + free;
        }
    }

  private:
    std::size_t bodies_ = 0;
    std::vector<std::vector<std::uint64_t>> used_; // 64 colors a level, by body
};

} // namespace rigor::fast
