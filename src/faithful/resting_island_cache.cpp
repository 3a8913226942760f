#include "faithful/resting_island_cache.h"

#include <algorithm>

namespace rigor::faithful {
namespace {

bool are_same(const BodyMotion& a, const BodyMotion& b) {
    return a.x == b.x && a.q == b.q && a.p == b.p && a.l == b.l;
}

bool are_same(const IslandJoint& a, const IslandJoint& b) {
    return a.joint == b.joint && a.a == b.a && a.b == b.b;
}

template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const T& x, const T& y) { return are_same(x, y); });
}

} // namespace

const Island* RestingIslandCache::find(const Island& island) const {
    if (island.bodies.empty()) return nullptr;
    const auto found = by_body_.find(island.bodies.front());
    if (found == by_body_.end()) return nullptr;
    const Island& cached = islands_[found->second];
    const bool matches = cached.bodies == island.bodies && cached.pairs == island.pairs &&
                         are_same(cached.joints, island.joints) &&
                         are_same(cached.motion, island.motion);
    return matches ? &cached : nullptr;
}

void RestingIslandCache::insert(const Island& island) {
    if (by_body_.try_emplace(island.bodies.front(), islands_.size()).second)
        islands_.push_back(island), islands_.back().trace.keep_last();
}

} // namespace rigor::faithful
