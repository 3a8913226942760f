// Which contacts rest, and how `separation` moves them apart.

#include "literature/method_resting.h"

#include <gtest/gtest.h>

#include <cmath>

#include "literature/method_separation.h"
#include "stage_world.h"

namespace rigor::literature {
namespace {

using test::kBallRadius;
using test::StageWorld;

/// Balls on the ground that move away from it, or into it, at these speeds.
StageWorld balls_on_ground(std::initializer_list<double> speeds) {
    StageWorld world;
    world.add_ground();
    double x = 0;
    for (const double speed : speeds) world.add_ball({x += 2, 0, kBallRadius}, {0, 0, speed});
    return world;
}

MethodState resting_contacts(StageWorld& world, const MethodParts& method) {
    MethodState step = world.detect(method);
    select_resting_contacts(world.state, method, step);
    return step;
}

TEST(RestingContacts, SeparateNoFasterThanTheRestingSpeed) {
    StageWorld world = balls_on_ground({0, 0.06, 0.04, -0.3});
    MethodParts method;
    method.resting_speed = 0.05;
    MethodState step = world.detect(method);
    ASSERT_EQ(step.contacts.size(), 4u);
    select_resting_contacts(world.state, method, step);
    ASSERT_EQ(step.island.contacts.size(), 3u);
    for (const Contact& c : step.island.contacts) EXPECT_NE(c.shapes, step.contacts[1].shapes);
    EXPECT_EQ(step.contacts.size(), 4u);
}

TEST(RestingContacts, HaveNoFrictionWhereTheMethodHasNone) {
    StageWorld world = balls_on_ground({0});
    MethodParts method;
    for (const bool has_friction : {true, false}) {
        method.has_friction = has_friction;
        MethodState step = resting_contacts(world, method);
        ASSERT_EQ(step.island.contacts.size(), 1u);
        const ContactMaterial& material = step.island.contacts[0].material;
        EXPECT_EQ(material.static_friction > 0, has_friction);
        EXPECT_EQ(material.kinetic_friction > 0, has_friction);
    }
}

TEST(RestingContacts, HaveSpringsByTheRulePenaltyOnly) {
    StageWorld world = balls_on_ground({0, 0});
    for (const RestingRule rule : {RestingRule::penalty, RestingRule::lcp}) {
        MethodParts method;
        method.resting = rule;
        const MethodState step = resting_contacts(world, method);
        EXPECT_EQ(step.springs.at.size(), rule == RestingRule::penalty ? 2u : 0u);
    }
}

/// Two balls beside each other with a gap.
struct TwoBalls {
    StageWorld world;
    std::uint32_t a, b;
    MethodParts method;

    TwoBalls(double gap, double mass_a, double mass_b)
        : a(world.add_ball({0, 0, 0}, {0.01, 0, 0}, mass_a)),
          b(world.add_ball({2 * kBallRadius + gap, 0, 0}, {}, mass_b)) {
        method.contact_distance = 5e-3;
        method.separation_distance = 1e-3;
    }
    MethodState resting() {
        MethodState step = world.detect(method);
        select_resting_contacts(world.state, method, step);
        return step;
    }
};

bool separate_resting(const WorldState& state, const MethodParts& method, MethodState& step) {
    return separate(state, method, pairs_to_separate(state, step, 0), step);
}

// The center of mass of the pair stays where it is, so the light body moves three times as far as
// one of three times its mass.
TEST(Separation, IsSharedByMass) {
    TwoBalls balls(4e-4, 1, 3);
    MethodState step = balls.resting();
    const std::vector<BodyMotion> before = step.island.motion;
    ASSERT_TRUE(separate_resting(balls.world.state, balls.method, step));
    const double moved_a = step.island.motion[balls.a].x.x - before[balls.a].x.x;
    const double moved_b = step.island.motion[balls.b].x.x - before[balls.b].x.x;
    EXPECT_NEAR(moved_a, -0.75 * 6e-4, 1e-15);
    EXPECT_NEAR(moved_b, 0.25 * 6e-4, 1e-15);
    EXPECT_EQ(step.island.motion[balls.a].p, before[balls.a].p);
}

TEST(Separation, LeavesContactsThatAreFarEnoughApart) {
    TwoBalls balls(2e-3, 1, 3);
    MethodState step = balls.resting();
    ASSERT_EQ(step.island.contacts.size(), 1u);
    const std::vector<BodyMotion> before = step.island.motion;
    EXPECT_FALSE(separate_resting(balls.world.state, balls.method, step));
    EXPECT_EQ(step.island.motion[balls.a].x, before[balls.a].x);
    EXPECT_EQ(step.island.motion[balls.b].x, before[balls.b].x);
}

TEST(Separation, LeavesABodyOfInfiniteMassInPlace) {
    StageWorld world = balls_on_ground({0});
    MethodParts method;
    method.separation_distance = 2e-3;
    MethodState step = resting_contacts(world, method);
    ASSERT_TRUE(separate_resting(world.state, method, step));
    EXPECT_EQ(step.island.motion[0].x, world.state.bodies.motion[0].x);
    EXPECT_NEAR(step.island.motion[1].x.z, kBallRadius + 2e-3, 1e-15);
}

/// Balls in a row along x, with these gaps between them.
StageWorld row_of_balls(std::initializer_list<double> gaps) {
    StageWorld world;
    double x = 0;
    world.add_ball({x, 0, 0});
    for (const double gap : gaps) world.add_ball({x += 2 * kBallRadius + gap, 0, 0});
    return world;
}

/// Contacts of 1e-5 m are separated to 1e-3 m.
MethodParts wide_separation() {
    MethodParts method;
    method.contact_distance = 2e-5;
    method.separation_distance = 1e-3;
    return method;
}

// Two balls that are separated would push a third one that is 0.1 mm away: it is moved along.
TEST(Separation, DoesNotPushIntoThirdBodies) {
    StageWorld world = row_of_balls({1e-5, 1e-4, 5e-3});
    const MethodParts method = wide_separation();
    MethodState step = resting_contacts(world, method);
    ASSERT_EQ(step.island.contacts.size(), 1u);
    ASSERT_TRUE(separate_resting(world.state, method, step));
    const std::vector<BodyMotion>& m = step.island.motion;
    const auto gap = [&](std::size_t i) { return m[i + 1].x.x - m[i].x.x - 2 * kBallRadius; };
    EXPECT_NEAR(gap(0), 1e-3, 1e-5);
    EXPECT_GE(gap(1), 0.9e-4);
    EXPECT_GT(gap(2), 1e-3);
}

// Between two walls there is no room for the whole distance: no overlap is made to get it.
TEST(Separation, OfAWedgedBodyMakesNoOverlap) {
    StageWorld world;
    world.add_static(PlaneDef{{1, 0, 0}, 0});
    world.add_static(PlaneDef{{-1, 0, 0}, -(2 * kBallRadius + 3e-4)});
    const std::uint32_t ball = world.add_ball({kBallRadius + 1e-5, 0, 0});
    const MethodParts method = wide_separation();
    MethodState step = resting_contacts(world, method);
    ASSERT_EQ(step.island.contacts.size(), 1u);
    separate_resting(world.state, method, step);
    const double x = step.island.motion[ball].x.x;
    EXPECT_GE(x - kBallRadius, 1e-5);
    EXPECT_GT(kBallRadius + 3e-4 - x, 0);
}

TEST(Separation, IsChargedATimeLinearInTheDistance) {
    MethodParts method;
    method.resting_speed = 0.2;
    method.separation_distance = 1e-3;
    EXPECT_NEAR(separation_time(method), 5e-5, 1e-15);
    method.separation_distance = 3e-3;
    EXPECT_NEAR(separation_time(method), 15e-5, 1e-15);
}

} // namespace
} // namespace rigor::literature
