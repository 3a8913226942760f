// Sets of numbers that grow together [Tarjan 1975].
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace rigor::fast {

/// The root of a set is its smallest member.
class Groups {
  public:
    void start(std::size_t count) {
        parent_.resize(count);
        std::iota(parent_.begin(), parent_.end(), 0u);
    }
    std::uint32_t root(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = root(a);
        b = root(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

  private:
    std::vector<std::uint32_t> parent_;
};

} // namespace rigor::fast
