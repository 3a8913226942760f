// Cache of islands that were at rest through the last step: an undisturbed wall costs nothing.
#pragma once

#include <unordered_map>
#include <vector>

#include "contact_dynamics/island.h"

namespace rigor::faithful {

using namespace contact_dynamics;

/// An island at rest stays at rest while nothing changes. Every change from outside, such as of a
/// mass, a material or gravity, must clear the cache.
class RestingIslandCache {
  public:
    /// The cached island with the same bodies, motions, joints and pairs; null if there is none.
    const Island* find(const Island& island) const;
    void insert(const Island& island);
    void clear() { islands_.clear(), by_body_.clear(); }

  private:
    std::vector<Island> islands_;
    std::unordered_map<std::uint32_t, std::size_t> by_body_; // the first of each
};

} // namespace rigor::faithful
