// The state as a value: copied, hashed, compared.

#include "model/world_state.h"

#include "model/body_builder.h"
#include "test_support.h"

namespace rigor {
namespace {

BodyId add(WorldState& state, const BodyDef& def) {
    return insert_body(state, build_body(def).value());
}

WorldState small_world() {
    WorldState state;
    state.gravity = {0, 0, -9.81};
    BodyDef def;
    def.shapes = {{BoxDef{{1, 2, 3}}}, {SphereDef{0.5}}};
    def.velocity = {1, 2, 3};
    def.position = {0.1, 0.2, 0.3};
    add(state, def);
    def.shapes = {{CapsuleDef{}},
                  {CylinderDef{}},
                  {ConeDef{}},
                  {HullDef{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}};
    add(state, def);
    state.bodies.wrenches.resize(2);
    return state;
}

// Flips every bit of a value in place and counts the hashes that did not change.
template <class T>
int unnoticed_flips(const WorldState& state, T& value) {
    const std::uint64_t before = hash(state);
    int unnoticed = 0;
    for (std::size_t byte = 0; byte < sizeof(T); ++byte) {
        for (int bit = 0; bit < 8; ++bit) {
            auto* bytes = reinterpret_cast<unsigned char*>(&value);
            bytes[byte] ^= static_cast<unsigned char>(1u << bit);
            unnoticed += hash(state) == before;
            bytes[byte] ^= static_cast<unsigned char>(1u << bit);
        }
    }
    EXPECT_EQ(hash(state), before);
    return unnoticed;
}

TEST(StateHash, OneFlippedBitAnywhereChangesIt) {
    WorldState state = small_world();
    EXPECT_EQ(unnoticed_flips(state, state.gravity), 0);
    EXPECT_EQ(unnoticed_flips(state, state.time), 0);
    EXPECT_EQ(unnoticed_flips(state, state.step), 0);
    EXPECT_EQ(unnoticed_flips(state, state.ledger), 0);
    for (std::size_t i = 0; i < state.bodies.slot_count(); ++i) {
        EXPECT_EQ(unnoticed_flips(state, state.bodies.motion[i]), 0);
        EXPECT_EQ(unnoticed_flips(state, state.bodies.inertia[i]), 0);
        EXPECT_EQ(unnoticed_flips(state, state.bodies.traits[i]), 0);
        EXPECT_EQ(unnoticed_flips(state, state.bodies.mobility[i]), 0);
        EXPECT_EQ(unnoticed_flips(state, state.bodies.wrenches[i]), 0);
    }
    state.shapes.for_each([&](ShapeId id, const ShapeRecord&) {
        ShapeRecord& shape = *state.shapes.find(id);
        EXPECT_EQ(unnoticed_flips(state, shape.body), 0);
        EXPECT_EQ(unnoticed_flips(state, shape.next), 0);
        EXPECT_EQ(unnoticed_flips(state, shape.local), 0);
        EXPECT_EQ(unnoticed_flips(state, shape.material), 0);
        if (auto* sphere = std::get_if<Sphere<double>>(&shape.geometry.solid)) {
            EXPECT_EQ(unnoticed_flips(state, *sphere), 0);
        }
        if (auto* box = std::get_if<Box<double>>(&shape.geometry.solid)) {
            EXPECT_EQ(unnoticed_flips(state, *box), 0);
        }
        if (auto* capsule = std::get_if<Capsule<double>>(&shape.geometry.solid)) {
            EXPECT_EQ(unnoticed_flips(state, *capsule), 0);
        }
        if (auto* cylinder = std::get_if<Cylinder<double>>(&shape.geometry.solid)) {
            EXPECT_EQ(unnoticed_flips(state, *cylinder), 0);
        }
        if (auto* cone = std::get_if<Cone<double>>(&shape.geometry.solid)) {
            EXPECT_EQ(unnoticed_flips(state, *cone), 0);
        }
        const std::uint64_t before = hash(state);
        shape.sensor = !shape.sensor;
        EXPECT_NE(hash(state), before);
        shape.sensor = !shape.sensor;
    });
}

// Which id comes next is state: two worlds that look alike but would name the next body
// differently are not the same.
TEST(StateHash, SeesTheFreeList) {
    WorldState a = small_world(), b = small_world();
    const BodyId extra = b.bodies.add();
    b.bodies.remove(extra);
    EXPECT_NE(hash(a), hash(b));
}

TEST(StateHash, IsOfTheValueAndNotOfTheObject) {
    const WorldState a = small_world();
    const WorldState b = a;
    EXPECT_EQ(hash(a), hash(b));
    EXPECT_EQ(hash(a), hash(small_world()));
}

TEST(StateHash, NamesAreLabels) {
    WorldState state = small_world();
    const std::uint64_t before = hash(state);
    state.bodies.names[0] = "another";
    EXPECT_EQ(hash(state), before);
}

TEST(BodyStore, ARemovedBodyLeavesNoTrace) {
    WorldState state = small_world();
    const BodyId id = state.bodies.ids.id_at(1);
    state.bodies.remove(id);
    EXPECT_EQ(state.bodies.motion[1].p, Vec3d{});
    EXPECT_EQ(state.bodies.mobility[1], Mobility::absent);
    EXPECT_GT(memory_bytes(state), 2 * (sizeof(BodyMotion) + sizeof(BodyTraits)));
}

} // namespace
} // namespace rigor
