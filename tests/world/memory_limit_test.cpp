// max_memory_mb: a world that is too large does not step, and a step that grows too much ends.

#include "support/worlds.h"

namespace rigor::test {
namespace {

BodyDef cube_at(const Vec3d& position) {
    BodyDef cube{.position = position};
    cube.shapes.push_back({.geometry = BoxDef{}});
    return cube;
}

TEST(MemoryLimit, AWorldThatIsTooLargeDoesNotStep) {
    for (const Method method : {Method::free, Method::fast, Method::faithful, Method::penalty}) {
        SCOPED_TRACE(name(method));
        WorldSettings settings = settings_of(method);
        settings.max_memory_mb = 1e-4;
        World world(settings);
        const BodyId id = world.add_body(cube_at({0, 0, 5})).value();
        const StepReport& report = world.step(kStep);
        EXPECT_TRUE(report.over_memory);
        EXPECT_FALSE(report.finished);
        EXPECT_EQ(world.time(), 0);
        EXPECT_EQ(world.state(id).position.z, 5);
        settings.max_memory_mb = 1000;
        world.set_settings(settings);
        EXPECT_FALSE(world.step(kStep).over_memory);
        EXPECT_EQ(world.time(), kStep);
    }
}

// Cubes in one place have millions of pairs, far more than the cubes themselves take.
TEST(MemoryLimit, AStepThatGrowsTooMuchIsTold) {
    WorldSettings settings = settings_of(Method::fast);
    World world(settings);
    for (int i = 0; i < 1500; ++i) ASSERT_TRUE(world.add_body(cube_at({1e-4 * i, 0, 0})));
    settings.max_memory_mb = 1.5 * static_cast<double>(world.memory_bytes()) / 0x1p20;
    world.set_settings(settings);
    EXPECT_TRUE(world.step(kStep).over_memory);
    const double time = world.time();
    EXPECT_FALSE(world.step(kStep).finished);
    EXPECT_EQ(world.time(), time);
}

} // namespace
} // namespace rigor::test
