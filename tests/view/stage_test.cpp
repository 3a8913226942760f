// Time in a stage: back, forward again, undone and redone, always to the same bits.

#include "view/stage.h"

#include "view/describe.h"
#include "view_support.h"

namespace rigor::view {
namespace {

TEST(Stage, StepsBackToTheSameBits) {
    for (const char* method : {"fast", "faithful", "free"}) {
        SCOPED_TRACE(method);
        const bool slow = std::string(method) == "faithful";
        Stage stage = stage_of(slow ? kBallScene : kStackScene, method);
        std::vector<std::uint64_t> hashes;
        const int steps = 130;
        for (int i = 0; i < steps; ++i) hashes.push_back(hash_of(stage)), stage.step();
        for (int i = steps - 1; i >= 0; i -= 7) {
            ASSERT_TRUE(go_to(stage, static_cast<std::uint64_t>(i)));
            ASSERT_EQ(hash_of(stage), hashes[static_cast<std::size_t>(i)]) << "step " << i;
        }
        ASSERT_TRUE(go_to(stage, static_cast<std::uint64_t>(steps - 1)));
        EXPECT_EQ(hash_of(stage), hashes.back());
        EXPECT_FALSE(stage.difference());
    }
}

TEST(Stage, ActionsAreDoneAgainWhenTimePassesThemAgain) {
    Stage stage = stage_of(kStackScene);
    run(stage, 20);
    const std::uint32_t top = slot_of(stage, "tower[9]");
    ASSERT_TRUE(
        stage.act(action_of(R"({"type": "drop", "shape": "stack", "position": [5, 0, 1]})"), 1));
    run(stage, 20);
    ASSERT_TRUE(stage.act(
        {1, Push{top, stage.world().state(body_at(stage.state(), top)).position, {2000, 0, 0}}},
        2));
    run(stage, 50);
    const std::uint64_t end = hash_of(stage);
    const std::size_t bodies = stage.world().body_count();
    go_to(stage, 10);
    EXPECT_EQ(stage.world().body_count(), bodies - 5);
    EXPECT_EQ(stage.last_step(), 90u);
    run(stage, 80);
    EXPECT_EQ(stage.world().body_count(), bodies);
    EXPECT_EQ(hash_of(stage), end);
    EXPECT_FALSE(stage.difference());
}

TEST(Stage, ActingInThePastDropsTheFuture) {
    Stage stage = stage_of(kStackScene);
    run(stage, 70);
    ASSERT_TRUE(stage.act(
        action_of(R"({"type": "throw", "position": [0, 0, 20], "velocity": [0, 0, -9]})"), 1));
    run(stage, 30);
    go_to(stage, 40);
    ASSERT_TRUE(stage.act(action_of(R"({"type": "gravity", "value": [0, 0, 1]})"), 2));
    EXPECT_EQ(stage.last_step(), 40u);
    EXPECT_EQ(stage.actions().size(), 1u);
    run(stage, 60);
    EXPECT_EQ(stage.world().body_count(), 12u); // nothing was thrown
    EXPECT_FALSE(stage.difference());
}

TEST(Stage, UndoLeavesTheActionOutAndRedoDoesItAgain) {
    Stage plain = stage_of(kStackScene), stage = stage_of(kStackScene);
    run(plain, 35), run(stage, 35);
    ASSERT_TRUE(stage.act(action_of(R"({"type": "delete", "body": 3})"), 1));
    const std::uint64_t after = hash_of(stage);
    run(stage, 40);
    const std::uint64_t later = hash_of(stage);
    ASSERT_EQ(stage.undo_count(), 1u);
    stage.undo();
    EXPECT_EQ(stage.now(), 35u);
    EXPECT_EQ(hash_of(stage), hash_of(plain));
    EXPECT_EQ(stage.undo_count(), 0u);
    ASSERT_EQ(stage.redo_count(), 1u);
    stage.redo();
    EXPECT_EQ(hash_of(stage), after);
    run(stage, 40);
    EXPECT_EQ(hash_of(stage), later);
}

// From grab to release a drag is one thing to undo, and to do again.
TEST(Stage, ADragIsUndoneAsAWhole) {
    Stage stage = stage_of(kStackScene);
    run(stage, 5);
    const std::uint32_t ball = slot_of(stage, "ball");
    ASSERT_TRUE(stage.act({7, Grab{ball, {}, {-3, 3, 2}, {}}}, 1));
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(stage.act({7, MoveGrab{{-3, 3, 2 + 0.01 * i}}}, 100));
        stage.step();
    }
    ASSERT_TRUE(stage.act({7, Release{}}, 101));
    stage.step();
    const std::uint64_t end = hash_of(stage);
    EXPECT_EQ(stage.undo_count(), 1u);
    stage.undo();
    EXPECT_EQ(stage.now(), 5u);
    EXPECT_TRUE(stage.state().holds.empty());
    stage.redo();
    EXPECT_EQ(stage.last_step(), 65u);
    run(stage, 61);
    EXPECT_EQ(hash_of(stage), end);
}

TEST(Stage, ADraggedBodyComesToTheHand) {
    for (const double stiffness : {0.0, 1e4, 1e7}) {
        SCOPED_TRACE(stiffness);
        Stage stage = stage_of(kStackScene);
        const std::uint32_t ball = slot_of(stage, "ball");
        Grab grab{ball, {0, 0, 0.5}, {-3, 3, 4}, {}};
        if (stiffness > 0) grab.stiffness = stiffness;
        ASSERT_TRUE(stage.act({1, grab}, 1));
        run(stage, 600);
        const World& world = stage.world();
        const BodyId id = body_at(stage.state(), ball);
        const Vec3d held = transform(world.pose(id), Vec3d{0, 0, 0.5});
        // It hangs below the hand by its weight over the stiffness, which the hand feels.
        const double weight = 9.81 * world.mass_properties(id).mass;
        const double sag = weight / stage.state().holds[0].stiffness;
        EXPECT_NEAR(length(held - Vec3d{-3, 3, 4 - sag}), 0, 0.01);
        EXPECT_NEAR(length(stage.state().holds[0].force), weight, 0.01 * weight);
    }
}

// A body that is pulled out of its cell comes in on the other side, and to rest where a copy of the
// hand is: it is not pulled back through the cell.
TEST(Stage, AHandPullsAtTheNearestCopy) {
    Stage stage = stage_of(R"({
      "rigor": 1, "gravity": [0, 0, 0], "periodic": [[-2, -2, -2], [2, 2, 2]],
      "bodies": [ { "name": "ball", "position": [1.5, 0, 0],
                    "shapes": [ { "type": "sphere", "radius": 0.2 } ] } ] })");
    const std::uint32_t ball = slot_of(stage, "ball");
    const auto x = [&] { return stage.world().state(body_at(stage.state(), ball)).position.x; };
    ASSERT_TRUE(stage.act({1, Grab{ball, {}, {2.4, 0, 0}, {}}}, 1));
    for (int i = 0; i < 120; ++i) {
        stage.step();
        EXPECT_GT(std::abs(x()), 1.4) << "step " << i;
    }
    EXPECT_NEAR(x(), -1.6, 1e-6);
    EXPECT_NEAR(length(stage.state().holds[0].force), 0, 1e-3);
}

TEST(Stage, EveryActionWorks) {
    Stage stage = stage_of(kStackScene);
    const auto act = [&](const std::string& text) {
        const Result<void> done = stage.act(action_of(text), stage.undo_count() + 1);
        EXPECT_TRUE(done.ok()) << text << (done.ok() ? "" : to_string(done.error()));
        run(stage, 3);
    };
    for (const char* shape : {"sphere", "capsule", "cube", "cylinder", "cone", "hull", "stack"})
        act(std::string(R"({"type": "drop", "shape": ")") + shape + R"(", "position": [4, 4, 2]})");
    act(R"({"type": "duplicate", "body": 1})");
    act(R"({"type": "freeze", "body": 1, "on": true})");
    EXPECT_EQ(length(stage.world().state(body_at(stage.state(), 1)).velocity), 0);
    act(R"({"type": "freeze", "body": 1, "on": false})");
    act(R"({"type": "explode", "point": [4, 4, 0], "strength": 5000, "radius": 8})");
    EXPECT_GT(stage.world().energy().kinetic, 100);
    act(R"({"type": "edit", "body": 1, "mass": 3, "friction": 0.1, "restitution": 0.5,
            "velocity": [0, 0, 5], "angular_velocity": [1, 0, 0], "position": [0, -5, 3]})");
    EXPECT_EQ(stage.world().mass_properties(body_at(stage.state(), 1)).mass, 3);
    act(R"({"type": "settings", "method": "free", "gravity": [0, 0, -1], "impact": "newton"})");
    EXPECT_EQ(stage.world().settings().method, Method::free);
    EXPECT_EQ(substeps_of(stage.world().settings()), 1);
    act(R"({"type": "settings", "method": "fast"})");
    EXPECT_EQ(substeps_of(stage.world().settings()), 4);
    act(R"({"type": "keys", "down": ["KeyW"]})");
    act(R"({"type": "delete", "body": 1})");
    EXPECT_FALSE(stage.act(action_of(R"({"type": "delete", "body": 1})"), 99).ok());
    EXPECT_FALSE(
        stage
            .act(action_of(
                     R"({"type": "push", "body": 4000, "point": [0,0,0], "impulse": [0,0,0]})"),
                 99)
            .ok());
    EXPECT_FALSE(
        stage.act(action_of(R"({"type": "joint", "name": "none", "motor": null})"), 99).ok());
    EXPECT_FALSE(stage.act(action_of(R"({"type": "settings", "method": "magic"})"), 99).ok());
    // All of it can be undone, one after another.
    Stage fresh = stage_of(kStackScene);
    while (stage.undo_count() > 0) stage.undo();
    EXPECT_EQ(hash_of(stage), hash_of(fresh));
}

TEST(Stage, LedgersOfIslandsGoBackInTimeToo) {
    Stage stage = stage_of(kBallScene);
    const auto island = [&](const char* name) {
        return describe_body_state(stage, slot_of(stage, name)).value("island", json());
    };
    const json start = island("ball");
    EXPECT_EQ(start["bodies"], 1);
    EXPECT_TRUE(island("floor").is_null());
    run(stage, 20);
    const json then = island("ball");
    EXPECT_GT(then["ledger"]["gravity"], 0);
    run(stage, 160); // at 1 m/s it has met the box
    EXPECT_EQ(island("ball")["bodies"], 2);
    EXPECT_EQ(island("ball"), island("box"));
    go_to(stage, 20);
    EXPECT_EQ(island("ball"), then);
    go_to(stage, 0);
    EXPECT_EQ(island("ball"), start);
}

TEST(Stage, KeysDriveABodyThatListens) {
    Stage stage = stage_of(R"({ "rigor": 1, "name": "keys", "bodies": [
      { "name": "hand", "type": "kinematic", "driver": { "input": "keys" },
        "shapes": [ { "type": "sphere", "radius": 0.5 } ] } ] })");
    ASSERT_TRUE(stage.act(action_of(R"({"type": "keys", "down": ["ArrowUp"]})"), 1));
    run(stage, 60);
    EXPECT_NEAR(stage.world().pose(body_at(stage.state(), 0)).p.y, 2, 1e-6);
    ASSERT_TRUE(stage.act(action_of(R"({"type": "keys", "down": []})"), 1));
    run(stage, 60);
    EXPECT_NEAR(stage.world().pose(body_at(stage.state(), 0)).p.y, 2, 1e-6);
    EXPECT_EQ(stage.undo_count(), 0u);
}

TEST(Stage, TheMemoryOfThePastIsBounded) {
    StageOptions options;
    options.history_bytes = 1 << 20;
    Stage stage = stage_of(kStackScene, "", options);
    std::uint64_t hash = 0;
    for (int i = 0; i < 3000; ++i) {
        if (i == 77) hash = hash_of(stage);
        stage.step();
    }
    EXPECT_LE(stage.history_bytes(), options.history_bytes);
    EXPECT_GT(stage.keyframes(), 4u);
    ASSERT_TRUE(go_to(stage, 77));
    EXPECT_EQ(hash_of(stage), hash);
}

TEST(Stage, AStageWithoutContactsHasItsJointsWhenItGetsThem) {
    Stage stage = stage_of(R"({ "rigor": 1, "name": "pendulum", "method": "free", "bodies": [
      { "name": "bob", "position": [1, 0, 0], "shapes": [ { "type": "sphere", "radius": 0.1 } ] } ],
      "joints": [ { "type": "ball", "a": "bob", "anchor": [0, 0, 0] } ] })");
    EXPECT_EQ(stage.world().settings().method, Method::free);
    ASSERT_TRUE(stage.act(action_of(R"({"type": "settings", "method": "fast"})"), 1));
    run(stage, 60);
    EXPECT_NEAR(length(stage.world().pose(body_at(stage.state(), 0)).p), 1, 1e-2);
}

} // namespace
} // namespace rigor::view
