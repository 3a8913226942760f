// Sleep: what is still costs nothing, and nothing that should move goes on sleeping.

#include "fast_settings.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor::test {
namespace {

class Asleep : public testing::Test {
  protected:
    Asleep() {
        WorldSettings settings = fast_settings();
        settings.may_sleep = true;
        world = World(settings);
        floor = add(BodyType::static_body, {100, 100, 2}, {0, 0, -1});
    }
    BodyId add(BodyType type, const Vec3d& size, const Vec3d& at, bool can_sleep = true) {
        BodyDef def = body(BoxDef{size}, at, type);
        def.can_sleep = can_sleep;
        return world.add_body(def).value();
    }
    BodyId cube(const Vec3d& at, bool can_sleep = true) {
        return add(BodyType::dynamic_body, {1, 1, 1}, at, can_sleep);
    }
    std::vector<BodyId> stack(int count, double x) {
        std::vector<BodyId> ids;
        for (int i = 0; i < count; ++i) ids.push_back(cube({x, 0, 0.5 + i}));
        return ids;
    }
    void run(double seconds) { test::run(world, seconds); }

    World world;
    BodyId floor;
};

TEST_F(Asleep, AStackAtRestFallsAsleepAsAWholeAndStaysWhereItIs) {
    const std::vector<BodyId> ids = stack(5, 0);
    run(2);
    EXPECT_EQ(world.awake_count(), 0u);
    const BodyState top = world.state(ids[4]);
    EXPECT_EQ(top.velocity, Vec3d{});
    // Contacts that give way while the stack settles are not exact; sleep is.
    const double remainder = world.ledger().remainder;
    EXPECT_LT(std::abs(remainder), 0.1 * world.ledger().gravity);
    run(10);
    EXPECT_EQ(world.state(ids[4]).position, top.position);
    EXPECT_EQ(world.ledger().remainder, remainder);
}

TEST_F(Asleep, NothingSleepsThatIsNotAllowedTo) {
    stack(2, 0);
    const BodyId restless = cube({0, 0, 2.5}, false);
    const std::vector<BodyId> others = stack(2, 5);
    run(3);
    EXPECT_TRUE(world.is_awake(restless));
    EXPECT_EQ(world.awake_count(), 3u); // those below it neither
    EXPECT_FALSE(world.is_awake(others[0]));

    WorldSettings settings = world.settings();
    settings.may_sleep = false;
    world.set_settings(settings);
    run(2);
    EXPECT_EQ(world.awake_count(), 5u);
}

TEST_F(Asleep, ABallWakesWhatItHitsAndNothingElse) {
    const std::vector<BodyId> hit = stack(3, 0), other = stack(3, 20);
    run(2);
    BodyDef ball = body(SphereDef{0.3}, {-4, 0, 1.5});
    ball.velocity = {10, 0, 0};
    world.add_body(ball).value();
    run(0.3);
    EXPECT_FALSE(world.is_awake(hit[0])); // not yet
    run(0.3);
    for (const BodyId id : hit) EXPECT_TRUE(world.is_awake(id));
    EXPECT_FALSE(world.is_awake(other[0]));
    EXPECT_GT(world.state(hit[1]).position.x, 0.001);
}

// A ball that would come within millimeters at the end of a step bounces in it; from a sleeper that
// did not wake it came back as from a wall.
TEST_F(Asleep, ASleeperIsNoWallWhereverInAStepItIsHit) {
    for (int i = 0; i < 20; ++i) {
        world = World(world.settings());
        const BodyId hit = cube({0, 0, 0.5});
        add(BodyType::static_body, {100, 100, 2}, {0, 0, -1});
        run(2);
        ASSERT_FALSE(world.is_awake(hit));
        BodyDef ball = body(SphereDef{0.25}, {-2 - 0.005 * i, 0, 0.5});
        ball.shapes[0].material.restitution = 0.5;
        ball.mass = 1000;
        ball.velocity = {6, 0, 0};
        const BodyId id = world.add_body(ball).value();
        run(0.5);
        EXPECT_TRUE(world.is_awake(hit)) << i;
        EXPECT_GT(world.state(hit).velocity.x + world.state(hit).position.x, 0.5) << i;
        EXPECT_GT(world.state(id).velocity.x, -1) << i;
    }
}

TEST_F(Asleep, ForcesAndImpulsesAndNewVelocitiesWake) {
    const BodyId a = cube({0, 0, 0.5}), b = cube({5, 0, 0.5}), c = cube({10, 0, 0.5});
    run(2);
    ASSERT_EQ(world.awake_count(), 0u);
    world.apply_force(a, {10000, 0, 0});
    world.apply_impulse_at(b, {1000, 0, 0}, {5, 0, 0.5});
    world.set_velocity(c, {1, 0, 0});
    EXPECT_EQ(world.awake_count(), 3u);
    world.step(kStep);
    for (const BodyId id : {a, b, c}) EXPECT_GT(world.state(id).velocity.x, 0.01);
}

TEST_F(Asleep, WhatLosesItsSupportFalls) {
    const BodyId table = add(BodyType::static_body, {2, 2, 0.2}, {0, 0, 2});
    const BodyId on_table = cube({0, 0, 2.6});
    const BodyId below = cube({10, 0, 0.5}), above = cube({10, 0, 1.5});
    const BodyId lift = add(BodyType::kinematic_body, {2, 2, 0.2}, {20, 0, 0.1});
    const BodyId on_lift = cube({20, 0, 0.7});
    run(2);
    ASSERT_FALSE(world.is_awake(on_table));
    ASSERT_FALSE(world.is_awake(above));
    ASSERT_FALSE(world.is_awake(on_lift));
    world.remove_body(table);
    world.remove_body(below);
    world.set_velocity(lift, {0, 0, 1});
    run(1);
    EXPECT_LT(world.state(on_table).position.z, 1);
    EXPECT_LT(world.state(above).position.z, 1);
    EXPECT_NEAR(world.state(on_lift).position.z, 1.7, 0.02);
}

TEST_F(Asleep, AMovedFloorWakes) {
    const BodyId box = cube({0, 0, 0.5});
    run(2);
    world.set_pose(floor, {{0, 0, -2}, {}});
    run(0.5);
    EXPECT_LT(world.state(box).position.z, 0);
}

TEST_F(Asleep, WhatRidesDoesNotSleep) {
    const BodyId belt = add(BodyType::kinematic_body, {40, 2, 0.2}, {0, 0, 0.1});
    const BodyId box = cube({-10, 0, 0.7});
    world.set_velocity(belt, {0.02, 0, 0}); // slower than what counts as still
    run(5);
    EXPECT_TRUE(world.is_awake(box));
    EXPECT_NEAR(world.state(box).position.x, -9.9, 0.01);
}

TEST_F(Asleep, GravityTurnedOverWakesAll) {
    stack(3, 0);
    stack(2, 5);
    run(2);
    WorldSettings settings = world.settings();
    settings.gravity = {0, 0, 9.81};
    world.set_settings(settings);
    EXPECT_EQ(world.awake_count(), 5u);
    run(1);
    EXPECT_GT(world.momentum().linear.z, 1000);
}

TEST_F(Asleep, TheJoinedSleepTogetherAndWakeByTheirMotor) {
    const BodyId a = cube({0, 0, 0.5}), b = cube({1.5, 0, 0.5});
    const SliderJoint slider{{1, 0, 0}};
    const JointId joint =
        world.add_joint({.a = a, .b = b, .anchor = {0.75, 0, 0.5}, .kind = slider}).value();
    run(2);
    ASSERT_EQ(world.awake_count(), 0u);
    world.set_motor(joint, MotorDef{1.0, std::nullopt});
    EXPECT_EQ(world.awake_count(), 2u);
    run(0.5);
    EXPECT_GT(world.joint_state(joint).coordinate, 0.4);
    world.remove_body(a);
    EXPECT_EQ(world.joint_count(), 0u);
    run(3);
    EXPECT_EQ(world.awake_count(), 0u);
}

TEST_F(Asleep, WokenThingsGoOnAsIfTheyHadNeverSlept) {
    // Impulses are kept: a stack that wakes does not even tremble.
    const std::vector<BodyId> ids = stack(8, 0);
    run(3);
    ASSERT_EQ(world.awake_count(), 0u);
    const Vec3d before = world.state(ids[7]).position;
    world.wake(ids[0]);
    run(0.3);
    EXPECT_LT(length(world.state(ids[7]).position - before), 1e-3);
    EXPECT_LT(world.energy().kinetic, 0.05); // of 8 tons
}

TEST_F(Asleep, SnapshotsKnowWhoSleeps) {
    const std::vector<BodyId> ids = stack(4, 0);
    run(2);
    const Snapshot then = world.snapshot();
    world.apply_impulse_at(ids[3], {200, 0, 0}, {0, 0, 3.5});
    run(0.5);
    const std::uint64_t hash = world.state_hash();
    world.restore(then);
    EXPECT_EQ(world.awake_count(), 0u);
    world.apply_impulse_at(ids[3], {200, 0, 0}, {0, 0, 3.5});
    run(0.5);
    EXPECT_EQ(world.state_hash(), hash);
}

TEST_F(Asleep, IslandsThatMeetInTheirSleepPart) {
    // Two stacks side by side, boxes overlapping, not touching: pairs are found again on waking.
    const BodyId left = cube({0, 0, 0.5}), right = cube({1.03, 0, 0.5});
    run(2);
    ASSERT_EQ(world.awake_count(), 0u);
    world.apply_impulse_at(left, {3000, 0, 0}, {0, 0, 0.5});
    run(0.5);
    EXPECT_GT(world.state(right).position.x, 1.1);
    EXPECT_GT(world.state(right).position.x - world.state(left).position.x, 0.99);
}

TEST_F(Asleep, WhatIsRemovedNearASleeperLeavesNoPairBehind) {
    // The boxes of the two overlap by their margins, their shapes do not: the pair sleeps too, and
    // must not wake when the other is gone.
    const BodyId box = cube({0, 0, 0.5});
    const BodyId post = add(BodyType::static_body, {0.2, 0.2, 1}, {0.62, 0, 0.5});
    run(2);
    ASSERT_FALSE(world.is_awake(box));
    world.remove_body(post);
    const BodyId other = add(BodyType::static_body, {5, 5, 1}, {30, 0, 0.5}); // takes its place
    world.wake(box);
    run(1);
    EXPECT_NEAR(world.state(box).position.z, 0.5, 0.01);
    EXPECT_TRUE(world.is_valid(other));
    for (const ContactView& contact : world.contacts(box)) EXPECT_EQ(contact.a.body, floor);
}

} // namespace
} // namespace rigor::test
