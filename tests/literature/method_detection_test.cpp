// The time to the next contact, by each kind of detection.

#include "literature/method_detection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stage_world.h"

namespace rigor::literature {
namespace {

using test::kBallRadius;
using test::StageWorld;

MethodParts with_detection(Detection detection) {
    MethodParts method;
    method.detection = detection;
    method.contact_distance = 1e-4;
    return method;
}

constexpr Detection kSearches[] = {Detection::advancement, Detection::substep, Detection::bisection,
                                   Detection::regula_falsi};

/// The state at the next contact, and when that is.
struct Reached {
    double time = 0;
    MethodState step;
};

Reached next_contact(StageWorld& world, const MethodParts& method, double time_left) {
    MethodState step = world.detect(method, time_left);
    MethodMemory memory;
    const double time = advance_to_contact(world.state, method, time_left, memory, step);
    return {time, std::move(step)};
}

double time_found(StageWorld& world, Detection detection, double time_left) {
    return next_contact(world, with_detection(detection), time_left).time;
}

// A ball at 1 m/s over a gap of half a meter: it is stopped within the contact distance, on the
// free side.
TEST(TimeToContact, EndsOnTheFreeSideOfTheGround) {
    for (const Detection detection : kSearches) {
        StageWorld world(0);
        world.add_ground();
        world.add_ball({0, 0, kBallRadius + 0.5}, {0, 0, -1});
        const double gap = 0.5 - time_found(world, detection, 2);
        EXPECT_GT(gap, 0) << name(detection);
        EXPECT_LE(gap, 1.01e-4) << name(detection);
    }
}

// In free fall the path of an integrator over the whole time and over a part of it differ. The ball
// has to be found where the integrator puts it at the time of contact, for each of them.
TEST(TimeToContact, IsFoundByIntegratingAgain) {
    for (const Integrator integrator : {Integrator::euler, Integrator::symplectic, Integrator::rk4})
        for (const Detection detection : kSearches) {
            StageWorld world;
            world.add_ground();
            const std::uint32_t ball = world.add_ball({0, 0, kBallRadius + 0.5}, {1, 0, -1});
            MethodParts method = with_detection(detection);
            method.integrator = integrator;
            const Reached reached = next_contact(world, method, 0.5);
            const double gap = reached.step.island.motion[ball].x.z - kBallRadius;
            EXPECT_GT(gap, 0) << name(integrator) << " " << name(detection);
            EXPECT_LE(gap, 1.01e-4) << name(integrator) << " " << name(detection);
            EXPECT_EQ(reached.step.island.time, reached.time);
            ASSERT_EQ(reached.step.blocked.size(), 1u);
            MethodState again = world.detect(method, 0.5);
            MethodMemory memory;
            advance(world.state, method, reached.time, memory, again);
            EXPECT_EQ(again.island.motion[ball].x, reached.step.island.motion[ball].x);
        }
}

TEST(TimeToContact, IsTheWholeTimeUnderStaticDetection) {
    StageWorld world(0);
    world.add_ground();
    world.add_ball({0, 0, kBallRadius + 0.5}, {0, 0, -1});
    EXPECT_EQ(time_found(world, Detection::static_only, 2), 2);
}

// [Kavan 2003, figure 1]: what looks at the end of the motion alone does not see a thin plate that
// a ball has passed by then. Bisection starts from an overlap at the end, so it misses it too.
TEST(TimeToContact, AThinPlateIsMissedByTestsAtTheEndOnly) {
    for (const Detection detection : kSearches) {
        StageWorld world(0);
        world.add_static(BoxDef{{1, 1, 0.02}});
        world.add_ball({0, 0, 0.5}, {0, 0, -1}, 1, 0.05);
        const double found = time_found(world, detection, 1);
        if (detection == Detection::bisection || detection == Detection::regula_falsi)
            EXPECT_EQ(found, 1);
        else
            EXPECT_NEAR(found, 0.5 - 0.05 - 0.01, 2e-4) << name(detection);
    }
}

// A pair that touches already is searched like others: at once if it approaches, and where another
// corner comes down.
TEST(TimeToContact, OfPairsThatTouch) {
    for (const Detection detection : kSearches) {
        StageWorld world(0);
        world.add_ground();
        world.add_ball({0, 0, kBallRadius + 5e-5}, {0, 0, -1});
        EXPECT_NEAR(time_found(world, detection, 1), 0, 1e-4) << name(detection);

        StageWorld tipping(0);
        tipping.add_ground();
        // It stands on its left edge, 1e-5 m above the ground, and turns about it at 1 rad/s.
        const double angle = 0.1, radius = std::sqrt(0.5);
        BodyDef box = test::body(BoxDef{{1, 1, 1}});
        box.orientation = {std::cos(-0.5 * angle), 0, std::sin(-0.5 * angle), 0};
        const double up = 0.25 * std::numbers::pi + angle;
        box.position = {radius * std::cos(up), 0, radius * std::sin(up) + 1e-5};
        const std::uint32_t i = tipping.add(box);
        const Vec3d w{0, 1, 0};
        set_velocity(tipping.state.bodies, i, cross(w, box.position));
        set_angular_velocity(tipping.state.bodies, i, w);
        MethodParts method = with_detection(detection);
        method.integrator = Integrator::rk4;
        method.resting = RestingRule::separation;
        const Reached reached = next_contact(tipping, method, 0.15);
        EXPECT_LT(reached.time, 0.11) << name(detection);
        EXPECT_EQ(reached.step.blocked.size(), 1u) << name(detection);
    }
}

TEST(TimeToContact, IsThatOfTheFirstPair) {
    StageWorld world(0);
    world.add_ground();
    world.add_ball({0, 0, kBallRadius + 0.5}, {0, 0, -1});
    world.add_ball({3, 0, kBallRadius + 0.2}, {0, 0, -1});
    EXPECT_NEAR(time_found(world, Detection::advancement, 1), 0.2, 2e-4);
}

} // namespace
} // namespace rigor::literature
