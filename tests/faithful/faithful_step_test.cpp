// Worlds under `faithful`: laws of motion that a world must obey to rounding.

#include <gtest/gtest.h>

#include <cmath>

#include "rigor/rotation.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kG = 9.81;

World faithful_world() {
    return World(settings_of(Method::faithful));
}

BodyDef solid(const ShapeGeometry& geometry, const Vec3d& position, double friction,
              double restitution = 0) {
    return with_material(body(geometry, position), friction, restitution);
}

/// On a ground of the same friction.
BodyId add_sliding_box(World& world, double friction, double speed) {
    add_ground(world, friction);
    BodyDef box = solid(BoxDef{{1, 1, 1}}, {0, 0, 0.5}, friction);
    box.velocity = {speed, 0, 0};
    return world.add_body(box).value();
}

// v² / 2 mu g, whatever the step.
TEST(Faithful, ASlidingBoxStopsWhereCoulombSays) {
    World world = faithful_world();
    const BodyId id = add_sliding_box(world, 0.5, 3);
    run(world, 2);
    EXPECT_NEAR(world.state(id).position.x, 9 / (2 * 0.5 * kG), 1e-12);
    EXPECT_NEAR(length(world.state(id).velocity), 0, 1e-13);
    EXPECT_NEAR(world.ledger().remainder, 0, 1e-9);
}

// Sliding becomes rolling at 5/7 of the speed; the friction until then is all that was lost.
TEST(Faithful, ABallThatSlidesComesToRoll) {
    World world = faithful_world();
    add_ground(world, 0.2);
    BodyDef ball = solid(SphereDef{0.5}, {0, 0, 0.5}, 0.2);
    ball.velocity = {5, 0, 0};
    const BodyId id = world.add_body(ball).value();
    run(world, 2);
    EXPECT_NEAR(world.state(id).velocity.x, 25.0 / 7, 1e-12);
    EXPECT_NEAR(world.state(id).angular_velocity.y, 50.0 / 7, 1e-12);
    EXPECT_NEAR(world.ledger().remainder, 0, 1e-9);
}

// Each bounce keeps e² of the height, and after infinitely many of them the ball lies still.
TEST(Faithful, ABallBouncesAndComesToRest) {
    World world = faithful_world();
    add_ground(world, 0, 0.8);
    const BodyId id = world.add_body(solid(SphereDef{0.5}, {0, 0, 1.5}, 0, 0.8)).value();
    double last = 0, highest = 0;
    std::vector<double> apexes;
    for (int i = 0; i < 300; ++i) {
        world.step(kStep);
        const BodyState s = world.state(id);
        if (last > 0 && s.velocity.z <= 0 && apexes.size() < 4)
            apexes.push_back(s.position.z - 0.5 + s.velocity.z * s.velocity.z / (2 * kG));
        last = s.velocity.z;
        highest = std::max(highest, s.position.z);
    }
    ASSERT_EQ(apexes.size(), 4u);
    for (std::size_t n = 0; n < 4; ++n)
        EXPECT_NEAR(apexes[n], std::pow(0.64, static_cast<double>(n + 1)), 1e-12);
    EXPECT_NEAR(world.state(id).position.z, 0.5, 1e-9);
    EXPECT_NEAR(world.state(id).velocity.z, 0, 1e-12);
}

// The block falls on its other edge and goes on with (1 - 3/2 sin² of the half angle) of its rate:
// here 1 - 3/2 · 0.04/1.04.
TEST(Faithful, ARockingBlockKeepsWhatHousnerSays) {
    World world = faithful_world();
    add_ground(world, 1);
    const double tilt = 0.1, b = 0.2, h = 1;
    const Quatd q = from_rotation_vector(Vec3d{0, tilt, 0});
    BodyDef block =
        solid(BoxDef{{2 * b, 1, 2 * h}}, Vec3d{b, 0, 0} + rotate(q, Vec3d{-b, 0, h}), 1);
    block.orientation = q;
    const BodyId id = world.add_body(block).value();
    double before = 0, after = 0;
    for (int i = 0; i < 60 && after == 0; ++i) {
        const double rate = std::abs(world.state(id).angular_velocity.y);
        const double energy = world.energy().total();
        world.step(kStep);
        if (world.energy().total() < energy - 1e-6) {
            // At the moment of impact all energy is that of turning about an edge.
            const double floor = world.mass_properties(id).mass * kG * h;
            before = std::sqrt(energy - floor);
            after = std::sqrt(world.energy().total() - floor);
        }
        ASSERT_LT(rate, 10);
    }
    EXPECT_NEAR(after / before, 1 - 1.5 * 0.04 / 1.04, 1e-9);
}

// Momentum and energy of balls in a box without gravity.
TEST(Faithful, ElasticBallsKeepEnergyAndMomentum) {
    WorldSettings settings;
    settings.method = Method::faithful;
    settings.gravity = {};
    World world(settings);
    Random random(3);
    for (int i = 0; i < 27; ++i) {
        BodyDef ball =
            solid(SphereDef{0.3}, {1.0 * (i % 3), 1.0 * (i / 3 % 3), 1.0 * (i / 9)}, 0, 1);
        ball.velocity = random.vec(-3, 3);
        world.add_body(ball).value();
    }
    const double energy = world.energy().total();
    const Momentum momentum = world.momentum();
    int impacts = 0;
    for (int i = 0; i < 60; ++i) impacts += world.step(kStep).impact_count;
    EXPECT_GE(impacts, 5);
    EXPECT_NEAR(world.energy().total(), energy, 1e-12 * energy);
    EXPECT_NEAR(length(world.momentum().linear - momentum.linear), 0, 1e-10);
    EXPECT_NEAR(length(world.momentum().angular - momentum.angular), 0, 1e-10);
}

// A step that needs more events than its budget allows ends early and is reported as unfinished.
TEST(Faithful, AnExhaustedBudgetIsReported) {
    WorldSettings settings;
    settings.method = Method::faithful;
    settings.laws.max_events = 1;
    World world(settings);
    add_ground(world, 0, 1);
    for (int i = 0; i < 3; ++i)
        world.add_body(solid(SphereDef{0.1}, {1.0 * i, 0, 0.1 + 1e-3 * (i + 1)}, 0, 1)).value();
    bool finished = true;
    for (int i = 0; i < 20 && finished; ++i) finished = world.step(kStep).finished;
    EXPECT_FALSE(finished);
    EXPECT_LT(world.time(), 20 * kStep);
}

// The same bits in a second run, and after restoring a snapshot.
TEST(Faithful, RepeatsItself) {
    const auto build = [] {
        World world = faithful_world();
        add_ground(world, 0.4, 0.3);
        for (int i = 0; i < 3; ++i) {
            BodyDef box = solid(BoxDef{{1, 1, 1}}, {0.1 * i, 0, 0.7 + 1.3 * i}, 0.4, 0.3);
            box.orientation = from_rotation_vector(Vec3d{0.1, 0.2 * i, 0});
            world.add_body(box).value();
        }
        return world;
    };
    World once = build(), twice = build();
    run(once, 0.2);
    const Snapshot middle = once.snapshot();
    run(once, 0.2);
    run(twice, 0.4);
    EXPECT_EQ(once.state_hash(), twice.state_hash());
    const std::uint64_t end = once.state_hash();
    once.restore(middle);
    run(once, 0.2);
    EXPECT_EQ(once.state_hash(), end);
}

// A joint at the center of mass exerts no torque: the body tumbles as a free one does, through
// flips that amplify every error.
TEST(Faithful, ABodyPinnedAtItsCenterTurnsAsAFreeOne) {
    for (const double dt : {1.0 / 60, 1.0 / 240}) {
        BodyDef box = body(BoxDef{{0.1, 0.4, 0.9}}, {});
        box.angular_velocity = {0.1, 5, 0.1};
        World free = faithful_world(), pinned = faithful_world();
        const BodyId a = free.add_body(box).value(), b = pinned.add_body(box).value();
        pinned.add_joint({.b = b, .kind = BallJoint{}}).value();
        for (int i = 0; i < std::lround(10 / dt); ++i) free.step(dt), pinned.step(dt);
        const Vec3d w = free.state(a).angular_velocity;
        EXPECT_LT(length(pinned.state(b).angular_velocity - w), 1e-9) << dt;
        EXPECT_LT(length(pinned.state(b).position), 1e-14) << dt;
    }
}

/// The impulses along the normals of all contacts of the last step.
double normal_impulse(const World& world) {
    double sum = 0;
    for (const ContactView& contact : world.contacts())
        for (int i = 0; i < contact.count; ++i)
            sum += contact.points[static_cast<std::size_t>(i)].impulse;
    return sum;
}

// What a contact reports is the impulse of the whole step: of forces that change in it, and of the
// impact with which it began.
TEST(Faithful, AContactReportsTheImpulseOfTheWholeStep) {
    World world = faithful_world();
    add_ground(world, 0.3);
    BodyDef box = solid(BoxDef{{1, 1, 1}}, {0, 0, 0.52}, 0.3);
    box.velocity = {0.5, 0, 0};
    const BodyId id = world.add_body(box).value();
    const double m = world.mass_properties(id).mass;
    for (int i = 0; i < 40; ++i) {
        const Vec3d before = world.state(id).velocity;
        world.step(kStep);
        const Vec3d gained = world.state(id).velocity - before;
        Vec3d friction;
        for (const ContactView& contact : world.contacts()) friction += contact.friction;
        EXPECT_NEAR(normal_impulse(world), m * (gained.z + kG * kStep), 1e-9 * m) << i;
        EXPECT_NEAR(friction.x, m * gained.x, 1e-9 * m) << i;
    }
}

// Bounces of 1e-9 s are not followed: a threshold below 1e-7 m/s is that much.
TEST(Faithful, ABoxComesToRestForAnyThreshold) {
    for (const double tilt : {0.0, 0.1, 0.5}) {
        WorldSettings settings = settings_of(Method::faithful);
        settings.laws.tolerance = 1e-12;
        settings.laws.fixed_steps = false;
        World world(settings);
        add_ground(world, 0.5, 0.8);
        BodyDef box = solid(BoxDef{{1, 1, 1}}, {0, 0, 1}, 0.5, 0.8);
        box.orientation = from_rotation_vector(Vec3d{tilt, 0.7 * tilt, 0});
        const BodyId id = world.add_body(box).value();
        int events = 0;
        for (int i = 0; i < 300; ++i) events += world.step(kStep).event_count;
        EXPECT_LT(events, 1000) << tilt;
        EXPECT_LT(length(world.state(id).velocity), 1e-9) << tilt;
    }
}

} // namespace
} // namespace rigor::test
