#include "fast/contact_pair.h"

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
    hasher.add_value(std::array{pair.settings.margin, pair.settings.tolerance, pair.frozen_margin});
    hasher.add_value(
        std::array{pair.sensor, pair.composite, pair.frozen, pair.drags, pair.touching});
    hasher.add_value(pair.pose);
    hasher.add_value(pair.turn_a);
    hasher.add_value(pair.turn_b);
    add(hasher, pair.memory);
    add(hasher, pair.touch);
    hasher.add(pair.parts.size());
    for (const PartContact<float>& part : pair.parts) {
        add(hasher, part.manifold);
        add(hasher, part.memory);
    }
    hasher.add(pair.touches.size());
    for (const Touch& touch : pair.touches) add(hasher, touch);
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
    add(hasher, store.pairs[entry.slot]);
}

void merge_pairs(const std::vector<PairStore::Entry>& pairs, PairStore& store) {
    std::vector<PairStore::Entry> merged;
    merged.reserve(store.order.size() + pairs.size());
    auto known = store.order.begin();
    for (const PairStore::Entry& entry : pairs) {
        while (known != store.order.end() && known->key < entry.key) merged.push_back(*known++);
        if (known != store.order.end() && known->key == entry.key)
            store.free.push_back((known++)->slot);
        merged.push_back(entry);
    }
    merged.insert(merged.end(), known, store.order.end());
    store.order = std::move(merged);
}

static_assert(sizeof(Impulses) == 11 * sizeof(float), "a record with padding has no hash");
static_assert(sizeof(ContactPoint<float>) == 6 * sizeof(float),
              "a record with padding has no hash");

} // namespace rigor::fast
