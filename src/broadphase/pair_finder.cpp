#include "broadphase/pair_finder.h"

#include "broadphase/pair_search.h"

namespace rigor {

ProxyId PairFinder::add(ProxyKind kind, const Aabbf& box, float margin, const Filter& filter,
                        std::uint32_t payload) {
    const ProxyId id(kind, tree(kind).add(expand(box, margin), filter, payload));
    changed_.set(id.value());
    return id;
}

ProxyId PairFinder::add_unbuilt(ProxyKind kind, const Aabbf& box, float margin,
                                const Filter& filter, std::uint32_t payload) {
    const ProxyId id(kind, tree(kind).add_unbuilt(expand(box, margin), filter, payload));
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

void PairFinder::rebuild_moved() {
    moving_.rebuild_moved();
    fixed_.rebuild_moved();
}

void PairFinder::find_pairs(ThreadTeam& team, std::vector<ProxyPair>& pairs, const PairFilter& keep,
                            TreeCare care, const CoreOf& core) {
    if (care == TreeCare::rebuild_moved) rebuild_moved();
    PairSearch(*this, changed_, keep, core).run(team, pairs, crowded_);
    changed_.clear_all();
}

std::vector<ProxyPair> PairFinder::all_pairs(const PairFilter& keep, const CoreOf& core) const {
    BitSet all;
    for (std::uint32_t i = 0; i < moving_.index_count(); ++i)
        if (moving_.is_alive(i)) all.set(ProxyId(ProxyKind::moving, i).value());
    ThreadTeam alone(1);
    std::vector<ProxyPair> pairs;
    std::vector<ProxyId> crowded;
    PairSearch(*this, all, keep, core).run(alone, pairs, crowded);
    return pairs;
}

std::size_t PairFinder::memory_bytes() const {
    return moving_.memory_bytes() + fixed_.memory_bytes() + changed_.memory_bytes();
}

} // namespace rigor
