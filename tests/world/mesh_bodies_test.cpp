// Closed meshes as bodies: convex ones move as hulls do, concave ones are solids too.
#include <gtest/gtest.h>

#include "geometry/concave_samples.h"
#include "rigor/world.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

BodyDef mesh_body(const TriangleSoup& soup, const Vec3d& position, double friction = 0.5) {
    BodyDef def;
    def.position = position;
    def.shapes = {ShapeDef{MeshDef{std::make_shared<const TriangleSoup>(soup)}}};
    def.shapes[0].material.static_friction = def.shapes[0].material.kinetic_friction = friction;
    return def;
}

BodyDef ground_box() {
    BodyDef def;
    def.type = BodyType::static_body;
    def.position = {0, 0, -0.5};
    def.shapes = {ShapeDef{BoxDef{{40, 40, 1}}}};
    return def;
}

WorldSettings with_method(Method method) {
    WorldSettings settings;
    settings.method = method;
    return settings;
}

/// Positions after some steps, in the order in which the bodies are given here, however they were
/// added.
std::vector<BodyState> states_after(const std::vector<BodyDef>& bodies, Method method, int steps,
                                    bool reversed = false) {
    World world(with_method(method));
    std::vector<BodyId> ids(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::size_t at = reversed ? bodies.size() - 1 - i : i;
        ids[at] = world.add_body(bodies[at]).value();
    }
    for (int i = 0; i < steps; ++i) world.step(1.0 / 60);
    std::vector<BodyState> states;
    for (const BodyId id : ids) states.push_back(world.state(id));
    return states;
}

// A stack of cubes made of triangles is a stack of hulls, to rounding.
TEST(MeshBodies, ConvexMeshesMoveAsHulls) {
    const TriangleSoup cube = box_mesh({1, 1, 1});
    std::vector<BodyDef> meshes{ground_box()}, hulls{ground_box()};
    for (int i = 0; i < 3; ++i) {
        meshes.push_back(mesh_body(cube, {0.1 * i, 0, 0.501 + 1.001 * i}));
        hulls.push_back(meshes.back());
        hulls.back().shapes[0].geometry = HullDef{cube.vertices};
    }
    for (const Method method : {Method::fast, Method::faithful}) {
        const auto a = states_after(meshes, method, 90), b = states_after(hulls, method, 90);
        for (std::size_t i = 0; i < a.size(); ++i)
            EXPECT_LT(length(a[i].position - b[i].position), 1e-12);
    }
}

// A table of one mesh stands on its four legs, one L stands in the corner of another, and a beam
// with feet in a channel: where they were put, whatever the order.
TEST(MeshBodies, ConcaveMeshesRestOnEachOther) {
    struct Case {
        const char* name;
        std::vector<BodyDef> bodies;
    };
    const std::vector<Case> cases{
        {"table", {ground_box(), mesh_body(table_mesh(), {0, 0, 0.001})}},
        {"corner",
         {ground_box(), mesh_body(corner_mesh(), {0, 0, 0.0005}),
          mesh_body(corner_mesh(), {1.001, 0.1, 1.001})}},
        {"channel",
         {ground_box(), mesh_body(channel_mesh(), {0, 0, 0.0005}),
          mesh_body(moved(channel_mesh(),
                          {{}, normalize(Quatd{0.70710678118654752, 0, 0, 0.70710678118654752})}),
                    {0, 0, 1.001})}}};
    for (const Case& c : cases)
        for (const Method method : {Method::fast, Method::faithful})
            for (const bool reversed : {false, true}) {
                SCOPED_TRACE(message(c.name, " ", static_cast<int>(method), " ", reversed));
                const auto first = states_after(c.bodies, method, 0, reversed);
                const auto states = states_after(c.bodies, method, 120, reversed);
                for (std::size_t i = 1; i < states.size(); ++i) {
                    EXPECT_LT(length(states[i].position - first[i].position), 4e-3);
                    EXPECT_LT(length(states[i].velocity), 1e-3);
                }
            }
}

// Three rings hang in each other.
TEST(MeshBodies, ChainOfRingsHolds) {
    const TriangleSoup ring = torus_mesh(0.5, 0.12, 24, 12);
    std::vector<BodyDef> bodies;
    for (int i = 0; i < 3; ++i) {
        bodies.push_back(mesh_body(ring, {0, 0, -0.755 * i}, 0.3));
        const double h = std::sqrt(0.5);
        bodies.back().orientation = i % 2 == 0 ? Quatd{h, h, 0, 0} : Quatd{h, 0, h, 0};
    }
    bodies[0].type = BodyType::static_body;
    for (const bool reversed : {false, true}) {
        const auto states = states_after(bodies, Method::fast, 180, reversed);
        EXPECT_NEAR(states[1].position.z, -0.76, 0.01);
        EXPECT_NEAR(states[2].position.z, -1.52, 0.02);
        EXPECT_LT(length(states[2].velocity), 0.05);
    }
}

// A plank whose middle is beyond the edge of a concave step tips over it and falls to the floor: it
// gains no energy and is nowhere deep in the step.
TEST(MeshBodies, PlankTipsOverTheEdgeOfAMesh) {
    BodyDef step = mesh_body(corner_mesh(), {-1, -0.5, 0});
    step.type = BodyType::static_body;
    BodyDef plank;
    plank.position = {1.15, 0, 1.11};
    plank.shapes = {ShapeDef{BoxDef{{1.2, 0.6, 0.2}}}};
    World world;
    world.add_body(ground_box()).value();
    world.add_body(step).value();
    const BodyId id = world.add_body(plank).value();
    const double energy = world.energy().kinetic + world.energy().potential;
    for (int i = 0; i < 180; ++i) {
        world.step(1.0 / 60);
        const double now = world.energy().kinetic + world.energy().potential;
        ASSERT_LE(now, energy + 1e-3 * std::abs(energy));
        for (const double depth : world.penetrations()) ASSERT_LT(depth, 6e-3);
    }
    EXPECT_NEAR(world.state(id).position.z, 0.1, 0.01);
}

} // namespace
} // namespace rigor::test
