// Impulses in a single pass, and which contacts collide and bounce.

#include "literature/method_impacts.h"

#include <gtest/gtest.h>

#include <array>

#include "literature/single_pass.h"
#include "stage_world.h"

namespace rigor::literature {
namespace {

using test::kBallRadius;
using test::StageWorld;

/// One contact of a solid ball of mass 1 with the ground: an impulse along the surface also spins
/// the ball, so it changes the velocity there by 1 + 5/2 times itself.
ImpactProblem ball_problem(const Vec3d& u, double friction, double restitution) {
    ImpactProblem problem;
    problem.w.add_row(std::array{BlockEntry{0, Mat3d{{3.5, 0, 0}, {0, 3.5, 0}, {0, 0, 1}}}});
    problem.u = {u};
    problem.friction = {friction};
    problem.restitution = {restitution};
    return problem;
}

Vec3d ball_impulse(const ImpactProblem& problem, double gap = 0, double baumgarte_rate = 6) {
    ContactFrame frame;
    frame.gap = gap;
    return single_pass_impulses(problem, std::array{frame}, baumgarte_rate).at(0);
}

void expect_near(const Vec3d& found, const Vec3d& expected) {
    EXPECT_LT(length(found - expected), 1e-14) << found.x << " " << found.y << " " << found.z;
}

TEST(SinglePass, FrictionIsAtMostMuTimesTheNormalImpulse) {
    expect_near(ball_impulse(ball_problem({2, 0, -3}, 0.1, 0.5)), {-0.45, 0, 4.5});
    expect_near(ball_impulse(ball_problem({0, -2, -3}, 0.1, 0.5)), {0, 0.45, 4.5});
}

TEST(SinglePass, FrictionOnlyStopsTheSlip) {
    expect_near(ball_impulse(ball_problem({2, 0, -3}, 1, 0.5)), {-2 / 3.5, 0, 4.5});
}

TEST(SinglePass, BiasVelocityGrowsWithThePenetration) {
    expect_near(ball_impulse(ball_problem({}, 0, 0), -0.02), {0, 0, 6 * 0.02});
    expect_near(ball_impulse(ball_problem({0, 0, -1}, 0, 0), 0.02), {0, 0, 1});
}

TEST(SinglePass, NeverPulls) {
    expect_near(ball_impulse(ball_problem({1, 0, 3}, 1, 0.5), -0.02), {});
}

// Two contacts of one body at one place: the first stops it, and nothing is left for the second.
TEST(SinglePass, LaterContactsSeeTheImpulsesOfEarlierOnes) {
    ImpactProblem problem;
    const Mat3d k = Mat3d{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 2; ++i) problem.w.add_row(std::array{BlockEntry{0, k}, BlockEntry{1, k}});
    problem.u = {{0, 0, -1}, {0, 0, -1}};
    problem.friction = problem.restitution = {0, 0};
    const std::vector<Vec3d> impulses =
        single_pass_impulses(problem, std::array<ContactFrame, 2>{}, 0);
    expect_near(impulses[0], {0, 0, 1});
    expect_near(impulses[1], {});
}

// Contacts 0, 1 and 2 are a stack that is hit at its end; 3 is elsewhere and rests.
TEST(CollidingContacts, AreAllThatTheImpactReaches) {
    ImpactProblem problem;
    const Mat3d k = Mat3d{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    problem.w.add_row(std::array{BlockEntry{0, k}, BlockEntry{1, k}});
    problem.w.add_row(std::array{BlockEntry{0, k}, BlockEntry{1, k}, BlockEntry{2, k}});
    problem.w.add_row(std::array{BlockEntry{1, k}, BlockEntry{2, k}});
    problem.w.add_row(std::array{BlockEntry{3, k}});
    problem.u = {{0, 0, 0}, {0, 0, 0}, {0, 0, -1}, {0, 0, -0.01}};
    EXPECT_EQ(colliding_contacts(problem, 0.05), (std::vector{true, true, true, false}));
    EXPECT_EQ(colliding_contacts(problem, 2), std::vector<bool>(4));
}

TEST(ImpactRestitution, IsThatOfTheMaterialInACollision) {
    for (const RestingRule rule : {RestingRule::lp, RestingRule::micro}) {
        MethodParts method;
        method.resting = rule;
        EXPECT_EQ(impact_restitution(method, 0.3, true, 0), 0.3);
    }
}

TEST(ImpactRestitution, IsZeroForRestingContactsExceptInASinglePass) {
    MethodParts method;
    EXPECT_EQ(impact_restitution(method, 0.3, false, 0), 0);
    method.single_pass = true;
    EXPECT_EQ(impact_restitution(method, 0.3, false, 0), 0); // slower than the resting speed
    method.resting_speed = 0;
    EXPECT_EQ(impact_restitution(method, 0.3, false, 0), 0.3);
}

TEST(ImpactRestitution, OfMicroCollisionsGrowsAsTheGapCloses) {
    MethodParts method;
    method.resting = RestingRule::micro;
    method.contact_distance = 1e-3;
    EXPECT_EQ(impact_restitution(method, 0.3, false, 1e-3), 0.3);
    EXPECT_NEAR(impact_restitution(method, 0.3, false, 0.75e-3), 0.5, 1e-15);
    EXPECT_EQ(impact_restitution(method, 0.3, false, 0.5e-3), 1);
    EXPECT_EQ(impact_restitution(method, 0.3, false, -1e-3), 1);
}

// [Baber 2006], video 04: an impulse by the formula for approaching bodies pulls those together
// that separate.
TEST(SignedImpulses, PullOverlappingBodiesThatSeparate) {
    ContactFrame overlapping, apart;
    overlapping.gap = -1e-3;
    apart.gap = 1e-3;
    for (const double u : {-2.0, 2.0}) {
        const ImpactProblem problem = ball_problem({1, 0, u}, 0.5, 0.5);
        expect_near(signed_impulses(problem, std::array{overlapping}).at(0), {0, 0, -1.5 * u});
        expect_near(signed_impulses(problem, std::array{apart}).at(0), {});
    }
}

// A ball that approaches more slowly than the resting speed is left to the resting rule.
TEST(Impacts, RestingContactsGetNoneWhereTheMethodSaysSo) {
    for (const double speed : {0.04, 0.06})
        for (const bool resting_impulses : {true, false}) {
            StageWorld world;
            world.add_ground();
            const std::uint32_t ball = world.add_ball({0, 0, kBallRadius}, {0, 0, -speed});
            MethodParts method;
            method.resting_speed = 0.05;
            method.resting_impulses = resting_impulses;
            MethodState step = world.detect(method);
            const bool expected = resting_impulses || speed > method.resting_speed;
            EXPECT_EQ(resolve_impacts(world.state, method, step), expected);
            EXPECT_EQ(step.island.motion[ball].p.z == -speed, !expected);
            EXPECT_EQ(step.outcome.statistics.hits.size(), expected ? 1u : 0u);
        }
}

// A ball bounces with Newton's law, and the ledger holds the energy that the impact took.
TEST(Impacts, RecordTheirWork) {
    StageWorld world;
    world.add_ground();
    const std::uint32_t ball = world.add_ball({0, 0, kBallRadius}, {0, 0, -2});
    MethodParts method;
    method.has_friction = false;
    MethodState step = world.detect(method);
    ASSERT_EQ(step.contacts.size(), 1u);
    step.contacts[0].material.restitution = 0.5;
    resolve_impacts(world.state, method, step);
    EXPECT_NEAR(step.island.motion[ball].p.z, 1, 1e-14);
    EXPECT_NEAR(step.work[ball].impact, 0.5 * (1 - 4), 1e-14);
    EXPECT_EQ(step.work[0].impact, 0);
    EXPECT_EQ(step.outcome.statistics.impact_count, 1);
}

TEST(Impacts, LeaveSeparatingContactsAlone) {
    StageWorld world;
    world.add_ground();
    const std::uint32_t ball = world.add_ball({0, 0, kBallRadius}, {0, 0, 2});
    const MethodParts method;
    MethodState step = world.detect(method);
    ASSERT_EQ(step.contacts.size(), 1u);
    resolve_impacts(world.state, method, step);
    EXPECT_EQ(step.island.motion[ball].p.z, 2);
    EXPECT_EQ(step.outcome.statistics.impact_count, 0);
}

} // namespace
} // namespace rigor::literature
