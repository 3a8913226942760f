// What the settings of the texts do: rules without forces, projection, order of contacts, impulses
// while separating, kinetic friction of springs.

#include <gtest/gtest.h>

#include <cmath>

#include "falling_ball.h"
#include "literature/linear_programs.h"

namespace rigor::test {
namespace {

constexpr double kG = 9.81;
constexpr Method kLiterature[] = {Method::baber2006, Method::kavan2003,   Method::baber2011,
                                  Method::kenwright, Method::galoppo2007, Method::penalty};

// Impulses alone remove the velocity, not the way: each step sinks by g dt²/2 (videos 05 and 06).
TEST(RestingNone, SinksByHalfOfGDtEachSecond) {
    ContactLaws laws;
    laws.resting = RestingRule::none;
    FallingBall ball(Method::baber2006, 0, 0, laws);
    run(ball.world, 1);
    const double before = ball.gap();
    run(ball.world, 1);
    EXPECT_NEAR(before - ball.gap(), 0.5 * kG * kStep, 0.02 * 0.5 * kG * kStep);
}

TEST(RestingNone, ExistsForAllMethods) {
    ContactLaws laws;
    laws.resting = RestingRule::none;
    for (const Method method : kLiterature) {
        // Thrown down, as what nothing carries meets the ground without end, and in every interval.
        FallingBall ball(method, 0.01, 0, laws);
        ball.world.set_velocity(ball.id, {0, 0, -3});
        run(ball.world, 0.05);
        EXPECT_TRUE(std::isfinite(ball.gap())) << name(method);
        EXPECT_NEAR(ball.world.time(), 0.05, 1e-12) << name(method);
        // penalty has no impulses either: nothing is left to hold the ball.
        if (method == Method::penalty) {
            EXPECT_LT(ball.gap(), -0.1);
        } else {
            EXPECT_GT(ball.gap(), -0.1) << name(method);
        }
    }
}

TEST(Kenwright, HasNoLinearProgram) {
    const literature::MethodParts parts =
        literature::method_parts_for(Method::kenwright, settings_of(Method::kenwright));
    EXPECT_EQ(parts.resting, RestingRule::none);
    EXPECT_TRUE(literature::check_linear_programs(Method::kenwright, parts));
}

// [Kenwright, 1]: bodies that are moved apart with their velocities kept overlap again in the next
// step; with velocities set to zero they stop dead, where they should bounce.
TEST(Projection, KeepsVelocitiesOrStopsDead) {
    ContactLaws laws;
    laws.resting = RestingRule::projection;
    laws.tolerance = 1e6; // no contact is fast enough for an impulse: projection alone
    for (const bool keep : {true, false}) {
        laws.keep_velocity = keep;
        FallingBall ball(Method::kenwright, 0.5, 1, laws);
        double highest_speed = 0, speed_at_contact = 0;
        for (int i = 0; i < 60; ++i) {
            const bool overlapped = ball.gap() < 0;
            ball.world.step(kStep);
            highest_speed = std::max(highest_speed, ball.speed());
            if (overlapped) speed_at_contact = ball.speed();
            if (overlapped) {
                EXPECT_GT(ball.gap(), ball.speed() * kStep - 1e-12) << "moved out by its depth";
            }
        }
        EXPECT_LE(highest_speed, 0) << "no bounce";
        if (keep) {
            EXPECT_NEAR(speed_at_contact, -kG, 0.2) << "it falls on as if it were alone";
        } else {
            EXPECT_NEAR(speed_at_contact, -kG * kStep, 1e-9) << "it stopped dead";
        }
    }
}

TEST(Projection, LeavesImpulsesToFasterContacts) {
    ContactLaws laws;
    laws.resting = RestingRule::projection;
    FallingBall ball(Method::kenwright, 0.5, 0.5, laws);
    double highest_speed = 0;
    for (int i = 0; i < 60; ++i) {
        ball.world.step(kStep);
        highest_speed = std::max(highest_speed, ball.speed());
    }
    EXPECT_NEAR(highest_speed, 0.5 * std::sqrt(kG), 0.25);
}

// Two balls hit a third one at once. By speed the faster one strikes first; in the order of the
// list that which was added first.
TEST(ContactOrder, DecidesWhoStrikesFirst) {
    const auto velocity_of_target = [](std::optional<ContactOrder> order) {
        WorldSettings settings = settings_of(Method::baber2006);
        settings.gravity = {};
        settings.laws.contact_order = order;
        World world(settings);
        const auto add_ball = [&](const Vec3d& position, const Vec3d& velocity) {
            BodyDef ball = with_material(body(SphereDef{FallingBall::kRadius}, position), 0, 1);
            ball.velocity = velocity;
            return world.add_body(ball).value();
        };
        const double half = 0.5, high = std::sqrt(0.75);
        add_ball({-half, -high, 0}, Vec3d{half, high, 0});
        add_ball({half, -high, 0}, Vec3d{-half, high, 0} * 3);
        const BodyId target = add_ball({0, 0, 0}, {});
        world.step(1e-6);
        return world.state(target).velocity;
    };
    const Vec3d fastest = velocity_of_target(ContactOrder::fastest);
    const Vec3d listed = velocity_of_target(ContactOrder::listed);
    EXPECT_EQ(velocity_of_target({}), fastest);
    EXPECT_GT(length(fastest - listed), 0.1);
}

// Video 04: a ball that overlaps after its bounce is pulled back by the next impulse.
TEST(SeparatingImpulses, KeepBodiesTogether) {
    ContactLaws laws;
    laws.resting = RestingRule::none;
    FallingBall right(Method::baber2006, 0.5, 0.5, laws);
    laws.separating_impulses = true;
    FallingBall wrong(Method::baber2006, 0.5, 0.5, laws);
    int pulled = 0;
    double highest = -1;
    for (int i = 0; i < 60; ++i) {
        right.world.step(kStep);
        wrong.world.step(kStep);
        for (const ContactView& contact : wrong.world.contacts())
            pulled += contact.points[0].impulse < 0;
        if (i > 25) highest = std::max(highest, wrong.gap());
    }
    EXPECT_GE(pulled, 1);
    EXPECT_LT(highest, 0.05) << "it does not leave the ground";
    EXPECT_GT(right.gap(), -0.1);
}

// A box that slides is slowed by kinetic friction; one at rest is held by static friction, on a
// slope that kinetic friction could not hold.
TEST(PenaltyFriction, IsKineticWhileSlippingAndStaticWhileSticking) {
    constexpr double kStatic = 0.8, kKinetic = 0.3;
    const auto with_friction = [&](BodyDef def) {
        def.shapes[0].material.static_friction = kStatic;
        def.shapes[0].material.kinetic_friction = kKinetic;
        return def;
    };
    for (const double speed : {0.0, 3.0}) {
        WorldSettings settings = settings_of(Method::penalty);
        const double slope = speed > 0 ? 0 : 0.45; // of gravity along the ground
        settings.gravity = {kG * slope, 0, -kG};
        World world(settings);
        world.add_body(with_friction(ground())).value();
        BodyDef box =
            with_friction(body(BoxDef{{1, 1, 0.2}}, {0, 0, 0.09975})); // at rest on four springs
        box.velocity = {speed, 0, 0};
        const BodyId id = world.add_body(box).value();
        run(world, 0.2);
        const double before = world.state(id).velocity.x;
        run(world, 0.4);
        const double after = world.state(id).velocity.x;
        if (speed > 0) {
            EXPECT_NEAR((before - after) / 0.4, kKinetic * kG, 0.03 * kKinetic * kG);
        } else {
            EXPECT_LT(std::abs(after), 1e-3) << "static friction holds it";
        }
    }
}

} // namespace
} // namespace rigor::test
