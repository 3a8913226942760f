// Proxies follow the state: whatever happened, each shape is within its box, and found by it.

#include "model/shape_proxies.h"

#include <algorithm>
#include <set>

#include "model/body_builder.h"
#include "test_support.h"

namespace rigor {
namespace {

// A state and its proxies, changed together as a world does it.
struct Model {
    WorldState state;
    ShapeProxies proxies;

    BodyId add(const BodyDef& def) {
        const BodyId id = insert_body(state, build_body(def).value());
        proxies.note_changed(id.index);
        return id;
    }

    void remove(BodyId id) {
        proxies.remove_body(state, id.index);
        for_each_shape(state, id.index,
                       [&](ShapeId shape, const ShapeRecord&) { state.shapes.erase(shape); });
        state.bodies.remove(id);
    }

    void move(BodyId id, const Posed& pose) {
        set_frame_pose(state.bodies.motion[id.index], state.bodies.traits[id.index], pose);
    }

    Posed pose_of(const ShapeRecord& record) const {
        const std::uint32_t i = record.body.index;
        return frame_pose(state.bodies.motion[i], state.bodies.traits[i]) * record.local;
    }
};

BodyDef random_body(test::Random& random) {
    BodyDef def;
    def.position = random.vec(-10, 10);
    def.orientation = random.rotation();
    if (random.integer(0, 3) == 0) def.type = BodyType::static_body;
    const double size = random.uniform(0.2, 1);
    def.shapes = {{BoxDef{{size, 1, 0.5}}}, {CapsuleDef{0.2, size}}};
    def.shapes[1].position = random.vec();
    def.shapes[1].orientation = random.rotation();
    return def;
}

void expect_in_step(Model& model) {
    model.proxies.refresh(model.state);
    const PairFinder& finder = model.proxies.finder();
    std::size_t count = 0;
    model.state.shapes.for_each([&](ShapeId id, const ShapeRecord& record) {
        ++count;
        const ShapeProxy& placed = model.proxies[id.index];
        ASSERT_EQ(placed.id, id);
        ASSERT_EQ(placed.body, record.body);
        ASSERT_EQ(placed.pose, model.pose_of(record));
        ASSERT_TRUE(finder.is_alive(placed.proxy));
        ASSERT_EQ(finder.payload(placed.proxy), id.index);
        const bool is_static =
            model.state.bodies.traits[record.body.index].type == BodyType::static_body;
        ASSERT_EQ(placed.proxy.kind(), is_static ? ProxyKind::fixed : ProxyKind::moving);
        ASSERT_TRUE(
            contains(widen(finder.box(placed.proxy)), bounds(record.geometry, placed.pose)));
    });
    ASSERT_EQ(count, finder.tree(ProxyKind::moving).size() + finder.tree(ProxyKind::fixed).size());
}

TEST(ShapeProxies, FollowWhateverHappens) {
    test::Random random(1);
    Model model;
    std::vector<BodyId> bodies;
    for (int round = 0; round < 40; ++round) {
        for (int i = 0; i < 6; ++i) bodies.push_back(model.add(random_body(random)));
        // Some are gone before any proxy was made, some after; their slots are taken again.
        for (int i = 0; i < 3; ++i) {
            const auto k =
                static_cast<std::size_t>(random.integer(0, static_cast<int>(bodies.size()) - 1));
            model.remove(bodies[k]);
            bodies.erase(bodies.begin() + static_cast<std::ptrdiff_t>(k));
        }
        if (round % 3 == 0) bodies.push_back(model.add(random_body(random)));
        expect_in_step(model);
        for (const BodyId id : bodies) {
            if (model.state.bodies.traits[id.index].type == BodyType::static_body) continue;
            const BodyMotion& m = model.state.bodies.motion[id.index];
            model.move(id, {m.x + 0.1 * random.vec(), random.rotation()});
        }
        model.proxies.note_step();
        expect_in_step(model);
        model.move(bodies[0], {random.vec(-10, 10), random.rotation()});
        model.proxies.note_changed(bodies[0].index);
        expect_in_step(model);
        if (round % 10 == 9) {
            model.proxies.reset(model.state);
            expect_in_step(model);
        }
    }
}

TEST(ShapeProxies, FindNoFewerThanTouch) {
    test::Random random(2);
    Model model;
    for (int i = 0; i < 200; ++i) model.add(random_body(random));
    BodyDef ground;
    ground.type = BodyType::static_body;
    ground.shapes = {{PlaneDef{{0, 0.6, 0.8}, -3}}};
    model.add(ground);
    model.proxies.refresh(model.state);
    for (int i = 0; i < 300; ++i) {
        const Vec3d lo = random.vec(-12, 12);
        const Aabb<double> box{lo, lo + random.vec(0, 3)};
        std::set<ShapeId> found;
        model.proxies.overlap(box, ~0u, [&](const ShapeProxy& s) {
            EXPECT_TRUE(found.insert(s.id).second) << "visited twice";
            return true;
        });
        model.state.shapes.for_each([&](ShapeId id, const ShapeRecord& record) {
            if (overlap(bounds(record.geometry, model.pose_of(record)), box)) {
                EXPECT_TRUE(found.contains(id));
            }
        });
    }
}

// What stays within its margin costs a comparison, and its box stays as it was.
TEST(ShapeProxies, ATremorLeavesTheBoxAlone) {
    Model model;
    BodyDef def;
    def.shapes = {{BoxDef{}}};
    const BodyId id = model.add(def);
    model.proxies.refresh(model.state);
    const ProxyId proxy = model.proxies[0].proxy;
    const Aabbf before = model.proxies.finder().box(proxy);
    model.move(id, {{0.04, 0, 0}, {}});
    model.proxies.note_step();
    model.proxies.refresh(model.state);
    EXPECT_EQ(model.proxies.finder().box(proxy), before);
    EXPECT_EQ(model.proxies[0].pose.p.x, 0.04);
    model.move(id, {{0.06, 0, 0}, {}});
    model.proxies.note_step();
    model.proxies.refresh(model.state);
    EXPECT_NE(model.proxies.finder().box(proxy), before);
}

TEST(ShapeProxies, WhatReachesTheEndOfAllBoxesIsEndless) {
    Model model;
    BodyDef def;
    def.type = BodyType::static_body;
    def.shapes = {{SphereDef{}}};
    model.add(def);
    def.shapes = {{PlaneDef{}}};
    model.add(def);
    def.shapes = {{HeightFieldDef{2, 2, 2, 2, {0, 0, 0, 0}}}};
    model.add(def);
    def.type = BodyType::dynamic_body;
    def.shapes = {{SphereDef{}}};
    def.position = {0, -1e18, 0};
    const BodyId stray = model.add(def);
    model.proxies.refresh(model.state);
    const auto endless = [&] {
        std::vector<bool> flags;
        for (std::uint32_t i = 0; i < 4; ++i) flags.push_back(model.proxies[i].endless);
        return flags;
    };
    EXPECT_EQ(endless(), (std::vector<bool>{false, true, true, true}));
    model.move(stray, {});
    model.proxies.note_step();
    model.proxies.refresh(model.state);
    EXPECT_EQ(endless(), (std::vector<bool>{false, true, true, false}));
}

// The box of a closed mesh that moves is that of its box, not of its vertices.
TEST(ShapeProxies, AMovingMeshIsWithinItsBox) {
    test::Random random(3);
    Model model;
    BodyDef def;
    def.shapes = {{MeshDef{std::make_shared<const TriangleSoup>(
        TriangleSoup{{{0, 0, 0}, {1.2, 0, 0}, {0, 1.1, 0}, {0, 0, 1}},
                     {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}})}}};
    const BodyId id = model.add(def);
    for (int i = 0; i < 50; ++i) {
        model.move(id, {random.vec(-9, 9), random.rotation()});
        model.proxies.note_step();
        expect_in_step(model);
    }
}

} // namespace
} // namespace rigor
