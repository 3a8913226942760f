// Meshes that deform while the world runs.

#include <gmock/gmock.h>

#include "geometry/mesh_samples.h"
#include "rigor/recording.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

using testing::HasSubstr;

/// A sheet of 8 x 8 squares, 4 m wide, at z = 0.
TriangleSoup sheet() {
    return moved(sheet_mesh(8, 0.5), {{-2, -2, 0}, {}});
}

std::vector<Vec3d> raised(double height) {
    std::vector<Vec3d> vertices = sheet().vertices;
    for (Vec3d& v : vertices) v.z = height;
    return vertices;
}

struct Floor {
    explicit Floor(Method method, BodyType type = BodyType::static_body) : world(settings(method)) {
        BodyDef floor;
        floor.type = type;
        floor.shapes = {ShapeDef{MeshDef{std::make_shared<const TriangleSoup>(sheet())}}};
        body = world.add_body(floor).value();
        mesh = world.shapes(body)[0];
        BodyDef cube;
        cube.shapes = {ShapeDef{BoxDef{{0.4, 0.4, 0.4}}}};
        cube.shapes[0].material.restitution = 0;
        cube.position = {0.13, 0.17, 0.2};
        box = world.add_body(cube).value();
    }
    static WorldSettings settings(Method method) {
        WorldSettings s;
        s.method = method;
        return s;
    }
    void run(int steps) {
        for (int i = 0; i < steps; ++i) world.step(1.0 / 60);
    }
    double height() const { return world.state(box).position.z; }

    World world;
    BodyId body, box;
    ShapeId mesh;
};

// Lowered by half a meter, the box falls and lands there; as if the sheet had been built there.
TEST(MeshEdits, BodiesLandOnTheDeformedMesh) {
    for (const Method method : {Method::fast, Method::faithful}) {
        for (const BodyType type : {BodyType::static_body, BodyType::kinematic_body}) {
            SCOPED_TRACE(message(static_cast<int>(method), " ", static_cast<int>(type)));
            Floor floor(method, type);
            floor.run(20);
            EXPECT_NEAR(floor.height(), 0.2, 2e-3);
            floor.world.set_mesh_vertices(floor.mesh, raised(-0.5));
            floor.run(6); // 0.1 s of fall: 49 mm
            EXPECT_LT(floor.height(), 0.17);
            EXPECT_GT(floor.height(), 0.1);
            floor.run(60);
            EXPECT_NEAR(floor.height(), -0.3, 2e-3);
        }
    }
}

// A sheet that becomes a slope of 45 degrees: the box slides down along it.
TEST(MeshEdits, NormalsFollowTheMesh) {
    for (const Method method : {Method::fast, Method::faithful}) {
        Floor floor(method);
        Material ice = floor.world.material(floor.mesh);
        ice.static_friction = ice.kinetic_friction = 0;
        floor.world.set_material(floor.mesh, ice);
        floor.world.set_material(floor.world.shapes(floor.box)[0], ice);
        floor.run(5);
        std::vector<Vec3d> slope = sheet().vertices;
        for (Vec3d& v : slope) v.z = -0.2 * v.x - 0.1;
        floor.world.set_mesh_vertices(floor.mesh, slope);
        floor.run(30);
        EXPECT_GT(floor.world.state(floor.box).velocity.x, 0.3);
        const auto hit = floor.world.cast_ray({{1.2, 0.3, 5}, {0, 0, -1}});
        ASSERT_TRUE(hit);
        EXPECT_NEAR(hit->point.z, -0.34, 1e-9); // queries see it too
    }
}

// A sleeping body wakes, whether the mesh leaves it or comes to it from afar.
TEST(MeshEdits, SleepingBodiesWake) {
    for (const bool from_afar : {false, true}) {
        Floor floor(Method::fast);
        if (from_afar) {
            floor.world.set_mesh_vertices(floor.mesh, raised(-3));
            BodyDef stand;
            stand.type = BodyType::static_body;
            stand.position = {0, 0, -0.5};
            stand.shapes = {ShapeDef{BoxDef{{1, 1, 1}}}};
            floor.world.add_body(stand).value();
        }
        for (int i = 0; i < 300 && floor.world.is_awake(floor.box); ++i) floor.run(1);
        ASSERT_FALSE(floor.world.is_awake(floor.box));
        floor.world.set_mesh_vertices(floor.mesh, raised(from_afar ? 0.1 : -1));
        EXPECT_TRUE(floor.world.is_awake(floor.box));
        floor.run(60);
        EXPECT_NEAR(floor.height(), from_afar ? 0.3 : -0.8, 0.02);
    }
}

// Contacts that stay do not end and begin again with every deformation.
TEST(MeshEdits, TouchingPairsKeepTouching) {
    for (const Method method : {Method::fast, Method::faithful}) {
        Floor floor(method);
        floor.run(10);
        for (int i = 0; i < 20; ++i) {
            floor.world.set_mesh_vertices(floor.mesh, raised(-1e-5 * i));
            floor.run(1);
            EXPECT_TRUE(floor.world.events().ended.empty() || method == Method::faithful) << i;
        }
        EXPECT_NEAR(floor.height(), 0.2, 3e-3);
    }
}

// The state hash knows the shape, a snapshot brings it back, and the world goes on as it did.
TEST(MeshEdits, AreInHashesAndSnapshots) {
    for (const Method method : {Method::fast, Method::faithful}) {
        Floor floor(method);
        floor.run(10);
        const Snapshot flat = floor.world.snapshot();
        const std::uint64_t before = floor.world.state_hash();
        floor.world.set_mesh_vertices(floor.mesh, raised(-0.25));
        EXPECT_NE(floor.world.state_hash(), before);
        const Snapshot low = floor.world.snapshot();
        floor.run(30);
        const std::uint64_t after = floor.world.state_hash();
        floor.world.restore(low);
        floor.run(30);
        EXPECT_EQ(floor.world.state_hash(), after);
        floor.world.restore(flat);
        EXPECT_EQ(floor.world.state_hash(), before);
        floor.run(30);
        EXPECT_NEAR(floor.height(), 0.2, 2e-3);
        floor.world.restore(flat);
        floor.world.set_mesh_vertices(floor.mesh, raised(-0.25));
        floor.run(30);
        EXPECT_EQ(floor.world.state_hash(), after);
    }
}

TEST(MeshEdits, AreRecorded) {
    World world;
    world.start_recording();
    BodyDef floor;
    floor.type = BodyType::static_body;
    floor.shapes = {ShapeDef{MeshDef{std::make_shared<const TriangleSoup>(sheet())}}};
    const ShapeId mesh = world.shapes(world.add_body(floor).value())[0];
    BodyDef ball;
    ball.shapes = {ShapeDef{SphereDef{0.2}}};
    ball.position = {0.1, 0.2, 0.21};
    world.add_body(ball).value();
    for (int i = 0; i < 30; ++i) {
        world.set_mesh_vertices(mesh, raised(-0.01 * i));
        world.step(1.0 / 60);
    }
    const Recording recording = Recording::parse(world.recording().bytes()).value();
    const ReplayReport report = replay(recording, {});
    EXPECT_EQ(report.steps, 30u);
    EXPECT_FALSE(report.difference);
}

// Threads see the same.
TEST(MeshEdits, DoNotDependOnThreads) {
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2}) {
        WorldSettings settings;
        settings.threads = threads;
        Floor floor(Method::fast);
        floor.world.set_settings(settings);
        for (int i = 0; i < 40; ++i) {
            floor.world.set_mesh_vertices(floor.mesh, raised(0.02 * std::sin(0.3 * i)));
            floor.run(1);
        }
        hashes.push_back(floor.world.state_hash());
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(MeshEdits, AreRefusedInOneSentenceAndChangeNothing) {
    Floor floor(Method::fast);
    World& world = floor.world;
    BodyDef solid;
    solid.position = {0, 0, 5};
    solid.shapes = {ShapeDef{MeshDef{std::make_shared<const TriangleSoup>(
        TriangleSoup{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                     {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}})}}};
    const BodyId moving = world.add_body(solid).value();
    const std::uint64_t before = world.state_hash();
    const auto refusal = [&](ShapeId id, const std::vector<Vec3d>& vertices) -> std::string {
        try {
            world.set_mesh_vertices(id, vertices);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "accepted";
    };
    std::vector<Vec3d> few = raised(0), broken = raised(0);
    few.pop_back();
    broken[3].x = std::numeric_limits<double>::infinity();
    EXPECT_THAT(refusal(floor.mesh, few), HasSubstr("81 vertices, got 80"));
    EXPECT_THAT(refusal(floor.mesh, broken), HasSubstr("must be finite"));
    EXPECT_THAT(refusal(floor.mesh, {}), HasSubstr("got 0"));
    EXPECT_THAT(refusal(world.shapes(floor.box)[0], raised(0)), HasSubstr("is a box"));
    EXPECT_THAT(refusal(world.shapes(moving)[0], {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 2}}),
                HasSubstr("dynamic"));
    EXPECT_THAT(refusal({}, raised(0)), HasSubstr("null shape"));
    world.remove_body(moving);
    EXPECT_EQ(refusal(floor.mesh, sheet().vertices), "accepted");
    EXPECT_NE(before, 0u);
}

} // namespace
} // namespace rigor::test
