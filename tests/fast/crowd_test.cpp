// Thousands of bodies at one position: a step costs in proportion to their number, and they
// separate without being thrown.

#include <gtest/gtest.h>

#include "fast_settings.h"
#include "test_support.h"

namespace rigor {
namespace {

using test::kStep;
using test::Random;

const std::vector<ShapeGeometry> kShapes{
    BoxDef{{1, 1, 1}}, SphereDef{0.5}, CapsuleDef{0.3, 0.8},
    HullDef{
        {{0.5, 0.1, -0.4}, {-0.5, 0.3, -0.4}, {0, -0.6, -0.4}, {0.4, 0.4, 0.3}, {-0.2, 0, 0.5}}}};

/// Within a cube of this edge.
World crowd(const ShapeGeometry& shape, int count, double edge, WorldSettings settings) {
    World world(settings);
    world.add_body(test::body(PlaneDef{{0, 0, 1}, -1}, {}, BodyType::static_body)).value();
    Random random(7);
    for (int i = 0; i < count; ++i)
        world.add_body(test::body(shape, random.vec(-0.5, 0.5) * edge)).value();
    return world;
}

TEST(Crowd, HasContactsInProportionToItsNumber) {
    for (const ShapeGeometry& shape : kShapes)
        for (const double edge : {0.0, 0.5}) {
            World world = crowd(shape, 1000, edge, test::fast_settings());
            for (int i = 0; i < 3; ++i) {
                const StepReport& report = world.step(kStep);
                EXPECT_GT(report.crowded_count, 900);
                EXPECT_LT(report.contacts, 1000 * (16 * 4 + 8)); // of half a million pairs
            }
        }
}

// Without gravity, what bodies gain is theirs: they have nothing to begin with.
TEST(Crowd, SeparatesWithoutBeingThrown) {
    WorldSettings settings = test::fast_settings();
    settings.gravity = {};
    for (const double edge : {0.0, 0.4}) {
        SCOPED_TRACE(edge);
        World world = crowd(SphereDef{0.1}, 200, edge, settings);
        double most = 0;
        int crowded = 0;
        for (int i = 0; i < 240; ++i) {
            crowded = world.step(kStep).crowded_count;
            most = std::max(most, world.energy().kinetic);
        }
        EXPECT_EQ(crowded, 0);
        EXPECT_LT(test::deepest(world), 0.01);
        // All of them at 10 cm/s, half a diameter in a second: 200 at one position had 450 J.
        EXPECT_LT(most, 0.5 * 200 * 4.19 * 0.1 * 0.1);
    }
}

TEST(Crowd, IsTheSameForAnyNumberOfThreads) {
    const auto hash = [](int threads) {
        WorldSettings settings = test::fast_settings();
        settings.threads = threads;
        World world = crowd(BoxDef{{1, 1, 1}}, 300, 0.3, settings);
        test::run_steps(world, 20);
        return world.state_hash();
    };
    EXPECT_EQ(hash(1), hash(4));
}

// A sensor, a tray and a floor may have any number of pairs.
TEST(Crowd, IsNotWhatManyBodiesRestOn) {
    WorldSettings settings = test::fast_settings();
    World world(settings);
    BodyDef sensor = test::body(BoxDef{{60, 60, 10}}, {}, BodyType::static_body);
    sensor.shapes[0].sensor = true;
    world.add_body(sensor).value();
    world.add_body(test::body(BoxDef{{60, 60, 1}}, {0, 0, -0.5}, BodyType::static_body)).value();
    world.add_body(test::body(BoxDef{{52, 52, 1}}, {0, 0, 0.5})).value(); // the tray
    for (int x = 0; x < 25; ++x)
        for (int y = 0; y < 25; ++y)
            world.add_body(test::body(BoxDef{{1, 1, 1}}, {2.0 * x - 24, 2.0 * y - 24, 1.5}))
                .value();
    for (int i = 0; i < 10; ++i) {
        const StepReport& report = world.step(kStep);
        EXPECT_EQ(report.crowded_count, 0);
        EXPECT_GE(report.contacts, 625 * 4 + 4);
    }
}

} // namespace
} // namespace rigor
