// Integration between impacts: what each integrator does to a constant force, and its work.

#include "literature/method_integration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "contact_dynamics/resolve_event.h"
#include "literature/method_resting.h"
#include "literature/method_work.h"
#include "stage_world.h"

namespace rigor::literature {
namespace {

using test::kBallRadius;
using test::kGravity;
using test::StageWorld;

constexpr double kTime = 0.1;

MethodParts with_integrator(Integrator integrator) {
    MethodParts method;
    method.integrator = integrator;
    return method;
}

// Explicit Euler moves with the velocity before, the symplectic one with that after; the others
// are exact.
TEST(Integration, FallsAsTheIntegratorDoes) {
    struct Case {
        Integrator integrator;
        double fall; // in units of g h²
    };
    for (const Case& c : {Case{Integrator::euler, 0}, Case{Integrator::symplectic, 1},
                          Case{Integrator::rk4, 0.5}, Case{Integrator::exact, 0.5}}) {
        StageWorld world;
        world.add_ball({0, 0, 0}, {1, 0, 0});
        MethodState step(world.state);
        MethodMemory memory;
        integrate(world.state, with_integrator(c.integrator), kTime, memory, step);
        const BodyMotion& m = step.island.motion[0];
        EXPECT_NEAR(m.x.x, kTime, 1e-15) << name(c.integrator);
        EXPECT_NEAR(m.x.z, -c.fall * kGravity * kTime * kTime, 1e-15) << name(c.integrator);
        EXPECT_NEAR(m.p.z, -kGravity * kTime, 1e-15) << name(c.integrator);
        EXPECT_EQ(step.island.time, kTime);
    }
}

// The work of a force of the caller is the kinetic energy that it gave. That of gravity is recorded
// from the way.
TEST(Integration, RecordsTheWorkOfForces) {
    for (const Integrator integrator :
         {Integrator::symplectic, Integrator::rk4, Integrator::exact}) {
        StageWorld world(0);
        world.add_ball({}, {}, 2);
        world.state.bodies.wrenches.push_back({{3, 0, 0}, {0, 0.2, 0}});
        MethodState step(world.state);
        MethodMemory memory;
        integrate(world.state, with_integrator(integrator), kTime, memory, step);
        const double kinetic = kinetic_energy(world.state, step.island);
        const double moment = 0.4 * 2 * kBallRadius * kBallRadius;
        EXPECT_NEAR(kinetic, 0.5 * kTime * kTime * (9.0 / 2 + 0.04 / moment), 1e-15);
        EXPECT_NEAR(step.work[0].forces, kinetic, 1e-15) << name(integrator);
    }
}

TEST(Integration, LeavesTheWorkOfGravityToTheWholeWay) {
    StageWorld world;
    world.add_ball({}, {}, 2);
    const std::vector<Vec3d> start{{0, 0, 3}};
    StepWork work(1);
    record_gravity_work(world.state, start, work);
    EXPECT_NEAR(work.by_body[0].gravity, 2 * kGravity * 3, 1e-13);
    MethodState step(world.state);
    MethodMemory memory;
    integrate(world.state, with_integrator(Integrator::rk4), kTime, memory, step);
    EXPECT_EQ(step.work[0].forces, 0);
}

// Resting forces support a ball, and give it the impulse of its weight.
TEST(Integration, SupportsRestingContacts) {
    StageWorld world;
    world.add_ground();
    const std::uint32_t ball = world.add_ball({0, 0, kBallRadius});
    MethodParts method;
    method.resting = RestingRule::lcp;
    MethodState step = world.detect(method);
    select_resting_contacts(world.state, method, step);
    ASSERT_EQ(step.island.contacts.size(), 1u);
    MethodMemory memory;
    integrate(world.state, method, kTime, memory, step);
    EXPECT_NEAR(step.island.motion[ball].x.z, kBallRadius, 1e-12);
    EXPECT_EQ(step.outcome.statistics.unsolved_count, 0);
    ASSERT_EQ(step.impulses.size(), 1u);
    EXPECT_NEAR(std::abs(step.impulses[0].impulse.z), kGravity * kTime, 1e-12);
}

TEST(MaxTimeStep, FollowsMicroCollisionsThroughEachFall) {
    StageWorld world;
    world.add_ground();
    world.add_ball({0, 0, kBallRadius});
    MethodParts method;
    method.resting = RestingRule::micro;
    method.contact_distance = 1e-3;
    MethodState step = world.detect(method);
    EXPECT_NEAR(max_time_step(world.state, method, step, 1), std::sqrt(2e-3 / kGravity) / 5, 1e-15);
    step.contacts.clear();
    EXPECT_EQ(max_time_step(world.state, method, step, 1), 1);
}

TEST(MaxTimeStep, IsThatOfTheSpringsByTheRulePenalty) {
    StageWorld world;
    MethodParts method;
    method.resting = RestingRule::penalty;
    MethodState step(world.state);
    step.springs.max_time_step = 0.003;
    EXPECT_EQ(max_time_step(world.state, method, step, 1), 0.003);
    method.resting = RestingRule::lp;
    EXPECT_EQ(max_time_step(world.state, method, step, 1), 1);
}

} // namespace
} // namespace rigor::literature
