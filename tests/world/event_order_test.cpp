// The order of the events of a step.

#include "world/event_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "rigor/world.h"

namespace rigor {
namespace {

bool is_ordered(const Events& e) {
    const auto sorted = [](const auto& list) { return std::is_sorted(list.begin(), list.end()); };
    const bool hits = std::is_sorted(
        e.hits.begin(), e.hits.end(),
        [](const auto& x, const auto& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    return hits && sorted(e.begun) && sorted(e.ended) && sorted(e.entered) && sorted(e.left) &&
           sorted(e.broken) && sorted(e.slept) && sorted(e.woken) && sorted(e.moved);
}

BodyDef ball(const Vec3d& position) {
    BodyDef def;
    def.position = position;
    def.shapes = {{SphereDef{0.5}}};
    return def;
}

// Contacts that a removed body had are known before the step, those that ended in it only after.
TEST(EventOrder, ContactsOfRemovedBodiesComeInOrderToo) {
    World world;
    BodyDef ground;
    ground.type = BodyType::static_body;
    ground.shapes = {{PlaneDef{}}};
    ASSERT_TRUE(world.add_body(ground));
    std::vector<BodyId> balls;
    for (int i = 0; i < 6; ++i) balls.push_back(*world.add_body(ball({2.0 * i, 0, 0.5})));
    for (int i = 0; i < 10; ++i) world.step(1.0 / 60);
    world.remove_body(balls[5]);
    world.remove_body(balls[2]);
    world.set_pose(balls[3], {{6, 0, 9}, {}});
    world.set_pose(balls[0], {{0, 0, 9}, {}});
    world.step(1.0 / 60);
    EXPECT_EQ(world.events().ended.size(), 4u);
    EXPECT_TRUE(is_ordered(world.events()));
}

TEST(EventOrder, HitsOfFixedSubstepsComeInOrder) {
    WorldSettings settings;
    settings.method = Method::faithful;
    World world(settings);
    BodyDef ground;
    ground.type = BodyType::static_body;
    ground.shapes = {{PlaneDef{}}};
    ASSERT_TRUE(world.add_body(ground));
    std::mt19937 random(1);
    std::uniform_real_distribution<double> offset(-0.2, 0.2);
    for (int i = 0; i < 40; ++i)
        ASSERT_TRUE(world.add_body(
            ball({(i % 3) + offset(random), (i / 3 % 3) + offset(random), 1.0 + 1.1 * (i / 9)})));
    int hits = 0;
    for (int i = 0; i < 60; ++i) {
        world.step(1.0 / 60);
        hits += static_cast<int>(world.events().hits.size());
        ASSERT_TRUE(is_ordered(world.events())) << "step " << i;
    }
    EXPECT_GT(hits, 20);
}

} // namespace
} // namespace rigor
