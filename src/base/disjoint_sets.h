// Disjoint sets (union-find) [Tarjan 1975].
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace rigor {

/// The root of a set is its smallest member, so roots do not depend on the order of the unions.
class DisjointSets {
  public:
    DisjointSets() = default;
    explicit DisjointSets(std::size_t count) { reset(count); }

    /// `count` sets of one member each. Reuses its memory.
    void reset(std::size_t count) {
        parent_.resize(count);
        std::iota(parent_.begin(), parent_.end(), 0u);
    }
    std::size_t size() const { return parent_.size(); }

    /// Halves the path to the root as it goes.
    std::uint32_t find(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    /// Leaves the paths as they are.
    std::uint32_t find(std::uint32_t i) const {
        while (parent_[i] != i) i = parent_[i];
        return i;
    }
    /// Returns the root of the union.
    std::uint32_t unite(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
        return std::min(a, b);
    }

  private:
    std::vector<std::uint32_t> parent_;
};

} // namespace rigor
