// Contacts sorted into colors: no two of one color share a body that answers to impulses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rigor::fast {

/// Greedy, in the order given: the first color that neither body has. There is no limit.
class Coloring {
  public:
    void start(std::size_t rows) {
        used_.assign(1, {});
        used_[0].assign(rows, 0);
        rows_ = rows;
    }

    /// `a` and `b` are rows of bodies; those that do not answer to impulses are not counted.
    std::uint32_t color(std::uint32_t a, bool a_moves, std::uint32_t b, bool b_moves) {
        for (std::uint32_t level = 0;; ++level) {
            if (level == used_.size()) used_.emplace_back(rows_, 0);
            std::vector<std::uint64_t>& used = used_[level];
            const std::uint64_t taken = (a_moves ? used[a] : 0) | (b_moves ? used[b] : 0);
            if (taken == ~std::uint64_t(0)) continue;
            const auto free = static_cast<std::uint32_t>(__builtin_ctzll(~taken));
            if (a_moves) used[a] |= std::uint64_t(1) << free;
            if (b_moves) used[b] |= std::uint64_t(1) << free;
            return 64 * level + free;
        }
    }

  private:
    std::size_t rows_ = 0;
    std::vector<std::vector<std::uint64_t>> used_; // 64 colors a level, by row
};

} // namespace rigor::fast
