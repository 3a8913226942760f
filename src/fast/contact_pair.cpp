#include "fast/contact_pair.h"

#include <algorithm>

namespace rigor::fast {
namespace {

void add(Hasher& hasher, const ShapePart& part) {
    hasher.add(static_cast<std::uint64_t>(part.child) << 32 | part.triangle);
}

void add(Hasher& hasher, const Manifold<float>& m) {
    hasher.add_value(m.normal);
    hasher.add(static_cast<std::uint64_t>(m.count));
    for (const ContactPoint<float>& point : m.points) hasher.add_value(point);
    add(hasher, m.part_a);
    add(hasher, m.part_b);
}

void add(Hasher& hasher, const ContactMemory<float>& memory) {
    hasher.add(static_cast<std::uint64_t>(memory.kind));
    hasher.add(static_cast<std::uint64_t>(memory.a.value()) << 32 | memory.b.value());
    hasher.add_value(memory.direction);
    hasher.add_value(memory.pose);
}

void add(Hasher& hasher, const Touch& touch) {
    hasher.add_value(touch.normal);
    hasher.add(static_cast<std::uint64_t>(touch.count));
    hasher.add_value(std::array{touch.turn_a, touch.turn_b});
    hasher.add_value(std::array{touch.across, touch.friction, touch.rolling});
    hasher.add_value(std::array{touch.twist, touch.round_a, touch.round_b});
    hasher.add_value(touch.surface);
    add(hasher, touch.part_a);
    add(hasher, touch.part_b);
    for (const TouchPoint& point : touch.points) {
        hasher.add_value(point.arm);
        hasher.add_value(std::array{point.made, point.separation, point.impulse});
        hasher.add_value(std::array{point.feature_a, point.feature_b});
    }
}

void add(Hasher& hasher, const ContactPair& pair) {
    hasher.add_value(std::array{pair.body_a, pair.body_b});
    hasher.add_value(std::array{pair.margin, pair.gap});
    hasher.add_value(std::array{bool(pair.sensor), bool(pair.composite), bool(pair.drags),
                                bool(pair.touching), bool(pair.frozen)});
    hasher.add_value(pair.pose);
    hasher.add(static_cast<std::uint64_t>(pair.axis));
    hasher.add_value(std::array{pair.feature_a, pair.feature_b});
    hasher.add_value(pair.direction);
}

} // namespace

ContactPairEvent sides_of(const WorldState& state, const ContactPair& pair) {
    const auto side = [&](std::uint32_t body, std::uint32_t shape) {
        return ContactSide{state.bodies.ids.id_at(body), state.shapes.pool().id_at(shape)};
    };
    return {side(pair.body_a, pair.shape_a), side(pair.body_b, pair.shape_b)};
}

void add_to_hash(Hasher& hasher, const PairStore& store) {
    hasher.add(store.order.size());
    for (const PairStore::Entry& entry : store.order) add_to_hash(hasher, store, entry);
}

void add_to_hash(Hasher& hasher, const PairStore& store, const PairStore::Entry& entry) {
    hasher.add(entry.key);
    const ContactPair& pair = store.pairs[entry.slot];
    add(hasher, pair);
    for_touches(store, pair, [&](const Touch& touch) { add(hasher, touch); });
    if (!pair.composite || pair.touch == kNone) return;
    const CompositeTouch& composite = store.composites[pair.touch];
    hasher.add_value(composite.surface);
    for (const PartContact<float>& part : composite.parts) {
        add(hasher, part.manifold);
        add(hasher, part.memory);
    }
}

void PairStore::remove(std::uint32_t pair) {
    const ContactPair& gone = pairs[pair];
    if (gone.touch != kNone && gone.composite) composites.remove(gone.touch);
    if (gone.touch != kNone && !gone.composite) touches.remove(gone.touch);
    pairs.remove(pair);
}

std::size_t PairStore::memory_bytes() const {
    std::size_t bytes =
        pairs.items.capacity() * sizeof(ContactPair) + touches.items.capacity() * sizeof(Touch) +
        composites.items.capacity() * sizeof(CompositeTouch) + order.capacity() * sizeof(Entry) +
        (pairs.free.capacity() + touches.free.capacity() + composites.free.capacity()) *
            sizeof(std::uint32_t);
    for (const CompositeTouch& composite : composites.items)
        bytes += composite.parts.capacity() * sizeof(PartContact<float>) +
                 composite.touches.capacity() * sizeof(Touch);
    return bytes;
}

float least_separation(const PairStore& store, const ContactPair& pair) {
    float least = 1e30f;
    for_touches(store, pair, [&](const Touch& touch) {
        for (const TouchPoint& point : touch.used()) least = std::min(least, point.separation);
    });
    return least;
}

void merge_pairs(const std::vector<PairStore::Entry>& pairs, PairStore& store) {
    std::vector<PairStore::Entry> merged;
    merged.reserve(store.order.size() + pairs.size());
    auto known = store.order.begin();
    for (const PairStore::Entry& entry : pairs) {
        while (known != store.order.end() && known->key < entry.key) merged.push_back(*known++);
        if (known != store.order.end() && known->key == entry.key) store.remove((known++)->slot);
        merged.push_back(entry);
    }
    merged.insert(merged.end(), known, store.order.end());
    store.order = std::move(merged);
}

static_assert(sizeof(TouchPoint) == 9 * sizeof(float) && sizeof(Touch) == 288,
              "the memory of a pile is counted in these");
static_assert(sizeof(ContactPoint<float>) == 6 * sizeof(float),
              "a record with padding has no hash");

} // namespace rigor::fast
