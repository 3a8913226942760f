#include "broadphase/pairs.h"

namespace rigor {
namespace {

// Proxies asked for per block: enough to outweigh the handing out of a block, few enough to
// share out a thousand.
constexpr std::size_t kBlock = 64;

} // namespace

ProxyId PairFinder::add(ProxyKind kind, const Aabbf& box, float margin, const Filter& filter,
                        std::uint32_t payload) {
    const ProxyId id(kind, tree(kind).add(expand(box, margin), filter, payload));
    changed_.set(id.value());
    return id;
}

void PairFinder::remove(ProxyId id) {
    tree(id.kind()).remove(id.index());
    changed_.clear(id.value());
}

bool PairFinder::move(ProxyId id, const Aabbf& box, float margin) {
    if (!tree(id.kind()).move(id.index(), box, margin)) return false;
    changed_.set(id.value());
    return true;
}

void PairFinder::set_filter(ProxyId id, const Filter& filter) {
    tree(id.kind()).set_filter(id.index(), filter);
    changed_.set(id.value());
}

void PairFinder::find_pairs(ThreadTeam& team, std::vector<ProxyPair>& pairs,
                            const PairFilter& keep) {
    moving_.rebuild_moved();
    fixed_.rebuild_moved();
    asking_.clear();
    changed_.for_each([&](std::size_t value) {
        const auto v = static_cast<std::uint32_t>(value);
        asking_.emplace_back(v % 2 == 1 ? ProxyKind::fixed : ProxyKind::moving, v / 2);
    });

    found_.resize((asking_.size() + kBlock - 1) / kBlock);
    team.parallel_for(asking_.size(), kBlock, [&](std::size_t begin, std::size_t end) {
        std::vector<ProxyPair>& found = found_[begin / kBlock];
        found.clear();
        for (std::size_t i = begin; i < end; ++i) find_pairs_of(asking_[i], found, keep);
    });
    pairs.clear();
    for (const auto& found : found_) pairs.insert(pairs.end(), found.begin(), found.end());
    sort_pairs(pairs);
    changed_.clear_all();
}

// Of two that both ask, the smaller one reports the pair.
void PairFinder::find_pairs_of(ProxyId id, std::vector<ProxyPair>& pairs,
                               const PairFilter& keep) const {
    const Aabbf& own_box = box(id);
    const Filter own = filter(id);
    const auto search = [&](ProxyKind kind) {
        const DynamicTree& searched = tree(kind);
        searched.overlap(own_box, own.mask, [&](std::uint32_t index) {
            const ProxyId other(kind, index);
            if (other <= id && (other == id || changed_.test(other.value()))) return true;
            if ((searched.filter(index).mask & own.group) == 0) return true;
            const ProxyPair pair = ordered_pair(id, other);
            if (!keep || keep(pair)) pairs.push_back(pair);
            return true;
        });
    };
    search(ProxyKind::moving);
    if (id.kind() == ProxyKind::moving) search(ProxyKind::fixed);
}

} // namespace rigor
