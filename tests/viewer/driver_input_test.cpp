// Driven bodies over the socket: input, reports of collisions, the score; and a driver in another
// program.
#include "viewer/driver_input.h"

#include <array>
#include <cstdio>
#include <fstream>

#include "live_server.h"

namespace rigor::viewer {
namespace {

/// A racket with a grid, one without, and a ball that falls on the first.
const char* const kRacketScene = R"({
  "rigor": 1, "name": "racket", "bodies": [
    { "name": "racket", "shapes": [ { "type": "box", "size": [0.6, 0.6, 0.1] } ], "can_sleep": false,
      "driver": { "input": "socket", "grip": 500, "grid": [
        [[-0.1, 0.1, 0]], [[0, 0.1, 0]], [[0.1, 0.1, 0]], [[-0.1, 0, 0]], [[0, 0, 0]], [[0.1, 0, 0]],
        [[-0.1, -0.1, 0]], [[0, -0.1, 0]], [[0.1, -0.1, 0]]] } },
    { "name": "hand", "type": "kinematic", "position": [3, 0, 0], "driver": { "input": "socket" },
      "shapes": [ { "type": "sphere", "radius": 0.2 } ] },
    { "name": "ball", "position": [0, 0, 1.5], "shapes": [ { "type": "sphere", "radius": 0.1 } ] } ]
})";

std::string refusal(Session& session, const std::string& text) {
    const auto done = session.act(action_of(text), 1);
    return done ? "accepted" : to_string(done.error());
}

TEST(DriverInput, MovesTheDeviceOfABody) {
    Session session = make_session(kRacketScene);
    ASSERT_TRUE(session.act(action_of(R"({"type": "input", "body": 0, "x": 1, "y": -1})"), 1));
    ASSERT_TRUE(session.act(action_of(R"({"type": "input", "body": 1, "position": [3, 0, 0.5],
        "orientation": [1, 0, 0, 0]})"),
                            1));
    EXPECT_EQ(session.undo_count(), 0u);
    run(session, 30);
    const Vec3d racket = session.world().pose(body_at(session.state(), 0)).p;
    EXPECT_LT(length(racket - Vec3d{0.1, -0.1, 0}), 1e-6);
    EXPECT_LT(length(session.world().pose(body_at(session.state(), 1)).p - Vec3d{3, 0, 0.5}), 1e-6);
}

// Inputs are part of the history: going back and on gives the same bits, also from a recording.
TEST(DriverInput, IsRepeatedAfterSeeking) {
    Session session = make_session(kRacketScene);
    for (int i = 0; i < 100; ++i) {
        const double x = i % 7 / 3.5 - 1;
        const UserAction input{0, DriveInput{0, GridPoint{x, -x}, {}, {}}};
        const UserAction read = parse_action(write_action(input), "action").value();
        ASSERT_TRUE(session.act(read, static_cast<std::uint64_t>(i) + 1));
        session.step();
    }
    const std::uint64_t hash = session.simulation().state_hash();
    ASSERT_TRUE(seek_to(session, 13));
    EXPECT_NE(session.simulation().state_hash(), hash);
    ASSERT_TRUE(seek_to(session, 100));
    EXPECT_EQ(session.simulation().state_hash(), hash);
    EXPECT_FALSE(session.divergence());
}

TEST(DriverInput, ThatIsWrongIsRefusedInOneSentence) {
    Session session = make_session(kRacketScene);
    EXPECT_EQ(refusal(session, R"({"type": "input", "body": 2, "x": 0, "y": 0})"),
              "body \"ball\": the body has no driver");
    EXPECT_EQ(refusal(session, R"({"type": "input", "body": 77, "x": 0, "y": 0})"),
              "there is no body 77");
    EXPECT_EQ(refusal(session, R"({"type": "input", "body": 1, "x": 0, "y": 0})"),
              "body \"hand\": the driver has no grid: it takes a position and an orientation");
    EXPECT_EQ(refusal(session, R"({"type": "input", "body": 0, "position": [0, 0, 0]})"),
              "body \"racket\": the driver has a grid: it takes x and y");
    for (const char* text :
         {R"({"type": "input", "body": 0, "x": 2, "y": 0})", R"({"type": "input", "body": 0})",
          R"({"type": "input", "body": 0, "x": 0})",
          R"({"type": "input", "body": 0, "x": 0, "y": 0, "position": [0, 0, 0]})",
          R"({"type": "input", "body": 1, "position": [0, 0, 0], "orientation": [2, 0, 0, 0]})",
          R"({"type": "input", "x": 0, "y": 0})"})
        EXPECT_FALSE(parse_action(json::parse(text), "action")) << text;
    std::string type;
    EXPECT_FALSE(parse_request(R"({"type": "input", "body": 0, "x": NaN, "y": 0})", type));
}

TEST(DriverInput, AndWhatCameOfItGoOverTheSocket) {
    LiveServer server;
    TestClient client(server.port()), other(server.port());
    client.hello(), other.hello();
    client.send({{"type", "open"}, {"text", kRacketScene}, {"name", "racket.json"}});
    const json scene = client.wait_for("scene");
    const json drivers = scene["worlds"][0]["drivers"];
    ASSERT_EQ(drivers.size(), 2u);
    EXPECT_EQ(drivers[0], json({{"body", 0}, {"input", "socket"}, {"grid", true}}));
    EXPECT_EQ(drivers[1], json({{"body", 1}, {"input", "socket"}, {"grid", false}}));
    EXPECT_FALSE(scene["worlds"][0].contains("duel"));
    client.send({{"type", "input"}, {"body", 0}, {"x", 0.2}, {"y", 0}});
    other.send({{"type", "input"}, {"body", 1}, {"position", {3, 0, 1}}});
    const json driven = client.wait_for("driven");
    ASSERT_FALSE(driven.is_null());
    const json& event = driven["events"][0];
    EXPECT_EQ(event["body"], 0);
    EXPECT_GT(event["step"], 10);
    EXPECT_LT(event["impulse"][2], 0);
    for (const char* key :
         {"position", "velocity", "angular_velocity", "angular_impulse", "orientation"})
        EXPECT_TRUE(event.contains(key)) << key;
    client.send({{"type", "input"}, {"body", 2}, {"x", 0}, {"y", 0}});
    EXPECT_EQ(client.wait_for("error")["message"], "body \"ball\": the body has no driver");
}

TEST(DriverInput, TheScoreOfADuelIsTold) {
    LiveServer server;
    TestClient client(server.port());
    client.hello();
    client.send({{"type", "open"}, {"scene", "fencing.json"}});
    const json scene = client.wait_for("scene");
    const json& world = scene["worlds"][0];
    EXPECT_EQ(world["duel"], json({{"names", {"red", "blue"}}, {"rounds", 5}}));
    EXPECT_TRUE(world["warnings"].empty()) << world["warnings"];
    for (const json& body : world["bodies"]) {
        if (body["name"] == "piste") continue;
        const json& drawn = body.contains("look") ? body["look"] : body["shapes"][0];
        EXPECT_EQ(world["geometries"][drawn["geometry"].get<std::size_t>()]["type"], "mesh");
    }
    const json hud = client.wait_for("hud");
    ASSERT_FALSE(hud.is_null());
    EXPECT_EQ(hud["duel"]["score"], json({0, 0}));
    EXPECT_EQ(hud["duel"]["control"].size(), 2u);
    // A thrust past the other weapon.
    client.send({{"type", "input"}, {"body", 3}, {"x", 1}, {"y", 1}});
    client.send({{"type", "input"}, {"body", 4}, {"x", 0}, {"y", 0}});
    const json hit = client.wait_for("hud", 20000, [](const json& m) {
        return !m["duel"]["last_hit"].get<std::string>().empty();
    });
    ASSERT_FALSE(hit.is_null());
    EXPECT_EQ(hit["duel"]["last_hit"], "red hits blue");
    EXPECT_EQ(hit["duel"]["score"], json({1, 0}));
}

// examples/driver_client is a program outside the engine; it is told of the ball that falls on the
// racket it moves.
TEST(DriverClient, DrivesABodyAndIsToldOfItsCollisions) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("rigor_racket_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "racket.json") << kRacketScene;
    LiveServer server("", folder.string());
    const std::string command = "python3 " RIGOR_SOURCE_DIR
                                "/examples/driver_client/driver_client.py " +
                                std::to_string(server.port()) +
                                " --scene racket.json --body racket --hits 1 --seconds 30 2>&1";
    FILE* program = popen(command.c_str(), "r");
    ASSERT_TRUE(program);
    std::string output;
    std::array<char, 256> bytes;
    while (const std::size_t n = std::fread(bytes.data(), 1, bytes.size(), program))
        output.append(bytes.data(), n);
    EXPECT_EQ(pclose(program), 0) << output;
    EXPECT_NE(output.find("impulse ["), std::string::npos) << output;
    std::filesystem::remove_all(folder);
}

} // namespace
} // namespace rigor::viewer
