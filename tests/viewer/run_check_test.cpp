// The badge of the page: the last steps of a session, certified and checked.

#include "viewer/run_check.h"
#include "live_server.h"

namespace rigor::viewer {
namespace {

CheckOutcome check_of(const Session& session, const CheckLimits& limits = {}) {
    Result<CheckTask> task = make_check_task(session, limits);
    if (task) return run_check(std::move(*task));
    CheckOutcome nothing;
    nothing.reason = task.error().message;
    return nothing;
}

std::string scene_text(const std::string& name) {
    std::ifstream file(RIGOR_SOURCE_DIR "/scenes/" + name + ".json");
    return {std::istreambuf_iterator<char>(file), {}};
}

// The window begins in the middle of the run, so joints and sleeping bodies must be known from it.
TEST(RunCheck, TheLastStepsObeyTheLaws) {
    const struct {
        std::string text, method;
    } kRuns[] = {{kBallScene, "faithful"},
                 {kStackScene, "fast"},
                 {scene_text("newtons_cradle"), "faithful"},
                 {scene_text("double_pendulum"), "faithful"},
                 {scene_text("hinged_chain"), "fast"}};
    for (const auto& [text, method] : kRuns) {
        Session session = make_session(text, method);
        run(session, 100);
        const std::uint64_t before = hash_of(session);
        const CheckOutcome outcome = check_of(session, {.simulated_seconds = 0.5});
        EXPECT_EQ(outcome.reason, "") << session.scene().name;
        EXPECT_TRUE(outcome.verdict.holds()) << session.scene().name << outcome.verdict.table();
        EXPECT_EQ(outcome.verdict.method, method);
        EXPECT_EQ(outcome.last, 100u);
        EXPECT_NEAR(double(outcome.last - outcome.first) * session.state().time_step, 0.5,
                    session.state().time_step);
        EXPECT_EQ(outcome.verdict.steps, long(outcome.last - outcome.first));
        EXPECT_EQ(hash_of(session), before) << "the session itself was changed";
    }
}

// Bodies that a user has thrown are part of it, and so is the method that he has chosen.
TEST(RunCheck, GoesOnAfterWhatUsersDo) {
    Session session = make_session(kBallScene, "fast");
    run(session, 10);
    ASSERT_TRUE(session.act(
        action_of(R"({"type": "throw", "position": [0, 5, 2], "velocity": [0, -3, 0]})"), 1));
    ASSERT_TRUE(
        session.act(action_of(R"({"type": "edit", "body": 1, "mass": 7, "friction": 0.1})"), 2));
    ASSERT_TRUE(session.act(
        UserAction{0, parse_settings(json::parse(R"({"method": "faithful"})"), "x").value()}, 3));
    EXPECT_NE(check_of(session).reason.find("no step was made"), std::string::npos);
    run(session, 40);
    const CheckOutcome outcome = check_of(session);
    EXPECT_EQ(outcome.reason, "");
    EXPECT_TRUE(outcome.verdict.holds()) << outcome.verdict.table();
    EXPECT_EQ(outcome.verdict.method, "faithful");
    EXPECT_EQ(outcome.verdict.bodies, 4u);
    EXPECT_EQ(outcome.first, 10u);
    EXPECT_EQ(outcome.last, 50u);
}

TEST(RunCheck, GoesOnAfterABodyWithAJointIsDeleted) {
    Session session = make_session(scene_text("newtons_cradle"), "faithful");
    run(session, 5);
    ASSERT_TRUE(session.act(action_of(R"({"type": "delete", "body": )" +
                                      std::to_string(slot_of(session, "ball 2")) + "}"),
                            1));
    run(session, 40);
    const CheckOutcome outcome = check_of(session);
    EXPECT_EQ(outcome.reason, "");
    EXPECT_TRUE(outcome.verdict.holds()) << outcome.verdict.table();
    EXPECT_EQ(outcome.verdict.bodies, 5u);
}

TEST(RunCheck, SaysWhyThereIsNoVerdict) {
    Session session = make_session(kBallScene, "faithful");
    EXPECT_EQ(check_of(session).reason,
              "no step was made since the last action: let the world run first");
    Session penalty = make_session(kBallScene, "penalty");
    run(penalty, 3);
    EXPECT_EQ(check_of(penalty).reason,
              "certificates cannot express the method penalty: choose faithful or fast");
    ASSERT_TRUE(session.act(
        action_of(R"({"type": "grab", "body": 1, "point": [0,0,0], "target": [0,0,2]})"), 1));
    run(session, 3);
    EXPECT_EQ(check_of(session).reason,
              "a body is being dragged: release it and let the world run");
    ASSERT_TRUE(session.act(action_of(R"({"type": "release"})"), 2));
    ASSERT_TRUE(session.act(action_of(R"({"type": "freeze", "body": 1, "on": true})"), 3));
    run(session, 3);
    EXPECT_EQ(check_of(session).reason, "certificates cannot express frozen bodies");
}

TEST(RunCheck, IsBounded) {
    Session session = make_session(kBallScene, "faithful");
    run(session, 60);
    const CheckOutcome none = check_of(session, {.wall_seconds = 0});
    EXPECT_EQ(none.reason, "the time for a check was up before its first step");
    const CheckOutcome few = check_of(session, {.bytes = 1});
    EXPECT_EQ(few.reason, "the time for a check was up before its first step");
    const CheckOutcome some = check_of(session, {.bytes = 20'000});
    EXPECT_EQ(some.reason, "");
    EXPECT_LT(some.last, 60u);
    EXPECT_GT(some.last, some.first);
    Result<CheckTask> task = make_check_task(session);
    ASSERT_TRUE(task);
    task->hash ^= 1;
    EXPECT_EQ(run_check(std::move(*task)).reason, "the run could not be repeated bit for bit");
}

// A method that breaks its claims is shown as such: planks of a bridge that are hit gain energy
// under fast.
TEST(RunCheck, NamesTheLawThatFails) {
    Session session = make_session(scene_text("bridge"), "fast");
    run(session, 120);
    const json message = describe_check(check_of(session));
    ASSERT_EQ(message["status"], "fails") << message.dump(1);
    EXPECT_EQ(message["worst"]["law"], "energy gain");
    EXPECT_EQ(message["worst"]["holds"], false);
    EXPECT_GT(message["worst"]["residual"].get<double>(),
              message["worst"]["tolerance"].get<double>());
    EXPECT_GT(message["worst"]["step"].get<int>(), 0);
    EXPECT_LE(message["worst"]["step"].get<int>(), 120);
}

TEST(RunCheck, TheVerdictGoesToAllPages) {
    LiveServer server;
    TestClient client(server.port()), other(server.port());
    for (TestClient* page : {&client, &other}) page->hello();
    client.send({{"type", "open"}, {"text", kBallScene}, {"name", "x"}, {"method", "faithful"}});
    ASSERT_FALSE(
        client.wait_for("state", 20000, [](const json& s) { return s["step"] > 20; }).is_null());
    client.send({{"type", "check"}});
    EXPECT_EQ(client.wait_for("check")["status"], "running");
    const auto is_over = [](const json& m) { return m["status"] != "running"; };
    for (TestClient* page : {&client, &other}) {
        const json message = page->wait_for("check", 30000, is_over);
        ASSERT_FALSE(message.is_null());
        EXPECT_EQ(message["status"], "holds") << message.dump(1);
        EXPECT_EQ(message["world"], 0);
        EXPECT_EQ(message["method"], "faithful");
        EXPECT_LT(message["from_step"], message["to_step"]);
        EXPECT_GT(message["laws"].size(), 5u);
        for (const char* field : {"law", "says", "residual", "tolerance", "time", "step"})
            EXPECT_TRUE(message["worst"].contains(field)) << field;
    }
    client.send({{"type", "settings"}, {"method", "kenwright"}});
    client.send({{"type", "pause"}});
    client.send({{"type", "step"}, {"count", 2}});
    client.send({{"type", "check"}, {"world", 0}});
    const json none = client.wait_for("check", 30000, is_over);
    EXPECT_EQ(none["status"], "none");
    EXPECT_FALSE(none["reason"].get<std::string>().empty());
    client.send({{"type", "check"}, {"world", 9}});
    EXPECT_EQ(client.wait_for("error")["about"], "check");
}

// A server that ends, or opens another scene, does not wait for a check to be made.
TEST(RunCheck, EndsWithItsScene) {
    LiveServer server;
    TestClient client(server.port());
    client.hello();
    client.send({{"type", "open"}, {"scene", "arch.json"}, {"method", "faithful"}});
    ASSERT_FALSE(
        client.wait_for("state", 20000, [](const json& s) { return s["step"] > 3; }).is_null());
    client.send({{"type", "check"}});
    client.send({{"type", "open"}, {"text", kBallScene}, {"name", "x"}});
    ASSERT_EQ(
        client.wait_for("scene", 20000, [](const json& s) { return s["name"] == "ball"; })["name"],
        "ball");
    EXPECT_TRUE(client.wait_for("check", 300).is_null());
}

} // namespace
} // namespace rigor::viewer
