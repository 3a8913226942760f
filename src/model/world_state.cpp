#include "model/world_state.h"

#include "base/hash.h"

namespace rigor {
namespace {

template <class T>
void add_array(Hasher& hasher, const std::vector<T>& values) {
    hasher.add(values.size());
    hasher.add_bytes(values.data(), values.size() * sizeof(T));
}

template <class Tag>
void add_pool(Hasher& hasher, const IdPool<Tag>& pool) {
    add_array(hasher, pool.generations());
    add_array(hasher, pool.free_list());
}

static_assert(sizeof(Ledger) == 9 * sizeof(double), "a record with padding has no hash");
static_assert(sizeof(Material) == 14 * sizeof(double) + 2 * sizeof(std::uint32_t),
              "a record with padding has no hash");

} // namespace

std::uint64_t hash(const WorldState& state) {
    Hasher hasher;
    hasher.add_value(state.gravity);
    if (state.cell) hasher.add_value(*state.cell);
    hasher.add_value(state.time);
    hasher.add_value(state.step);
    hasher.add_value(static_cast<const Ledger&>(state.ledger));
    hasher.add_value(state.ledger.lost);
    add_pool(hasher, state.bodies.ids);
    add_array(hasher, state.bodies.motion);
    add_array(hasher, state.bodies.inertia);
    add_array(hasher, state.bodies.traits);
    add_array(hasher, state.bodies.mobility);
    add_array(hasher, state.bodies.wrenches);
    add_pool(hasher, state.shapes.pool());
    state.shapes.for_each([&](ShapeId, const ShapeRecord& shape) {
        hasher.add_value(shape.body);
        hasher.add(shape.next);
        hasher.add_value(shape.local);
        hasher.add_value(shape.material);
        hasher.add(std::uint64_t{shape.sensor} + 2 * std::uint64_t{shape.one_sided});
        add_to_hash(hasher, shape.geometry);
    });
    add_to_hash(hasher, state.joints);
    add_to_hash(hasher, state.passages);
    hasher.add(state.material_pairs.size());
    for (const MaterialPair& pair : state.material_pairs) {
        hasher.add(static_cast<std::uint64_t>(pair.a));
        hasher.add(static_cast<std::uint64_t>(pair.b));
        for (const auto& value : {pair.static_friction, pair.kinetic_friction, pair.restitution}) {
            hasher.add(value.has_value());
            hasher.add_value(value.value_or(0.0));
        }
    }
    return hasher.value();
}

std::size_t memory_bytes(const WorldState& state) {
    std::size_t meshes = 0; // only deformed ones: others are shared by all copies of the state
    state.shapes.for_each([&](ShapeId, const ShapeRecord& shape) {
        const auto* mesh =
            std::get_if<std::shared_ptr<const TriangleMesh<double>>>(&shape.geometry.solid);
        if (mesh && (*mesh)->deformed) meshes += memory_bytes(**mesh);
    });
    return state.bodies.memory_bytes() + state.shapes.memory_bytes() +
           state.islands.memory_bytes() + meshes;
}

} // namespace rigor
