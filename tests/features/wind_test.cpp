// Wind: the velocities of a whirl, the drag of a steady stream, and bodies that it does not act on.
#include "rigor/wind.h"

#include <cmath>

#include "rigor/simulation.h"
#include "support/bodies.h"
#include "test_support.h"

namespace rigor::test {
namespace {

TEST(Wind, AWhirlTurnsLikeARigidBodyInsideAndFallsOffOutside) {
    WindDef wind{{1, 0, 0}, WhirlDef{{0, 0, 2}, {0, 0, 5}, 3, 12, 6, 4, 10}, 1.2, 1};
    const auto at = [&](double x, double z) { return wind_velocity(wind, {x, 0, z}); };
    EXPECT_LT(length(at(3, 2) - Vec3d{1 - 6, 12, 1}), 1e-12);
    EXPECT_LT(length(at(1.5, 2) - Vec3d{1 - 3, 6, 4 / 1.5625}), 1e-12);
    EXPECT_LT(length(at(6, 2) - Vec3d{1 - 3, 6, 4.0 / 25}), 1e-12);
    EXPECT_LT(length(at(0, 2) - Vec3d{1, 0, 4}), 1e-12);
    EXPECT_LT(length(at(3, 12) - at(3, 2)), 1e-12) << "up to its height";
    EXPECT_LT(length(at(3, 14.5) - Vec3d{1 - 3, 6, 0.5}), 1e-12) << "half as fast";
    EXPECT_LT(length(at(3, 17) - Vec3d{1, 0, 0}), 1e-12) << "and then the stream alone";
}

/// A cube of 1 kg without weight in a stream of 10 m/s, after a second.
double speed_in_stream(double drag_coefficient, double dt) {
    World world({.gravity = {}});
    BodyDef def = body(BoxDef{});
    def.mass = 1;
    const BodyId id = world.add_body(def).value();
    const WindDef wind{
        .velocity = {10, 0, 0}, .density = 1.2, .drag_coefficient = drag_coefficient};
    for (long i = std::lround(1 / dt); i > 0; --i) {
        apply_wind(world, wind, dt);
        world.step(dt);
    }
    return world.state(id).velocity.x;
}

// dv/dt = k (u - v)² with k = rho c A / 2m has the solution u - v = u / (1 + k u t).
TEST(Wind, DragFollowsTheClosedForm) {
    const double k = 0.5 * 1.2 * 0.5, expected = 10 - 10 / (1 + k * 10);
    const double coarse = std::abs(speed_in_stream(0.5, 1.0 / 60) / expected - 1);
    const double fine = std::abs(speed_in_stream(0.5, 1.0 / 240) / expected - 1);
    EXPECT_LT(coarse, 0.01);
    EXPECT_LT(fine, 0.3 * coarse + 1e-14);
    EXPECT_LT(speed_in_stream(1e6, 1.0 / 60), 10 + 1e-9) << "no more than the air";
}

TEST(Wind, LeavesWhatIsNotDynamicOrHeavyAndAsleep) {
    World world;
    world.add_body(ground()).value();
    const BodyId wall = world.add_body(body(BoxDef{}, {5, 0, 0.5}, BodyType::static_body)).value();
    const BodyId heavy = world.add_body(body(BoxDef{}, {0, 0, 0.5})).value();
    for (int i = 0; i < 120; ++i) {
        apply_wind(world, {.velocity = {3, 0, 0}}, 1.0 / 60);
        world.step(1.0 / 60);
    }
    EXPECT_FALSE(world.is_awake(heavy));
    EXPECT_EQ(world.state(wall).velocity, Vec3d{});
    apply_wind(world, {.velocity = {300, 0, 0}}, 1.0 / 60);
    world.step(1.0 / 60);
    EXPECT_TRUE(world.is_awake(heavy));
}

TEST(Wind, IsRefusedWhenItCannotBe) {
    const auto refusal = [](const WindDef& wind) {
        const Result<void> checked = check_wind(wind);
        return checked ? "" : to_string(checked.error());
    };
    EXPECT_EQ(refusal({}), "");
    EXPECT_EQ(refusal({.density = 0}), "wind.density: must be positive");
    EXPECT_EQ(refusal({.drag_coefficient = -1}), "wind.drag_coefficient: must be positive");
    EXPECT_EQ(refusal({.velocity = {std::nan(""), 0, 0}}), "wind.velocity: must be finite");
    EXPECT_EQ(refusal({.whirl = WhirlDef{.axis = {}}}),
              "wind.whirl.axis: must be finite and not zero");
    EXPECT_EQ(refusal({.whirl = WhirlDef{.radius = 0}}), "wind.whirl.radius: must be positive");
}

} // namespace
} // namespace rigor::test
