// Continuous collision under `fast`: no body tunnels through another.

#include <cmath>

#include "fast_settings.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor::test {
namespace {

class Continuous : public testing::Test {
  protected:
    Continuous() {
        WorldSettings settings = fast_settings();
        settings.gravity = {};
        world = World(settings);
    }
    BodyId add(const ShapeGeometry& geometry, const Vec3d& at, const Vec3d& velocity = {},
               BodyType type = BodyType::dynamic_body, bool continuous = false) {
        BodyDef def = body(geometry, at, type);
        def.velocity = velocity;
        def.continuous = continuous;
        return world.add_body(def).value();
    }
    void run(int steps) { run_steps(world, steps); }

    World world;
};

TEST_F(Continuous, ABulletStopsAtAThinWallWhateverItsPhase) {
    // 1,000 m/s, 16 m a step, against a wall of 1 mm.
    add(BoxDef{{0.001, 100, 100}}, {10, 0, 0}, {}, BodyType::static_body);
    Random random(7);
    std::vector<BodyId> bullets;
    for (int i = 0; i < 60; ++i) {
        const Vec3d at{-random.uniform(0, 40), -15 + 0.5 * i, random.uniform(-10, 10)};
        const Vec3d v{1000, random.uniform(-30, 30), 0};
        if (i % 3 == 0) bullets.push_back(add(SphereDef{0.005}, at, v));
        if (i % 3 == 1) bullets.push_back(add(BoxDef{{0.02, 0.01, 0.01}}, at, v));
        if (i % 3 == 2) bullets.push_back(add(CapsuleDef{0.004, 0.02}, at, v));
    }
    run(30);
    for (const BodyId id : bullets) EXPECT_LT(world.state(id).position.x, 10);
}

TEST_F(Continuous, AMeshIsNoSieve) {
    TriangleSoup soup;
    soup.vertices = {{0, -20, -20}, {0, 20, -20}, {0, 20, 20}, {0, -20, 20}};
    soup.triangles = {{0, 1, 2}, {0, 2, 3}};
    const MeshDef sheet{std::make_shared<const TriangleSoup>(soup)};
    add(sheet, {5, 0, 0}, {}, BodyType::static_body);
    Random random(9);
    std::vector<BodyId> bullets;
    for (int i = 0; i < 40; ++i) {
        bullets.push_back(add(
            i % 2 == 0 ? ShapeGeometry(SphereDef{0.02}) : ShapeGeometry(BoxDef{{0.05, 0.02, 0.02}}),
            {-random.uniform(0, 20), -10 + 0.5 * i, random.uniform(-5, 5)}, {400, 0, 0}));
    }
    run(20);
    for (const BodyId id : bullets) EXPECT_LT(world.state(id).position.x, 5);
}

TEST_F(Continuous, ASpinningPlateDoesNotTurnThroughAPost) {
    // A plate of 1 mm, a meter long, at 100 rad/s: its tip goes a meter in a step.
    add(BoxDef{{0.01, 0.01, 2}}, {0, 0.6, 0}, {}, BodyType::static_body);
    const BodyId plate = add(BoxDef{{1.5, 0.001, 0.5}}, {0, 0, 0});
    world.add_joint({.b = plate, .kind = HingeJoint{}}).value();
    world.set_angular_velocity(plate, {0, 0, 100});
    double turned = 0;
    Vec3d before{1, 0, 0};
    for (int i = 0; i < 10; ++i) {
        world.step(kStep);
        const Vec3d axis = rotate(world.state(plate).orientation, Vec3d{1, 0, 0});
        turned += std::atan2(cross(before, axis).z, dot(before, axis));
        before = axis;
        EXPECT_LT(std::abs(turned), 1.6); // never past the post
    }
}

TEST_F(Continuous, BulletsMeetHeadOnIfTheyAreContinuous) {
    for (const bool continuous : {false, true}) {
        const double y = continuous ? 5 : 0;
        const BodyId a =
            add(SphereDef{0.01}, {-10, y, 0}, {700, 0, 0}, BodyType::dynamic_body, continuous);
        const BodyId b =
            add(SphereDef{0.01}, {11, y, 0}, {-650, 0, 0}, BodyType::dynamic_body, continuous);
        run(3);
        if (continuous) {
            EXPECT_LT(world.state(a).position.x, world.state(b).position.x);
        }
    }
}

TEST_F(Continuous, ABlowDoesNotThrowABallThroughTheWallBesideIt) {
    // It rests until a heavy hammer hits it, and is fast within the same step.
    add(BoxDef{{0.01, 10, 10}}, {1, 0, 0}, {}, BodyType::static_body);
    const BodyId ball = add(SphereDef{0.1}, {0, 0, 0});
    BodyDef hammer = body(BoxDef{{0.5, 0.5, 0.5}}, {-2, 0, 0});
    hammer.shapes[0].material.density = 1e5;
    hammer.velocity = {120, 0, 0};
    const BodyId hit = world.add_body(hammer).value();
    for (int i = 0; i < 30; ++i) {
        world.step(kStep);
        EXPECT_LT(world.state(ball).position.x, 1);
        EXPECT_LT(world.state(hit).position.x, 1);
    }
}

TEST_F(Continuous, FastSlidersAreNotHeldUp) {
    // A sled at 60 m/s goes a meter a step over a floor that it touches: the floor is no obstacle.
    WorldSettings settings = world.settings();
    settings.gravity = {0, 0, -9.81};
    world.set_settings(settings);
    Material ice;
    ice.static_friction = ice.kinetic_friction = 0;
    BodyDef floor = body(BoxDef{{400, 10, 2}}, {0, 0, -1}, BodyType::static_body);
    floor.shapes[0].material = ice;
    world.add_body(floor).value();
    const BodyId sled = add(BoxDef{{1, 1, 0.5}}, {-100, 0, 0.25}, {60, 0, 0});
    run(120);
    EXPECT_NEAR(world.state(sled).position.x, 20, 0.1);
    EXPECT_NEAR(world.state(sled).position.z, 0.25, 0.005);
}

// It had the velocity of the end of the step: 98 m/s after one of 10 s.
TEST_F(Continuous, ABodyStoppedInAStepHasFallenUntilThen) {
    WorldSettings settings = fast_settings();
    world = World(settings);
    add(PlaneDef{{0, 0, 1}, 0}, {}, {}, BodyType::static_body);
    const BodyId ball = add(SphereDef{0.05}, {0, 0, 1.05});
    const double start = world.energy().total();
    for (const double dt : {10.0, 1.0, 0.1}) {
        world.set_pose(ball, {{0, 0, 1.05}, {}});
        world.set_velocity(ball, {});
        world.step(dt);
        EXPECT_LE(world.energy().total(), start * (1 + 1e-9)) << dt;
    }
}

TEST(ContinuousOn, AnyThreadsIsTheSame) {
    const auto hash_with = [](int threads) {
        WorldSettings settings = fast_settings();
        settings.threads = threads;
        World world(settings);
        Random random(3);
        world.add_body(body(BoxDef{{0.01, 40, 40}}, {}, BodyType::static_body)).value();
        for (int i = 0; i < 100; ++i) {
            BodyDef box = body(BoxDef{{0.1, 0.1, 0.3}});
            box.continuous = i % 2 == 0;
            box.position = {random.uniform(-8, -1), random.uniform(-4, 4), random.uniform(0, 8)};
            box.velocity = {random.uniform(0, 300), random.uniform(-9, 9), 0};
            box.angular_velocity = {0, random.uniform(-50, 50), random.uniform(-50, 50)};
            world.add_body(box).value();
        }
        for (int i = 0; i < 60; ++i) world.step(kStep);
        return world.state_hash();
    };
    const std::uint64_t one = hash_with(1);
    EXPECT_EQ(hash_with(2), one);
    EXPECT_EQ(hash_with(5), one);
}

} // namespace
} // namespace rigor::test
