// Islands that stood still through the last step: a wall that nobody touches costs nothing.
#pragma once

#include <unordered_map>
#include <vector>

#include "contact_dynamics/island.h"

namespace rigor::faithful {

using namespace contact_dynamics;

/// What stood still goes on to while nothing is different. That holds between steps; who changes
/// anything else, a mass, a material or gravity, clears it.
class StillIslands {
  public:
    /// The one of these bodies in these places, that touch in these pairs; null if there is none.
    const Island* find(const Island& island) const;
    void remember(const Island& island);
    void clear() { islands_.clear(), by_body_.clear(); }

  private:
    std::vector<Island> islands_;
    std::unordered_map<std::uint32_t, std::size_t> by_body_; // the first of each
};

} // namespace rigor::faithful
