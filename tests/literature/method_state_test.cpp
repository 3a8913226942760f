// The island of all bodies, and what a step writes back.

#include "literature/method_state.h"

#include <gtest/gtest.h>

#include "stage_world.h"

namespace rigor::literature {
namespace {

using test::kBallRadius;
using test::StageWorld;

TEST(MethodState, TakesEveryBodyThatIsThere) {
    StageWorld world;
    world.add_ground();
    const std::uint32_t removed = world.add_ball({0, 0, 1});
    world.add_ball({2, 0, 1}, {3, 0, 0});
    world.state.bodies.remove(world.state.bodies.ids.id_at(removed));
    const MethodState step(world.state);
    EXPECT_EQ(step.island.bodies, (std::vector<std::uint32_t>{0, 2}));
    EXPECT_EQ(step.island.motion[1].p, (Vec3d{3, 0, 0}));
    EXPECT_EQ(step.work.size(), 2u);
}

TEST(MethodState, WritesMotionAndWorkBackByBody) {
    StageWorld world;
    world.add_ground();
    const std::uint32_t ball = world.add_ball({0, 0, 1});
    MethodState step(world.state);
    step.island.motion[1].x = {7, 8, 9};
    step.work[0].impact = step.work[1].impact = -5;
    write_back(step, world.state);
    EXPECT_EQ(world.state.bodies.motion[ball].x, (Vec3d{7, 8, 9}));
    EXPECT_EQ(step.outcome.work.by_body[ball].impact, -5);
    EXPECT_EQ(step.outcome.work.by_body[0].impact, 0);
    EXPECT_EQ(step.outcome.moved, 1);
}

// The ground would join everything that touches it into one island.
TEST(MethodState, OnlyBodiesOfFiniteMassInteract) {
    StageWorld world;
    world.add_ground();
    world.add_ball({0, 0, kBallRadius});
    world.add_ball({2 * kBallRadius, 0, kBallRadius});
    MethodState step(world.state);
    record_interaction(world.state, 0, 1, step);
    EXPECT_TRUE(step.outcome.work.interacting_pairs.empty());
    record_interaction(world.state, 2, 1, step);
    ASSERT_EQ(step.outcome.work.interacting_pairs.size(), 1u);
    EXPECT_EQ(step.outcome.work.interacting_pairs[0], (std::array<std::uint32_t, 2>{2, 1}));
}

} // namespace
} // namespace rigor::literature
