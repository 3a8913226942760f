// The methods from the literature: the characteristic behavior of each.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "falling_ball.h"

namespace rigor::test {
namespace {

constexpr double kG = 9.81;
constexpr double kFriction = FallingBall::kFriction;
constexpr double kRadius = FallingBall::kRadius;

// A spring of stiffness k holds a weight at the depth m g/k.
TEST(Methods, PenaltySinksByTheChosenDepth) {
    ContactLaws laws;
    laws.penalty_depth = 2e-3;
    FallingBall ball(Method::penalty, 0, 0, laws);
    ball.run(3);
    EXPECT_NEAR(ball.gap(), -2e-3, 1e-6);
    EXPECT_NEAR(ball.speed(), 0, 1e-6);
}

/// A plate of 1.2 x 0.9 x 0.12 m over the ground.
struct FallingPlate {
    World world;
    BodyId id;

    FallingPlate(double gap, double restitution, double tilt)
        : world(settings_of(Method::penalty)) {
        add_ground(world, kFriction, restitution);
        BodyDef plate = with_material(body(BoxDef{{1.2, 0.9, 0.12}}), kFriction, restitution);
        plate.orientation = {std::cos(0.5 * tilt), 0, std::sin(0.5 * tilt), 0};
        plate.position = {0, 0, 0.6 * std::sin(tilt) + 0.06 * std::cos(tilt) + gap};
        id = world.add_body(plate).value();
    }
};

// Springs that are not pressed have no energy, so what a body has of its own is never more than at
// the start. Dampers of four corners once threw it up.
TEST(Methods, PenaltyAddsNoEnergy) {
    for (const double tilt : {0.0, 0.01, 0.3, 1.2})
        for (const double e : {0.0, 0.5, 0.9}) {
            FallingPlate plate(0.05, e, tilt);
            const double before = plate.world.energy().total();
            for (int i = 0; i < 240; ++i) {
                plate.world.step(kStep);
                ASSERT_LE(plate.world.energy().total(), before * (1 + 1e-3))
                    << "tilt " << tilt << ", e " << e << ", " << plate.world.time() << " s";
            }
            if (e == 0) {
                EXPECT_LT(length(plate.world.state(plate.id).velocity), 1e-6) << "tilt " << tilt;
            }
        }
}

// Four corners that land at once are one mass on four springs: it comes back as a ball does.
TEST(Methods, PenaltyGivesAPlateTheRestitutionOfABall) {
    for (const double e : {0.3, 0.6, 0.9}) {
        FallingPlate plate(0.2, e, 0);
        FallingBall ball(Method::penalty, 0.2, e);
        double fastest_plate = 0, fastest_ball = 0;
        for (int i = 0; i < 600; ++i) {
            plate.world.step(0.05 * kStep);
            ball.world.step(0.05 * kStep);
            fastest_plate = std::max(fastest_plate, plate.world.state(plate.id).velocity.z);
            fastest_ball = std::max(fastest_ball, ball.speed());
        }
        EXPECT_NEAR(fastest_plate, fastest_ball, 0.1 * fastest_ball) << "e " << e;
    }
}

// Pushed apart to D each time they meet, bodies that rest stay within D of each other, and apart.
TEST(Methods, Kavan2003KeepsTheGap) {
    ContactLaws laws;
    laws.separation_distance = 1e-3;
    FallingBall ball(Method::kavan2003, 1e-3, 0, laws);
    for (int i = 0; i < 120; ++i) {
        ball.world.step(kStep);
        EXPECT_GT(ball.gap(), 0);
        EXPECT_LE(ball.gap(), 1.05e-3);
    }
}

// A train of impacts carries the weight: what it gives in two seconds is m g times two seconds, or
// the ball would not be where it is.
TEST(Methods, Baber2011CarriesTheWeightByImpacts) {
    FallingBall ball(Method::baber2011, 1e-4);
    int impacts = 0;
    double lowest = 1, highest = -1;
    for (int i = 0; i < 120; ++i) {
        impacts += ball.world.step(kStep).impact_count;
        lowest = std::min(lowest, ball.gap());
        highest = std::max(highest, ball.gap());
    }
    EXPECT_GT(impacts, 50);
    EXPECT_GT(lowest, 0);
    EXPECT_LT(highest, 3e-3);
    const double mass = ball.world.mass_properties(ball.id).mass;
    const double given = ball.world.momentum().linear.z + mass * kG * ball.world.time();
    EXPECT_NEAR(given / (mass * kG * ball.world.time()), 1, 0.02);
}

// What has come to overlap leaves at a speed that grows with the depth.
TEST(Methods, KenwrightLeavesAtItsBiasSpeed) {
    FallingBall ball(Method::kenwright, 0.01);
    ball.world.set_velocity(ball.id, {0, 0, -1.8});
    ball.world.step(kStep);
    const double depth = -ball.gap();
    ASSERT_GT(depth, 0.02);
    ball.world.step(kStep);
    EXPECT_NEAR(ball.speed(), 6 * depth - kG * kStep, 1e-12);
}

// Bisection stops at the time of contact: there is never an overlap, and the bounce has e of the
// speed.
TEST(Methods, Galoppo2007StopsAtTheContact) {
    FallingBall ball(Method::galoppo2007, 1, 0.5);
    double fastest_up = 0;
    for (int i = 0; i < 50; ++i) {
        ball.world.step(kStep);
        EXPECT_GT(ball.gap(), 0);
        fastest_up = std::max(fastest_up, ball.speed());
    }
    EXPECT_NEAR(fastest_up, 0.5 * std::sqrt(2 * kG), 0.17); // a step's worth of gravity
}

// Without resting forces bodies sink into the ground a little with every step; the linear program
// holds them.
TEST(Methods, Baber2006RestsWhereTheForcesAct) {
    FallingBall ball(Method::baber2006, 0);
    ball.run(2);
    EXPECT_LT(std::abs(ball.gap()), 2e-3);
}

// Parts can be exchanged: the same method with another detection of contacts does not overlap.
TEST(Methods, PartsCanBeExchanged) {
    ContactLaws laws;
    laws.detection = Detection::advancement;
    FallingBall late(Method::baber2006, 1), exact(Method::baber2006, 1, 0, laws);
    double deepest_late = 0, deepest_exact = 0;
    for (int i = 0; i < 40; ++i) {
        late.world.step(kStep);
        exact.world.step(kStep);
        deepest_late = std::min(deepest_late, late.gap());
        deepest_exact = std::min(deepest_exact, exact.gap());
    }
    EXPECT_LT(deepest_late, -1e-3);
    EXPECT_GT(deepest_exact, -1e-4);
}

/// A ball or a stick of length 2, without friction and with restitution 1.
BodyDef hard_body(const std::vector<Vec3d>& centers, double radius) {
    BodyDef def;
    for (const Vec3d& center : centers) {
        ShapeDef shape = with_material(body(SphereDef{radius}), 0, 1).shapes[0];
        shape.position = center;
        def.shapes.push_back(shape);
    }
    return def;
}

class Propagation : public testing::TestWithParam<Method> {
  protected:
    static World weightless(MultiImpact rule) {
        WorldSettings settings = settings_of(GetParam());
        settings.gravity = {};
        settings.laws.multi = rule;
        return World(settings);
    }
};

INSTANTIATE_TEST_SUITE_P(Both, Propagation, testing::Values(Method::faithful, Method::baber2006));

// [Baber 2006, figure 16]
TEST_P(Propagation, PassesAllOnToTheLastBall) {
    const auto speeds_under = [&](MultiImpact rule) {
        World world = weightless(rule);
        std::vector<BodyId> balls;
        for (const double x : {-2.0, 0.0, 1.0}) {
            BodyDef ball = hard_body({{}}, kRadius);
            ball.position = {x, 0, 0};
            if (x < 0) ball.velocity = {1, 0, 0};
            balls.push_back(world.add_body(ball).value());
        }
        run_steps(world, 90);
        std::array<double, 3> speeds{};
        for (std::size_t i = 0; i < 3; ++i) speeds[i] = world.state(balls[i]).velocity.x;
        return speeds;
    };
    const std::array<double, 3> passed = speeds_under(MultiImpact::propagation);
    const std::array<double, 3> at_once = speeds_under(MultiImpact::simultaneous);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(passed[i], i == 2 ? 1.0 : 0.0, 1e-12);
        EXPECT_NEAR(at_once[i], i == 0 ? -1.0 / 3 : 2.0 / 3, 1e-12);
    }
}

// [Baber 2006, appendix C]: how many impulses until both ends part.
TEST_P(Propagation, RattlesAFlatStick) {
    struct Case {
        double inertia;
        int impulses;
    };
    for (const Case& c : {Case{1.0 / 3, 3}, Case{1, 2}, Case{1.0 / 5, 4}, Case{1.0 / 20, 7}}) {
        World world = weightless(MultiImpact::propagation);
        add_ground(world, 0, 1);
        BodyDef stick = hard_body({{-1, 0, 0}, {1, 0, 0}}, 0.1);
        stick.mass_properties =
            MassProperties{1, {}, Sym3d::diagonal({c.inertia, c.inertia, c.inertia})};
        stick.position = {0, 0, 0.1 + 0.02};
        stick.velocity = {0, 0, -1};
        const BodyId id = world.add_body(stick).value();
        int impulses = 0;
        for (int i = 0; i < 3; ++i) impulses += world.step(kStep).impulse_count;
        EXPECT_EQ(impulses, c.impulses) << "I = " << c.inertia;
        const BodyState after = world.state(id);
        const double w = std::abs(after.angular_velocity.y);
        EXPECT_GE(after.velocity.z, w) << "both ends part";
        EXPECT_NEAR(after.velocity.z * after.velocity.z + c.inertia * w * w, 1, 1e-9);
        if (c.impulses == 4) {
            EXPECT_NEAR(after.velocity.z, 79.0 / 81, 1e-9);
            EXPECT_NEAR(w, 40.0 / 81, 1e-9);
        }
    }
}

} // namespace
} // namespace rigor::test
