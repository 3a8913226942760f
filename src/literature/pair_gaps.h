// Gaps of pairs of shapes at any state of the island.
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

class PairGaps {
  public:
    /// Bodies keep their places in the island as long as this lives.
    PairGaps(const WorldState& state, const Island& island);

    /// Index of the body of a shape in the island.
    std::size_t body_of(std::uint32_t shape) const;
    /// Signed distance of a pair: negative when its shapes overlap.
    double at(const ShapePair& pair, const Island& island) const;
    /// Those of all pairs of an island, in their order.
    std::vector<double> of(const Island& island) const;

  private:
    const WorldState& state_;
    std::vector<std::size_t> index_; // by slot of the body
};

} // namespace rigor::literature
