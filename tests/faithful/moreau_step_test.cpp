// Moreau time stepping: the fallback of `faithful` for steps with too many events.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

World faithful_world() {
    return World(settings_of(Method::faithful));
}

/// Balls that fall on each other: hundreds of contacts with an impact each.
World heap(int side) {
    World world = faithful_world();
    add_ground(world);
    Random random(1);
    for (int i = 0; i < side * side * side; ++i) {
        BodyDef ball = body(SphereDef{0.1});
        ball.mass = 10;
        const auto jitter = [&] { return random.uniform(0, 0.001); };
        ball.position = {0.21 * (i % side) + jitter(), 0.21 * (i / side % side) + jitter(),
                         0.21 * (i / side / side) + 0.101 + jitter()};
        world.add_body(ball).value();
    }
    return world;
}

double deepest(const World& world) {
    const std::vector<double> depths = world.penetrations();
    return depths.empty() ? 0 : depths.back();
}

TEST(MoreauStep, AClatteringHeapFallsBackAndIsReported) {
    World world = heap(5);
    int fixed = 0;
    double worst = 0, gained = 0;
    for (int i = 0; i < 30; ++i) {
        const double before = world.energy().total();
        const StepReport& report = world.step(kStep);
        EXPECT_TRUE(report.finished);
        fixed += report.fixed_steps > 0 ? 1 : 0;
        worst = std::max(worst, deepest(world));
        gained = std::max(gained, world.energy().total() - before);
    }
    EXPECT_GT(fixed, 0);
    EXPECT_LT(worst, 1e-6);
    EXPECT_LT(gained, 1e-6 * world.energy().total());
}

TEST(MoreauStep, InitialPenetrationIsResolved) {
    World world = faithful_world();
    add_ground(world);
    for (const double z : {0.49, 1.47}) world.add_body(body(BoxDef{{1, 1, 1}}, {0, 0, z})).value();
    world.step(kStep);
    EXPECT_LT(deepest(world), 1e-8);
    run_steps(world, 30);
    EXPECT_NEAR(world.state(world.bodies()[1]).position.z, 0.5, 1e-6);
    EXPECT_NEAR(world.state(world.bodies()[2]).position.z, 1.5, 1e-6);
    EXPECT_LT(world.energy().kinetic, 1e-12);
}

// Capsules that fall across each other spin fast enough that a substep turns them far. What bounds
// the gap at its end then asked for ever more velocity: the pile flew off with 60,000 times its
// energy.
TEST(MoreauStep, APileOfCapsulesGainsNoEnergy) {
    World world = faithful_world();
    add_ground(world);
    for (int i = 0; i < 14; ++i) {
        BodyDef capsule = body(CapsuleDef{0.2, 0.6}, {0.01 * i, 0, 0.3 + 0.6 * i});
        capsule.orientation =
            from_axis_angle(normalize(Vec3d{1, 0.3, 0}), (90 + 37 * i) * std::numbers::pi / 180);
        world.add_body(capsule).value();
    }
    const double start = world.energy().total();
    int fixed = 0;
    for (int i = 0; i < 18; ++i) {
        fixed += world.step(1.0 / 30).fixed_steps > 0 ? 1 : 0;
        ASSERT_LT(world.energy().total(), 1.001 * start) << "step " << i;
    }
    EXPECT_GT(fixed, 0);
}

TEST(MoreauStep, IsNotUsedWhenDisabled) {
    World world = heap(3);
    WorldSettings settings = world.settings();
    settings.laws.fixed_steps = false;
    world.set_settings(settings);
    for (int i = 0; i < 6; ++i) EXPECT_EQ(world.step(kStep).fixed_steps, 0);
}

// Its time is over in the middle of a solver: what that returns is not used.
TEST(MoreauStep, AStepThatRunsOutOfTimeIsTakenBack) {
    World world = heap(5);
    WorldSettings settings = world.settings();
    settings.laws.max_wall_seconds = 1e-6;
    world.set_settings(settings);
    const double start = world.time(), energy = world.energy().total();
    const StepReport& report = world.step(kStep);
    EXPECT_FALSE(report.finished);
    EXPECT_EQ(world.time(), start);
    EXPECT_EQ(world.energy().total(), energy);
    EXPECT_EQ(world.ledger().gravity, 0);
}

} // namespace
} // namespace rigor::test
