// Impact events of `faithful`: which bodies take part in an impact, and that no impact is repeated.

#include <gtest/gtest.h>

#include <cmath>

#include "support/worlds.h"

namespace rigor::test {
namespace {

World weightless() {
    WorldSettings settings = settings_of(Method::faithful);
    settings.gravity = {};
    settings.hit_speed = 0;
    settings.laws.max_events = 100;
    return World(settings);
}

BodyDef smooth(const ShapeGeometry& geometry, double restitution) {
    return with_material(body(geometry), 0, restitution);
}

BodyId add_ball(World& world, const Vec3d& position, const Vec3d& velocity, double restitution) {
    BodyDef ball = smooth(SphereDef{0.5}, restitution);
    ball.mass = 1;
    ball.position = position;
    ball.velocity = velocity;
    return world.add_body(ball).value();
}

struct Counts {
    int events = 0, impacts = 0;
    std::vector<ContactHit> hits;
    bool finished = true;
};

Counts run(World& world, double seconds) {
    Counts counts;
    for (int i = 0; i < step_count(seconds); ++i) {
        const StepReport& report = world.step(kStep);
        counts.events += report.event_count;
        counts.impacts += report.impact_count;
        counts.finished = counts.finished && report.finished;
        const std::vector<ContactHit>& hits = world.events().hits;
        counts.hits.insert(counts.hits.end(), hits.begin(), hits.end());
    }
    return counts;
}

// A ball hits a face, an edge and a corner of a static cube along the normal, so its velocity is
// reversed.
TEST(ImpactEvents, ABallBouncesBackFromFaceEdgeAndCorner) {
    for (const Vec3d& place : {Vec3d{1, 0, 0}, Vec3d{1, 1, 0}, Vec3d{1, 1, 1}}) {
        SCOPED_TRACE(length(place));
        World world = weightless();
        BodyDef cube = smooth(BoxDef{{2, 2, 2}}, 1);
        cube.type = BodyType::static_body;
        world.add_body(cube).value();
        const Vec3d normal = normalize(place);
        const BodyId ball = add_ball(world, place + normal, normal * -1.0, 1);
        const Counts counts = run(world, 1);
        EXPECT_EQ(counts.impacts, 1);
        EXPECT_NEAR(length(world.state(ball).velocity - normal), 0, 1e-12);
    }
}

// A hit is reported with the approach speed v and the impulse (1 + e) m v, m the reduced mass.
TEST(ImpactEvents, AnImpactIsReportedAsAHit) {
    World world = weightless();
    add_ball(world, {}, {}, 1);
    add_ball(world, {1.5, 0, 0}, {-2, 0, 0}, 1);
    const Counts counts = run(world, 1);
    ASSERT_EQ(counts.hits.size(), 1u);
    const ContactHit& hit = counts.hits[0];
    EXPECT_NEAR(hit.speed, 2, 1e-12);
    EXPECT_NEAR(hit.impulse, 2, 1e-12); // of equal balls the reduced mass is 1/2
    EXPECT_NEAR(length(hit.point - Vec3d{0.5, 0, 0}), 0, 1e-12);
    EXPECT_NEAR(std::abs(hit.normal.x), 1, 1e-12);
}

// Balls that do not bounce continue side by side with a relative velocity of rounding size. They
// must not collide over and over.
TEST(ImpactEvents, BallsSideBySideDoNotCollideAgain) {
    World world = weightless();
    const BodyId a = add_ball(world, {0, 0.3, 0.1}, {0.7, 0, 0}, 0);
    const BodyId b = add_ball(world, {1.7, 0, 0}, {-1.1, 0.2, 0.3}, 0);
    const Counts counts = run(world, 2);
    EXPECT_TRUE(counts.finished);
    EXPECT_EQ(counts.impacts, 1);
    const Vec3d apart = world.state(b).position - world.state(a).position;
    EXPECT_GE(length(apart), 1 - 1e-9);
}

// An impact acts on all touching bodies in one event: the last ball of a row takes the velocity.
TEST(ImpactEvents, TouchingBodiesTakePart) {
    World world = weightless();
    std::vector<BodyId> balls;
    for (int i = 0; i < 5; ++i) {
        const bool comes = i == 0;
        balls.push_back(
            add_ball(world, {i - (comes ? 0.1 : 0.0), 0, 0}, {comes ? 1.0 : 0.0, 0, 0}, 1));
    }
    const Counts counts = run(world, 0.5);
    EXPECT_EQ(counts.impacts, 1);
    for (int i = 0; i < 5; ++i) {
        const double v = world.state(balls[static_cast<std::size_t>(i)]).velocity.x;
        EXPECT_NEAR(v, i == 4 ? 1 : 0, 1e-12);
    }
}

} // namespace
} // namespace rigor::test
