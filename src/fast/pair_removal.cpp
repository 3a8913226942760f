#include "fast/pair_removal.h"

#include <utility>

namespace rigor::fast {
namespace {

EndedContact ended_contact(const WorldState& state, const ContactPair& pair) {
    EndedContact ended{sides_of(state, pair), pair.sensor};
    if (pair.sensor && !state.shapes.find(ended.who.a.shape)->sensor)
        std::swap(ended.who.a, ended.who.b);
    return ended;
}

template <class IsGone>
void remove_pairs(const WorldState& state, PairStore& store, const IsGone& is_gone) {
    for (PairStore::Entry& entry : store.order) {
        if (is_gone(store.pairs[entry.slot])) entry.key = kRemovedPair;
    }
    drop_removed_pairs(state, store);
}

} // namespace

void drop_removed_pairs(const WorldState& state, PairStore& store) {
    std::size_t kept = 0;
    for (const PairStore::Entry& entry : store.order) {
        if (entry.key == kRemovedPair) {
            const ContactPair& pair = store.pairs[entry.slot];
            if (pair.touching) store.ended.push_back(ended_contact(state, pair));
            store.remove(entry.slot);
        } else {
            store.order[kept++] = entry;
        }
    }
    store.order.resize(kept);
}

void forget_pairs_of(const WorldState& state, std::uint32_t body, PairStore& store) {
    remove_pairs(state, store, [&](const ContactPair& pair) {
        return pair.body_a == body || pair.body_b == body;
    });
}

void forget_pairs_between(const WorldState& state, std::uint32_t body_a, std::uint32_t body_b,
                          PairStore& store) {
    remove_pairs(state, store, [&](const ContactPair& pair) {
        return (pair.body_a == body_a && pair.body_b == body_b) ||
               (pair.body_a == body_b && pair.body_b == body_a);
    });
}

} // namespace rigor::fast
