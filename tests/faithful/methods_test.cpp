// The methods of the documents: what each of them is known by.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rigor/world.h"

namespace rigor {
namespace {

constexpr double kG = 9.81;
constexpr double kStep = 1.0 / 60;
constexpr double kRadius = 0.5;

/// A ball over the ground.
struct Falling {
    World world;
    BodyId id;

    Falling(Method method, double gap, double restitution = 0, const ContactLaws& laws = {})
        : world(settings(method, laws)) {
        BodyDef ground;
        ground.type = BodyType::static_body;
        ground.shapes.push_back(shape(PlaneDef{{0, 0, 1}, 0}, restitution));
        world.add_body(ground).value();
        BodyDef ball;
        ball.type = BodyType::dynamic_body;
        ball.position = {0, 0, kRadius + gap};
        ball.shapes.push_back(shape(SphereDef{kRadius}, restitution));
        id = world.add_body(ball).value();
    }

    static WorldSettings settings(Method method, const ContactLaws& laws) {
        WorldSettings s;
        s.method = method;
        s.laws = laws;
        return s;
    }
    static ShapeDef shape(const ShapeGeometry& geometry, double restitution) {
        ShapeDef def;
        def.geometry = geometry;
        def.material.restitution = restitution;
        return def;
    }

    double gap() const { return world.state(id).position.z - kRadius; }
    double speed() const { return world.state(id).velocity.z; }
    void run(double seconds) {
        for (double t = 0; t < seconds - 0.5 * kStep; t += kStep) world.step(kStep);
    }
};

// A spring of stiffness k holds a weight at the depth m g/k.
TEST(Methods, PenaltySinksByTheChosenDepth) {
    ContactLaws laws;
    laws.penalty_depth = 2e-3;
    Falling ball(Method::penalty, 0, 0, laws);
    ball.run(3);
    EXPECT_NEAR(ball.gap(), -2e-3, 1e-6);
    EXPECT_NEAR(ball.speed(), 0, 1e-6);
}

// Pushed apart to D each time they meet, bodies that rest stay within D of each other, and apart.
TEST(Methods, Kavan2003KeepsTheGap) {
    ContactLaws laws;
    laws.separation_distance = 1e-3;
    Falling ball(Method::kavan2003, 1e-3, 0, laws);
    for (int i = 0; i < 120; ++i) {
        ball.world.step(kStep);
        EXPECT_GT(ball.gap(), 0);
        EXPECT_LE(ball.gap(), 1.05e-3);
    }
}

// A train of impacts carries the weight: what it gives in two seconds is m g times two seconds, or
// the ball would not be where it is.
TEST(Methods, Baber2011CarriesTheWeightByImpacts) {
    Falling ball(Method::baber2011, 1e-4);
    int impacts = 0;
    double lowest = 1, highest = -1;
    for (int i = 0; i < 120; ++i) {
        impacts += ball.world.step(kStep).impacts;
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

// What overlaps leaves at a speed that grows with the depth.
TEST(Methods, KenwrightLeavesAtItsBiasSpeed) {
    Falling ball(Method::kenwright, -0.02);
    ball.world.step(kStep);
    EXPECT_NEAR(ball.speed(), 6 * 0.02 - kG * kStep, 1e-12);
}

// Bisection stops at the time of contact: there is never an overlap, and the bounce has e of the
// speed.
TEST(Methods, Galoppo2007StopsAtTheContact) {
    Falling ball(Method::galoppo2007, 1, 0.5);
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
    Falling ball(Method::baber2006, 0);
    ball.run(2);
    EXPECT_LT(std::abs(ball.gap()), 2e-3);
}

// Parts can be exchanged: the same document with another detection of contacts does not overlap.
TEST(Methods, PartsCanBeExchanged) {
    ContactLaws laws;
    laws.detection = Detection::advancement;
    Falling late(Method::baber2006, 1), exact(Method::baber2006, 1, 0, laws);
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

} // namespace
} // namespace rigor
