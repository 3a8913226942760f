// Open meshes hold from both sides; one-sided ones from their front only, under every method.

#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr Method kMethods[] = {Method::fast,        Method::faithful,  Method::baber2006,
                               Method::kavan2003,   Method::baber2011, Method::kenwright,
                               Method::galoppo2007, Method::penalty};

/// A sheet of 8 x 8 squares, normals up, or down when it is turned over.
MeshDef sheet(bool one_sided, bool turned_over = false) {
    auto soup = std::make_shared<TriangleSoup>();
    constexpr std::uint32_t kSide = 8;
    for (std::uint32_t j = 0; j <= kSide; ++j)
        for (std::uint32_t i = 0; i <= kSide; ++i)
            soup->vertices.push_back({0.5 * i - 2, 0.5 * j - 2, 0});
    for (std::uint32_t j = 0; j < kSide; ++j)
        for (std::uint32_t i = 0; i < kSide; ++i) {
            const std::uint32_t a = j * (kSide + 1) + i, b = a + 1, c = a + kSide + 1, d = c + 1;
            soup->triangles.push_back({a, b, d});
            soup->triangles.push_back({a, d, c});
        }
    if (turned_over)
        for (auto& t : soup->triangles) std::swap(t[1], t[2]);
    return {soup, {}, one_sided};
}

std::vector<std::pair<const char*, ShapeDef>> fallers() {
    std::vector<std::pair<const char*, ShapeDef>> all;
    all.push_back({"ball", {.geometry = SphereDef{0.3}}});
    all.push_back({"box", {.geometry = BoxDef{{0.6, 0.5, 0.4}}}});
    all.push_back({"capsule", {.geometry = CapsuleDef{0.2, 0.5}}});
    all.push_back({"hull",
                   {.geometry = HullDef{
                        {{-0.3, -0.3, -0.3}, {0.3, -0.3, -0.3}, {0, 0.3, -0.3}, {0, 0, 0.4}}}}});
    return all;
}

/// How far above the sheet the body is in the end that falls on it with `gravity`, which is up or
/// down: it begins at z = -sign(gravity).
double end_height(Method method, const ShapeDef& shape, const MeshDef& mesh, double gravity,
                  BodyType type = BodyType::static_body, double speed = 0) {
    WorldSettings settings = settings_of(method);
    settings.gravity = {0, 0, gravity};
    World world(settings);
    BodyDef ground{.type = type};
    ground.shapes.push_back({.geometry = mesh});
    EXPECT_TRUE(world.add_body(ground));
    const double side = gravity > 0 ? 1 : -1;
    BodyDef body{.position = {0.13, 0.07, -side}, .velocity = {0, 0, side * speed}};
    body.continuous = true;
    body.shapes.push_back(shape);
    const BodyId id = world.add_body(body).value();
    run(world, 1.2);
    return world.pose(id).p.z; // of the frame, wherever the center of mass is
}

class Sheet : public testing::TestWithParam<Method> {};

TEST_P(Sheet, HoldsFromBothSides) {
    for (const auto& [name, shape] : fallers())
        for (const bool turned_over : {false, true}) {
            SCOPED_TRACE(message(name, turned_over ? ", turned over" : ""));
            const MeshDef mesh = sheet(false, turned_over);
            EXPECT_GT(end_height(GetParam(), shape, mesh, -9.81), 0.05);
            EXPECT_LT(end_height(GetParam(), shape, mesh, 9.81), -0.05);
        }
}

TEST_P(Sheet, OneSidedHoldsFromItsFrontOnly) {
    for (const auto& [name, shape] : fallers())
        for (const bool turned_over : {false, true}) {
            SCOPED_TRACE(message(name, turned_over ? ", turned over" : ""));
            const MeshDef mesh = sheet(true, turned_over);
            const double down = end_height(GetParam(), shape, mesh, -9.81);
            const double up = end_height(GetParam(), shape, mesh, 9.81);
            // What passes falls freely: 1 m - g t^2 / 2, to the error of a first-order integrator.
            const double fallen = 0.5 * 9.81 * 1.2 * 1.2 - 1;
            if (turned_over) {
                EXPECT_NEAR(down, -fallen, 0.2);
                EXPECT_LT(up, -0.05);
            } else {
                EXPECT_GT(down, 0.05);
                EXPECT_NEAR(up, fallen, 0.2);
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Methods, Sheet, testing::ValuesIn(kMethods), method_name);

// A second sheet above the first: what came through one from behind is held by the other.
TEST(OneSided, WhatPassedIsHeldWhenItReturns) {
    for (const Method method : {Method::fast, Method::faithful, Method::penalty}) {
        SCOPED_TRACE(name(method));
        World world(settings_of(method));
        BodyDef ground{.type = BodyType::static_body};
        ground.shapes.push_back({.geometry = sheet(true)});
        ASSERT_TRUE(world.add_body(ground));
        BodyDef body{.position = {0.13, 0.07, -0.8}, .velocity = {0, 0, 8}};
        body.shapes.push_back({.geometry = SphereDef{0.3}});
        const BodyId id = world.add_body(body).value();
        double highest = -1;
        for (int i = 0; i < 180; ++i) {
            world.step(kStep);
            highest = std::max(highest, world.state(id).position.z);
        }
        EXPECT_NEAR(highest, -0.8 + 64 / (2 * 9.81), 0.1) << "it was slowed down on its way up";
        EXPECT_NEAR(world.state(id).position.z, 0.3, 0.02);
    }
}

TEST(OneSided, FastBodiesPassFromBehindAndAreStoppedAtTheFront) {
    const ShapeDef ball{.geometry = SphereDef{0.02}};
    for (const Method method : {Method::fast, Method::faithful, Method::kavan2003}) {
        SCOPED_TRACE(name(method));
        EXPECT_GT(end_height(method, ball, sheet(true), -9.81, BodyType::static_body, 100), 0.0);
        EXPECT_GT(end_height(method, ball, sheet(true), 9.81, BodyType::static_body, 100), 50.0);
        EXPECT_LT(end_height(method, ball, sheet(false), 9.81, BodyType::static_body, 100), 0.0);
    }
}

TEST(OneSided, KinematicSheetsToo) {
    const ShapeDef ball{.geometry = SphereDef{0.3}};
    for (const Method method : {Method::fast, Method::faithful}) {
        EXPECT_GT(end_height(method, ball, sheet(true), -9.81, BodyType::kinematic_body), 0.25);
        EXPECT_GT(end_height(method, ball, sheet(true), 9.81, BodyType::kinematic_body), 1.0);
    }
}

// A passage is part of the state: a snapshot in its middle goes on the same way.
TEST(OneSided, SnapshotsKnowWhoIsPassing) {
    World world(settings_of(Method::fast));
    BodyDef ground{.type = BodyType::static_body};
    ground.shapes.push_back({.geometry = sheet(true)});
    ASSERT_TRUE(world.add_body(ground));
    BodyDef body{.position = {0, 0, -0.5}, .velocity = {0, 0, 6}};
    body.shapes.push_back({.geometry = SphereDef{0.3}});
    const BodyId id = world.add_body(body).value();
    while (world.state(id).position.z < 0.1) world.step(kStep);
    const Snapshot snapshot = world.snapshot();
    const std::uint64_t before = world.state_hash();
    EXPECT_EQ(deepest(world), 0) << "a passage is no penetration";
    run_steps(world, 20);
    const std::uint64_t after = world.state_hash();
    world.restore(snapshot);
    EXPECT_EQ(world.state_hash(), before);
    run_steps(world, 20);
    EXPECT_EQ(world.state_hash(), after);
    EXPECT_GT(world.state(id).position.z, 1);
}

TEST(OneSided, IsRefusedForSolids) {
    World world(settings_of(Method::fast));
    auto tetra = std::make_shared<TriangleSoup>();
    tetra->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tetra->triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    BodyDef ground{.type = BodyType::static_body};
    ground.shapes.push_back({.geometry = MeshDef{tetra, {}, true}});
    const auto added = world.add_body(ground);
    ASSERT_FALSE(added);
    EXPECT_EQ(to_string(added.error()),
              "shapes[0].one_sided: must not be given for a solid: only an open mesh has a front "
              "and a back");
}

} // namespace
} // namespace rigor::test
