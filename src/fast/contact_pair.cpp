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
    add(hasher, touch.manifold);
    hasher.add_value(touch.normal);
    hasher.add_value(touch.arm_a);
    hasher.add_value(touch.arm_b);
    hasher.add_value(touch.base);
    hasher.add_value(touch.separation);
    hasher.add_value(touch.impulses);
}

void add(Hasher& hasher, const ContactPair& pair) {
    hasher.add_value(std::array{pair.body_a, pair.body_b});
    hasher.add_value(pair.surface);
    hasher.add_value(
        std::array{pair.settings.margin, pair.settings.tolerance, pair.frozen_margin, pair.gap});
    hasher.add_value(
        std::array{pair.sensor, pair.composite, pair.frozen, pair.drags, pair.touching});
    hasher.add_value(pair.pose);
    hasher.add_value(pair.turn_a);
    hasher.add_value(pair.turn_b);
    add(hasher, pair.memory);
}

} // namespace

ContactChange sides_of(const WorldState& state, const ContactPair& pair) {
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
    for (const PartContact<float>& part : store.composites[pair.touch].parts) {
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
        for (std::size_t i = 0; i < static_cast<std::size_t>(touch.manifold.count); ++i)
            least = std::min(least, touch.separation[i]);
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

static_assert(sizeof(Impulses) == 11 * sizeof(float), "a record with padding has no hash");
static_assert(sizeof(ContactPoint<float>) == 6 * sizeof(float),
              "a record with padding has no hash");

} // namespace rigor::fast
