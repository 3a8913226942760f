// Requests are parsed or rejected with one sentence. Recordings and exported scenes can be read
// back.

#include "viewer/request.h"

#include "rigor/simulation.h"
#include "viewer/scene_export.h"
#include "viewer/session_recording.h"
#include "viewer_support.h"

namespace rigor::viewer {
namespace {

std::string refusal(const std::string& text) {
    std::string type;
    const Result<ClientMessage> message = parse_request(text, type);
    return message.ok() ? "" : to_string(message.error());
}

TEST(Request, EveryKindIsParsed) {
    for (const char* text :
         {R"({"type": "hello", "protocol": 1, "see": ["contacts", "tree"], "color": "speed"})",
          R"({"type": "gallery", "id": 3})",
          R"({"type": "open", "scene": "wall.json"})",
          R"({"type": "open", "text": "{}", "name": "x", "methods": ["fast", "faithful"]})",
          R"({"type": "run"})",
          R"({"type": "pause"})",
          R"({"type": "step", "count": -1})",
          R"({"type": "seek", "step": 10})",
          R"({"type": "speed", "value": 0.5})",
          R"({"type": "restart"})",
          R"({"type": "settings", "method": "fast", "gravity": [0,0,-1]})",
          R"({"type": "control", "index": 0, "value": 0.5})",
          R"({"type": "control", "index": 1, "value": true})",
          R"({"type": "control", "index": 2, "value": "fast"})",
          R"({"type": "see", "what": [], "color": null})",
          R"({"type": "act", "action": {"type": "release"}, "world": 1})",
          R"({"type": "undo"})",
          R"({"type": "redo"})",
          R"({"type": "inspect", "body": 1})",
          R"({"type": "inspect", "body": null})",
          R"({"type": "plot", "body": 1, "quantities": ["speed"]})",
          R"({"type": "pick", "origin": [0,0,0], "direction": [1,0,0]})",
          R"({"type": "save"})",
          R"({"type": "export"})",
          R"({"type": "check", "world": 1})",
          R"({"type": "keys", "down": ["KeyW"]})"})
        EXPECT_EQ(refusal(text), "") << text;
}

TEST(Request, InvalidOnesAreRejectedWithASentence) {
    const std::pair<const char*, const char*> kCases[] = {
        {"", "message: the text is not JSON"},
        {"[1]", "message: must be an object, got an array"},
        {"{}", "message.type: is missing: a string"},
        {R"({"type": 3})", "message.type: must be a string, got 3"},
        {R"({"type": "dance"})", "message.type: there is no message \"dance\""},
        {R"({"type": "speed", "value": 9})",
         "speed.value: must be a number from 0.01 to 4.0, got 9"},
        {R"({"type": "speed", "value": 1e999})", "message: the text is not JSON"},
        {R"({"type": "seek", "step": 1.5})", "seek.step: must be an integer, got 1.5"},
        {R"({"type": "control", "index": -1, "value": 1})",
         "control.index: must be a number from 0.0 to 1000.0, got -1"},
        {R"({"type": "control", "index": 0, "value": [1]})",
         "control.value: must be a number from -1000000000000.0 to 1000000000000.0, got an "
         "array"},
        {R"({"type": "see", "what": ["ghosts"]})", "see.what: there is no overlay \"ghosts\""},
        {R"({"type": "hello", "protocol": 2})",
         "hello.protocol: must be a number from 1.0 to 1.0, got 2"},
        {R"({"type": "act", "action": {"type": "drop", "shape": "pig", "position": [0,0,0]}})",
         "action.shape: must be sphere, capsule, cube, cylinder, cone, hull or "
         "stack"},
        {R"({"type": "pick", "origin": [0,0,0], "direction": [0,0,0]})",
         "pick.direction: must not be zero"},
        {R"({"type": "pick", "origin": [0,0], "direction": [0,0,1]})",
         "pick.origin: must be three numbers [x, y, z] of at most 1e12, got an array"},
    };
    for (const auto& [text, expected] : kCases) EXPECT_EQ(refusal(text), expected);
    EXPECT_EQ(refusal(std::string(100, '[')), "message: the JSON nests deeper than 64 levels");
    EXPECT_EQ(refusal(std::string(5'000'000, '{')),
              "message: the JSON nests deeper than 64 levels");
}

TEST(UserAction, IsWrittenAsItIsRead) {
    for (
        const char* text :
        {R"({"type": "grab", "body": 3, "point": [1,2,3], "target": [4,5,6], "stiffness": 7, "hand": 2})",
         R"({"type": "move_grab", "target": [1,2,3]})", R"({"type": "release"})",
         R"({"type": "push", "body": 3, "point": [1,2,3], "impulse": [0,0,1]})",
         R"({"type": "throw", "position": [1,2,3], "velocity": [0,0,1], "radius": 0.5, "density": 3})",
         R"({"type": "drop", "shape": "cone", "position": [1,2,3], "size": 1})",
         R"({"type": "delete", "body": 3})",
         R"({"type": "duplicate", "body": 3, "position": [1,2,3]})",
         R"({"type": "freeze", "body": 3, "on": true})",
         R"({"type": "explode", "point": [1,2,3], "strength": 5, "radius": 2})",
         R"({"type": "edit", "body": 3, "mass": 2, "friction": 0, "restitution": 1, "position": [0,0,1],
              "velocity": [1,0,0], "angular_velocity": [0,1,0]})",
         R"({"type": "joint", "name": "pin", "motor": {"target_velocity": 2, "max_force": 5}})",
         R"({"type": "joint", "name": "pin", "motor": null})",
         R"({"type": "settings", "method": "fast", "gravity": [0,0,1], "time_step": 0.01, "substeps": 3,
              "impact": "newton", "multi": "propagation", "resting": "lcp", "detection": "static",
              "integrator": "rk4", "tolerance": 0.001, "delta": 0.1, "penalty_depth": 0.2,
              "separation_distance": 0.3})",
         R"({"type": "keys", "down": ["KeyA"]})"}) {
        const json object = json::parse(text);
        const Result<UserAction> action = parse_action(object, "action");
        ASSERT_TRUE(action.ok()) << text << to_string(action.error());
        EXPECT_EQ(write_action(*action), object);
    }
}

TEST(SessionRecording, IsReadAsItWasWrittenAndReplaysToTheSameHashes) {
    Session session = make_session(kStackScene);
    run(session, 100);
    ASSERT_TRUE(session.act({2, Drop{"cube", {1.25, 0, 12}, 0.75}}, 1));
    run(session, 50);
    ASSERT_TRUE(session.act({3, Explode{{0, 0, 1}, 2000, 5}}, 2));
    run(session, 100);
    const std::string text = write_recording({"stack.json",
                                              kStackScene,
                                              3,
                                              session.last_step(),
                                              {{"", session.actions(), session.hashes()}}});
    const Result<SessionRecording> recording = parse_recording(text);
    ASSERT_TRUE(recording.ok()) << to_string(recording.error());
    EXPECT_EQ(recording->scene, kStackScene);
    ASSERT_EQ(recording->worlds.size(), 1u);
    EXPECT_EQ(recording->worlds[0].hashes, session.hashes());
    EXPECT_EQ(recording->worlds[0].hashes.size(), 5u); // 0, 60, 120, 180, 240
    EXPECT_EQ(write_recording(*recording), text);

    Session again = make_session(recording->scene);
    again.set_future(recording->worlds[0].actions, recording->steps, recording->worlds[0].hashes);
    EXPECT_EQ(again.last_step(), 250u);
    run(again, 250);
    EXPECT_EQ(hash_of(again), hash_of(session));
    EXPECT_FALSE(again.divergence());

    auto hashes = recording->worlds[0].hashes;
    hashes[120] ^= 1;
    Session other = make_session(recording->scene);
    other.set_future(recording->worlds[0].actions, recording->steps, hashes);
    run(other, 250);
    EXPECT_EQ(other.divergence(), 120u);
}

TEST(SessionRecording, InvalidOnesAreRejectedWithASentence) {
    for (
        const char* text :
        {"", "{}", R"({"rigor_recording": 2})",
         R"({"rigor_recording": 1, "name": "x", "scene": "{}", "numerics": 1, "steps": -1, "worlds": []})",
         R"({"rigor_recording": 1, "name": "x", "scene": "{}", "numerics": 1, "steps": 1, "worlds": []})",
         R"({"rigor_recording": 1, "name": "x", "scene": "{}", "numerics": 1, "steps": 1,
              "worlds": [{"method": "", "actions": [{"type": "release", "step": 5, "group": 0},
                                                    {"type": "release", "step": 4, "group": 0}]}]})",
         R"({"rigor_recording": 1, "name": "x", "scene": "{}", "numerics": 1, "steps": 1,
              "worlds": [{"method": "", "hashes": [[60, "12"]]}]})"}) {
        const Result<SessionRecording> recording = parse_recording(text);
        ASSERT_FALSE(recording.ok()) << text;
        EXPECT_FALSE(recording.error().message.empty());
    }
}

// A scene that is exported before its first step is the same scene.
TEST(SceneExport, TheGalleryComesBackAsItWas) {
    namespace fs = std::filesystem;
    int count = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(RIGOR_SOURCE_DIR "/scenes")) {
        if (entry.path().extension() != ".json" || fs::file_size(entry) > 1'000'000) continue;
        SCOPED_TRACE(entry.path().filename().string());
        Result<Scene> scene = load_scene(entry.path());
        ASSERT_TRUE(scene.ok()) << to_string(scene.error());
        if (scene->bodies.size() > 5000) continue;
        // Vehicles are exported as bodies and joints, without what drives them.
        const bool whole =
            scene->vehicles.empty() &&
            std::none_of(scene->bodies.begin(), scene->bodies.end(), [](const auto& b) {
                return std::any_of(b.def.shapes.begin(), b.def.shapes.end(), [](const ShapeDef& s) {
                    const auto* mesh = std::get_if<MeshDef>(&s.geometry);
                    return mesh && mesh->concavity;
                });
            });
        // Impacts of many bodies take `faithful` most of a second in each step.
        const bool is_slow = scene->method == "faithful" && scene->bodies.size() > 12;
        Session session = Session::make(std::move(*scene), {}).value();
        const Result<Scene> again = parse_scene(export_scene(session), "again.json");
        ASSERT_TRUE(again.ok()) << to_string(again.error());
        Session second = Session::make(*again, {}).value();
        ASSERT_EQ(second.world().body_count(), session.world().body_count());
        ASSERT_EQ(second.world().joint_count(), session.world().joint_count());
        if (!whole) continue;
        for (int i = 0; i < (is_slow ? 10 : 30); ++i) session.step(), second.step();
        for (const SessionBody& session_body : *session.state().bodies) {
            if (session_body.id.is_null()) continue;
            const Vec3d a = session.world().pose(session_body.id).p,
                        b = second.world().pose(session_body.id).p;
            ASSERT_LE(length(a - b), 1e-6 * (1 + length(a)))
                << session.world().name(session_body.id);
        }
        ++count;
    }
    EXPECT_GT(count, 5);
}

TEST(SceneExport, HoldsWhatWasDone) {
    Session session = make_session(kStackScene);
    run(session, 30);
    ASSERT_TRUE(session.act({1, Drop{"stack", {5, 0, 3}, 0.5}}, 1));
    ASSERT_TRUE(session.act({1, Duplicate{slot_of(session, "tower[9]"), {}}}, 2));
    ASSERT_TRUE(session.act({1, Delete{slot_of(session, "tower[3]")}}, 3));
    Edit edit;
    edit.body = slot_of(session, "tower[0]"), edit.mass = 5, edit.friction = 0.05;
    ASSERT_TRUE(session.act({1, edit}, 4));
    ASSERT_TRUE(session.act({1, Freeze{slot_of(session, "tower[1]"), true}}, 5));
    run(session, 10);
    const Result<Scene> again = parse_scene(export_scene(session), "again.json");
    ASSERT_TRUE(again.ok()) << to_string(again.error());
    Session second = Session::make(*again, {}).value();
    EXPECT_EQ(second.world().body_count(), session.world().body_count());
    const BodyId low = body_at(second.state(), slot_of(second, "tower[0]"));
    EXPECT_NEAR(second.world().mass_properties(low).mass, 5, 1e-12);
    EXPECT_EQ(second.world().material(second.world().shapes(low)[0]).kinetic_friction, 0.05);
    const BodyId frozen = body_at(second.state(), slot_of(second, "tower[1]"));
    EXPECT_EQ(second.world().type(frozen), BodyType::static_body);
    for (const SessionBody& session_body : *session.state().bodies) {
        if (session_body.id.is_null()) continue;
        const BodyState a = session.world().state(session_body.id);
        const BodyState b = second.world().state(body_at(
            second.state(), slot_of(second, std::string(session.world().name(session_body.id)))));
        EXPECT_LE(length(a.position - b.position), 1e-12 * (1 + length(a.position)));
        EXPECT_LE(length(a.velocity - b.velocity), 1e-12 * (1 + length(a.velocity)));
    }
}

} // namespace
} // namespace rigor::viewer
