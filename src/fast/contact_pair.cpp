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

void add(Hasher& hasher, const ContactManifold& manifold) {
    hasher.add_value(manifold.normal);
    hasher.add(static_cast<std::uint64_t>(manifold.count) << 1 | (manifold.slides ? 1u : 0u));
    hasher.add_value(std::array{manifold.rotation_a, manifold.rotation_b});
    hasher.add_value(std::array{manifold.center_offset, manifold.friction, manifold.rolling});
    hasher.add_value(
        std::array{manifold.twist, manifold.convex_radius_a, manifold.convex_radius_b});
    hasher.add_value(manifold.surface);
    add(hasher, manifold.part_a);
    add(hasher, manifold.part_b);
    for (const ManifoldPoint& point : manifold.points) {
        hasher.add_value(point.anchor_a);
        hasher.add_value(std::array{point.initial_separation, point.separation, point.impulse});
        hasher.add_value(std::array{point.feature_a, point.feature_b});
    }
}

void add(Hasher& hasher, const ContactPair& pair) {
    hasher.add_value(std::array{pair.body_a, pair.body_b});
    hasher.add_value(std::array{pair.margin, pair.gap});
    hasher.add_value(std::array{bool(pair.sensor), bool(pair.composite), bool(pair.has_directions),
                                bool(pair.touching), bool(pair.recyclable)});
    if (pair.parting) hasher.add(1);
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
    for_manifolds(store, pair, [&](const ContactManifold& manifold) { add(hasher, manifold); });
    if (!pair.composite || pair.contacts.is_none()) return;
    const CompositeContact& composite = store.composites[pair.contacts.composite()];
    hasher.add_value(composite.surface);
    for (const PartContact<float>& part : composite.parts) {
        add(hasher, part.manifold);
        add(hasher, part.memory);
    }
}

void PairStore::remove(PoolSlot<ContactPair> pair) {
    const ContactPair& gone = pairs[pair];
    if (!gone.contacts.is_none()) {
        if (gone.composite)
            composites.remove(gone.contacts.composite());
        else
            manifolds.remove(gone.contacts.manifold());
    }
    pairs.remove(pair);
}

std::size_t PairStore::memory_bytes() const {
    std::size_t bytes = pairs.memory_bytes() + manifolds.memory_bytes() +
                        composites.memory_bytes() + order.capacity() * sizeof(Entry);
    for (const CompositeContact& composite : composites.items)
        bytes += composite.parts.capacity() * sizeof(PartContact<float>) +
                 composite.manifolds.capacity() * sizeof(ContactManifold);
    return bytes;
}

float min_separation(const PairStore& store, const ContactPair& pair) {
    float least = 1e30f;
    for_manifolds(store, pair, [&](const ContactManifold& manifold) {
        for (const ManifoldPoint& point : manifold.used())
            least = std::min(least, point.separation);
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

static_assert(sizeof(ContactPoint<float>) == 6 * sizeof(float),
              "a record with padding has no hash");

} // namespace rigor::fast
