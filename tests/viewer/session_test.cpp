// Seeking back and forward, undo and redo always lead to the same bits.

#include "viewer/session.h"

#include "viewer/describe.h"
#include "viewer_support.h"

namespace rigor::viewer {
namespace {

TEST(Session, StepsBackToTheSameBits) {
    for (const char* method : {"fast", "faithful", "free"}) {
        SCOPED_TRACE(method);
        const bool slow = std::string(method) == "faithful";
        Session session = make_session(slow ? kBallScene : kStackScene, method);
        std::vector<std::uint64_t> hashes;
        const int steps = 130;
        for (int i = 0; i < steps; ++i) hashes.push_back(hash_of(session)), session.step();
        for (int i = steps - 1; i >= 0; i -= 7) {
            ASSERT_TRUE(seek_to(session, static_cast<std::uint64_t>(i)));
            ASSERT_EQ(hash_of(session), hashes[static_cast<std::size_t>(i)]) << "step " << i;
        }
        ASSERT_TRUE(seek_to(session, static_cast<std::uint64_t>(steps - 1)));
        EXPECT_EQ(hash_of(session), hashes.back());
        EXPECT_FALSE(session.divergence());
    }
}

TEST(Session, ActionsAreDoneAgainWhenTimePassesThemAgain) {
    Session session = make_session(kStackScene);
    run(session, 20);
    const std::uint32_t top = slot_of(session, "tower[9]");
    ASSERT_TRUE(
        session.act(action_of(R"({"type": "drop", "shape": "stack", "position": [5, 0, 1]})"), 1));
    run(session, 20);
    ASSERT_TRUE(session.act(
        {1, Push{top, session.world().state(body_at(session.state(), top)).position, {2000, 0, 0}}},
        2));
    run(session, 50);
    const std::uint64_t end = hash_of(session);
    const std::size_t bodies = session.world().body_count();
    seek_to(session, 10);
    EXPECT_EQ(session.world().body_count(), bodies - 5);
    EXPECT_EQ(session.last_step(), 90u);
    run(session, 80);
    EXPECT_EQ(session.world().body_count(), bodies);
    EXPECT_EQ(hash_of(session), end);
    EXPECT_FALSE(session.divergence());
}

TEST(Session, ActingInThePastDropsTheFuture) {
    Session session = make_session(kStackScene);
    run(session, 70);
    ASSERT_TRUE(session.act(
        action_of(R"({"type": "throw", "position": [0, 0, 20], "velocity": [0, 0, -9]})"), 1));
    run(session, 30);
    seek_to(session, 40);
    ASSERT_TRUE(session.act(action_of(R"({"type": "gravity", "value": [0, 0, 1]})"), 2));
    EXPECT_EQ(session.last_step(), 40u);
    EXPECT_EQ(session.actions().size(), 1u);
    run(session, 60);
    EXPECT_EQ(session.world().body_count(), 12u); // nothing was thrown
    EXPECT_FALSE(session.divergence());
}

TEST(Session, UndoLeavesTheActionOutAndRedoDoesItAgain) {
    Session plain = make_session(kStackScene), session = make_session(kStackScene);
    run(plain, 35), run(session, 35);
    ASSERT_TRUE(session.act(action_of(R"({"type": "delete", "body": 3})"), 1));
    const std::uint64_t after = hash_of(session);
    run(session, 40);
    const std::uint64_t later = hash_of(session);
    ASSERT_EQ(session.undo_count(), 1u);
    session.undo();
    EXPECT_EQ(session.current_step(), 35u);
    EXPECT_EQ(hash_of(session), hash_of(plain));
    EXPECT_EQ(session.undo_count(), 0u);
    ASSERT_EQ(session.redo_count(), 1u);
    session.redo();
    EXPECT_EQ(hash_of(session), after);
    run(session, 40);
    EXPECT_EQ(hash_of(session), later);
}

// From grab to release a drag is one thing to undo, and to do again.
TEST(Session, ADragIsUndoneAsAWhole) {
    Session session = make_session(kStackScene);
    run(session, 5);
    const std::uint32_t ball = slot_of(session, "ball");
    ASSERT_TRUE(session.act({7, Grab{ball, {}, {-3, 3, 2}, {}}}, 1));
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(session.act({7, MoveGrab{{-3, 3, 2 + 0.01 * i}}}, 100));
        session.step();
    }
    ASSERT_TRUE(session.act({7, Release{}}, 101));
    session.step();
    const std::uint64_t end = hash_of(session);
    EXPECT_EQ(session.undo_count(), 1u);
    session.undo();
    EXPECT_EQ(session.current_step(), 5u);
    EXPECT_TRUE(session.state().drags.empty());
    session.redo();
    EXPECT_EQ(session.last_step(), 65u);
    run(session, 61);
    EXPECT_EQ(hash_of(session), end);
}

TEST(Session, ADraggedBodyComesToTheTarget) {
    for (const double stiffness : {0.0, 1e4, 1e7}) {
        SCOPED_TRACE(stiffness);
        Session session = make_session(kStackScene);
        const std::uint32_t ball = slot_of(session, "ball");
        Grab grab{ball, {0, 0, 0.5}, {-3, 3, 4}, {}};
        if (stiffness > 0) grab.stiffness = stiffness;
        ASSERT_TRUE(session.act({1, grab}, 1));
        run(session, 600);
        const World& world = session.world();
        const BodyId id = body_at(session.state(), ball);
        const Vec3d held = transform(world.pose(id), Vec3d{0, 0, 0.5});
        // It hangs below the target by its weight over the stiffness.
        const double weight = 9.81 * world.mass_properties(id).mass;
        const double sag = weight / session.state().drags[0].stiffness;
        EXPECT_NEAR(length(held - Vec3d{-3, 3, 4 - sag}), 0, 0.01);
        EXPECT_NEAR(length(session.state().drags[0].force), weight, 0.01 * weight);
    }
}

// A body that is dragged out of its periodic cell enters on the other side and comes to rest at an
// image of the target. It is not pulled back through the cell.
TEST(Session, ADragPullsTowardsTheNearestImage) {
    Session session = make_session(R"({
      "rigor": 1, "gravity": [0, 0, 0], "periodic": [[-2, -2, -2], [2, 2, 2]],
      "bodies": [ { "name": "ball", "position": [1.5, 0, 0],
                    "shapes": [ { "type": "sphere", "radius": 0.2 } ] } ] })");
    const std::uint32_t ball = slot_of(session, "ball");
    const auto x = [&] { return session.world().state(body_at(session.state(), ball)).position.x; };
    ASSERT_TRUE(session.act({1, Grab{ball, {}, {2.4, 0, 0}, {}}}, 1));
    for (int i = 0; i < 120; ++i) {
        session.step();
        EXPECT_GT(std::abs(x()), 1.4) << "step " << i;
    }
    EXPECT_NEAR(x(), -1.6, 1e-6);
    EXPECT_NEAR(length(session.state().drags[0].force), 0, 1e-3);
}

TEST(Session, EveryActionWorks) {
    Session session = make_session(kStackScene);
    const auto act = [&](const std::string& text) {
        const Result<void> done = session.act(action_of(text), session.undo_count() + 1);
        EXPECT_TRUE(done.ok()) << text << (done.ok() ? "" : to_string(done.error()));
        run(session, 3);
    };
    for (const char* shape : {"sphere", "capsule", "cube", "cylinder", "cone", "hull", "stack"})
        act(std::string(R"({"type": "drop", "shape": ")") + shape + R"(", "position": [4, 4, 2]})");
    act(R"({"type": "duplicate", "body": 1})");
    act(R"({"type": "freeze", "body": 1, "on": true})");
    EXPECT_EQ(length(session.world().state(body_at(session.state(), 1)).velocity), 0);
    act(R"({"type": "freeze", "body": 1, "on": false})");
    act(R"({"type": "explode", "point": [4, 4, 0], "strength": 5000, "radius": 8})");
    EXPECT_GT(session.world().energy().kinetic, 100);
    act(R"({"type": "edit", "body": 1, "mass": 3, "friction": 0.1, "restitution": 0.5,
            "velocity": [0, 0, 5], "angular_velocity": [1, 0, 0], "position": [0, -5, 3]})");
    EXPECT_EQ(session.world().mass_properties(body_at(session.state(), 1)).mass, 3);
    act(R"({"type": "settings", "method": "free", "gravity": [0, 0, -1], "impact": "newton"})");
    EXPECT_EQ(session.world().settings().method, Method::free);
    EXPECT_EQ(substeps_of(session.world().settings()), 1);
    act(R"({"type": "settings", "method": "fast"})");
    EXPECT_EQ(substeps_of(session.world().settings()), 4);
    act(R"({"type": "keys", "down": ["KeyW"]})");
    act(R"({"type": "delete", "body": 1})");
    EXPECT_FALSE(session.act(action_of(R"({"type": "delete", "body": 1})"), 99).ok());
    EXPECT_FALSE(
        session
            .act(action_of(
                     R"({"type": "push", "body": 4000, "point": [0,0,0], "impulse": [0,0,0]})"),
                 99)
            .ok());
    EXPECT_FALSE(
        session.act(action_of(R"({"type": "joint", "name": "none", "motor": null})"), 99).ok());
    EXPECT_FALSE(session.act(action_of(R"({"type": "settings", "method": "magic"})"), 99).ok());
    // All of it can be undone, one after another.
    Session fresh = make_session(kStackScene);
    while (session.undo_count() > 0) session.undo();
    EXPECT_EQ(hash_of(session), hash_of(fresh));
}

TEST(Session, LedgersOfIslandsGoBackInTimeToo) {
    Session session = make_session(kBallScene);
    const auto island = [&](const char* name) {
        return describe_body_state(session, slot_of(session, name)).value("island", json());
    };
    const json start = island("ball");
    EXPECT_EQ(start["bodies"], 1);
    EXPECT_TRUE(island("floor").is_null());
    run(session, 20);
    const json then = island("ball");
    EXPECT_GT(then["ledger"]["gravity"], 0);
    run(session, 160); // at 1 m/s it has met the box
    EXPECT_EQ(island("ball")["bodies"], 2);
    EXPECT_EQ(island("ball"), island("box"));
    seek_to(session, 20);
    EXPECT_EQ(island("ball"), then);
    seek_to(session, 0);
    EXPECT_EQ(island("ball"), start);
}

TEST(Session, KeysDriveABodyThatListens) {
    Session session = make_session(R"({ "rigor": 1, "name": "keys", "bodies": [
      { "name": "hand", "type": "kinematic", "driver": { "input": "keys" },
        "shapes": [ { "type": "sphere", "radius": 0.5 } ] } ] })");
    ASSERT_TRUE(session.act(action_of(R"({"type": "keys", "down": ["ArrowUp"]})"), 1));
    run(session, 60);
    EXPECT_NEAR(session.world().pose(body_at(session.state(), 0)).p.y, 2, 1e-6);
    ASSERT_TRUE(session.act(action_of(R"({"type": "keys", "down": []})"), 1));
    run(session, 60);
    EXPECT_NEAR(session.world().pose(body_at(session.state(), 0)).p.y, 2, 1e-6);
    EXPECT_EQ(session.undo_count(), 0u);
}

TEST(Session, TheMemoryOfThePastIsBounded) {
    SessionOptions options;
    options.history_bytes = 1 << 20;
    Session session = make_session(kStackScene, "", options);
    std::uint64_t hash = 0;
    for (int i = 0; i < 3000; ++i) {
        if (i == 77) hash = hash_of(session);
        session.step();
    }
    EXPECT_LE(session.history_bytes(), options.history_bytes);
    EXPECT_GT(session.keyframes(), 4u);
    ASSERT_TRUE(seek_to(session, 77));
    EXPECT_EQ(hash_of(session), hash);
}

TEST(Session, AFreeSessionHasItsJointsWhenItsMethodChanges) {
    Session session =
        make_session(R"({ "rigor": 1, "name": "pendulum", "method": "free", "bodies": [
      { "name": "bob", "position": [1, 0, 0], "shapes": [ { "type": "sphere", "radius": 0.1 } ] } ],
      "joints": [ { "type": "ball", "a": "bob", "anchor": [0, 0, 0] } ] })");
    EXPECT_EQ(session.world().settings().method, Method::free);
    ASSERT_TRUE(session.act(action_of(R"({"type": "settings", "method": "fast"})"), 1));
    run(session, 60);
    EXPECT_NEAR(length(session.world().pose(body_at(session.state(), 0)).p), 1, 1e-2);
}

} // namespace
} // namespace rigor::viewer
