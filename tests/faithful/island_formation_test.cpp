// Islands at the start of a step: what couples bodies, and what does not.

#include "faithful/island_formation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "faithful/touching_pairs.h"
#include "model/joint_builder.h"
#include "step_fixture.h"

namespace rigor::faithful {
namespace {

/// The islands by their sorted bodies, themselves sorted.
std::vector<std::vector<std::uint32_t>> islands_of(const BodyTrajectories& trajectories) {
    std::vector<std::vector<std::uint32_t>> islands;
    for (const std::optional<PredictedMotion>& prediction : trajectories.predictions) {
        if (!prediction) continue;
        islands.push_back(prediction->start.bodies);
        std::sort(islands.back().begin(), islands.back().end());
    }
    std::sort(islands.begin(), islands.end());
    return islands;
}

using Islands = std::vector<std::vector<std::uint32_t>>;

/// Four balls apart from each other: shape i belongs to body i, and touching pairs are given.
struct IslandFormation : testing::Test {
    IslandFormation() {
        for (int i = 0; i < 4; ++i) fixture.add(SphereDef{0.5}, {2.0 * i, 0, 0});
    }

    void join(std::uint32_t a, std::uint32_t b) {
        JointDef def;
        def.a = fixture.state.bodies.ids.id_at(a);
        def.b = fixture.state.bodies.ids.id_at(b);
        fixture.state.joints.add(build_joint(fixture.state, def).value(), "");
    }

    BodyTrajectories form(const std::vector<ShapePair>& touching) {
        BodyTrajectories trajectories(fixture.state, 1);
        form_islands(fixture.state, {}, touching, trajectories);
        return trajectories;
    }

    StepFixture fixture;
};

TEST_F(IslandFormation, ABodyWithoutContactsIsInFreeFlight) {
    const BodyTrajectories trajectories = form({});
    EXPECT_TRUE(trajectories.predictions.empty());
    for (std::uint32_t body = 0; body < 4; ++body) EXPECT_FALSE(trajectories.is_in_island(body));
}

// A chain of touching bodies is one island, in whichever order its pairs are found.
TEST_F(IslandFormation, TouchingBodiesAreCoupledTransitively) {
    std::vector<ShapePair> touching = {{0, 1}, {1, 2}};
    for (int order = 0; order < 2; ++order) {
        const BodyTrajectories trajectories = form(touching);
        EXPECT_EQ(islands_of(trajectories), (Islands{{0, 1, 2}}));
        EXPECT_EQ(trajectories.prediction_of(1).start.pairs.size(), 2u);
        EXPECT_EQ(trajectories.island_of[0], trajectories.island_of[2]);
        EXPECT_FALSE(trajectories.is_in_island(3));
        std::reverse(touching.begin(), touching.end());
    }
}

TEST_F(IslandFormation, APairBetweenTwoIslandsMergesThem) {
    EXPECT_EQ(islands_of(form({{0, 1}, {2, 3}})), (Islands{{0, 1}, {2, 3}}));
    EXPECT_EQ(islands_of(form({{0, 1}, {2, 3}, {1, 2}})), (Islands{{0, 1, 2, 3}}));
}

TEST_F(IslandFormation, StaticBodiesCoupleNothing) {
    const AddedBody ground = fixture.add_ground();
    const BodyTrajectories trajectories = form({{0, ground.shape}, {1, ground.shape}});
    EXPECT_EQ(islands_of(trajectories), (Islands{{0, ground.body}, {1, ground.body}}));
    EXPECT_FALSE(trajectories.is_in_island(ground.body));
}

TEST_F(IslandFormation, JointsCoupleBodies) {
    join(2, 3);
    const BodyTrajectories trajectories = form({{0, 2}});
    EXPECT_EQ(islands_of(trajectories), (Islands{{0, 2, 3}}));
    const Island& island = trajectories.prediction_of(3).start;
    ASSERT_EQ(island.joints.size(), 1u);
    EXPECT_EQ(island.bodies[island.joints[0].a], 2u); // the indices follow the merge
    EXPECT_EQ(island.bodies[island.joints[0].b], 3u);
}

// Damping has no closed form: the body is integrated.
TEST_F(IslandFormation, ADampedBodyIsAnIslandOfItsOwn) {
    BodyDef damped;
    damped.shapes.push_back({.geometry = SphereDef{0.5}});
    damped.position = {0, 5, 0};
    damped.linear_damping = 0.1;
    const AddedBody added = fixture.add(damped);
    EXPECT_EQ(islands_of(form({})), (Islands{{added.body}}));
}

// The gap of the deepest pair is reported, and every touching pair is listed once.
TEST(TouchingPairs, AreListedOnceWithTheDeepestGap) {
    StepFixture fixture;
    const AddedBody ground = fixture.add_ground();
    const AddedBody a = fixture.add(SphereDef{0.5}, {0, 0, 0.5});
    const AddedBody b = fixture.add(SphereDef{0.5}, {0.99, 0, 0.5});
    fixture.add(SphereDef{0.5}, {5, 0, 0.6});
    EventStepData data(fixture.context, 1.0 / 60);
    TouchingPairs touching = find_touching_pairs(data);
    EXPECT_NEAR(touching.deepest_gap, -0.01, 1e-15);
    std::sort(touching.pairs.begin(), touching.pairs.end());
    EXPECT_EQ(touching.pairs,
              (std::vector<ShapePair>{
                  {ground.shape, a.shape}, {ground.shape, b.shape}, {a.shape, b.shape}}));
}

} // namespace
} // namespace rigor::faithful
