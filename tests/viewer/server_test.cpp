// The server over real sockets: requests and replies, frames, and resistance to bad clients.

#include <set>

#include "live_server.h"

namespace rigor::viewer {
namespace {

json open_stack(TestClient& client) {
    client.hello();
    EXPECT_FALSE(client.wait_for("state").is_null());
    client.send({{"type", "open"}, {"text", kStackScene}, {"name", "stack.json"}});
    return client.wait_for("scene");
}

TEST(HttpServer, ServesThePageAndTheScenesAndNothingElse) {
    LiveServer server;
    const std::string response = server.get("/");
    EXPECT_EQ(status_of(response), 200);
    EXPECT_NE(response.find("<p>page"), std::string::npos);
    EXPECT_NE(response.find("Content-Security-Policy: default-src 'self'"), std::string::npos);
    for (const char* loose : {"unsafe", "data:", "blob:", "*"})
        EXPECT_EQ(response.substr(0, response.find("\r\n\r\n")).find(loose), std::string::npos)
            << loose;
    EXPECT_EQ(status_of(server.get("/scenes/tower.json")), 200);
    EXPECT_EQ(server.get("/", "", "HEAD").find("<p>page"), std::string::npos);
    EXPECT_EQ(status_of(server.get("/nothing")), 404);
    for (const char* target :
         {"/scenes/../README.md", "/scenes/%2e%2e/README.md", "/scenes/..%2fREADME.md",
          "/../secret.json", "/%2e%2e/secret.json", "/scenes/meshes/pyramid.obj"})
        EXPECT_EQ(status_of(server.get(target)), 404) << target;
    EXPECT_EQ(status_of(server.get("/", "", "POST")), 405);
    EXPECT_EQ(status_of(server.get("/ws")), 426);
    EXPECT_EQ(status_of(server.get("/", "X: " + std::string(20000, 'x') + "\r\n")), 0);
}

TEST(HttpServer, RefusesWrongOriginsAndHosts) {
    LiveServer server;
    EXPECT_EQ(status_of(server.get("/ws", "Origin: http://evil.example\r\n")), 403);
    EXPECT_TRUE(server.logs("the Origin is not this server"));
    TcpConnection connection(server.port());
    connection.send("GET / HTTP/1.1\r\nHost: evil.example:" + std::to_string(server.port()) +
                    "\r\n\r\n");
    EXPECT_EQ(status_of(connection.header()), 403);
    EXPECT_TRUE(server.logs("the Host is not this server"));
    TcpConnection none(server.port());
    none.send("GET / HTTP/1.0\r\n\r\n");
    EXPECT_EQ(status_of(none.header()), 403);
}

TEST(HttpServer, AsksForItsToken) {
    const std::string token = random_token();
    LiveServer server(token);
    EXPECT_EQ(status_of(server.get("/")), 401);
    EXPECT_TRUE(server.logs("the token is missing or wrong"));
    EXPECT_FALSE(TestClient(server.port()).connected());
    EXPECT_FALSE(TestClient(server.port(), "/ws?token=" + random_token()).connected());
    EXPECT_TRUE(TestClient(server.port(), "/ws?token=" + token).connected());
    const std::string first = server.get("/?token=" + token);
    const std::string cookie = "rigor_token_" + std::to_string(server.port()) + "=" + token;
    EXPECT_NE(first.find("Set-Cookie: " + cookie + "; HttpOnly; SameSite=Strict"),
              std::string::npos);
    EXPECT_EQ(status_of(server.get("/", "Cookie: " + cookie + "\r\n")), 200);
}

TEST(HttpServer, OpensRunsStepsAndStepsBackToTheSameHash) {
    LiveServer server;
    TestClient client(server.port());
    ASSERT_TRUE(client.connected());
    const json scene = open_stack(client);
    ASSERT_FALSE(scene.is_null());
    EXPECT_EQ(scene["worlds"][0]["bodies"].size(), 12u);
    EXPECT_EQ(scene["worlds"][0]["geometries"].size(), 3u);
    ASSERT_FALSE(
        client.wait_for("state", 5000, [](const json& s) { return s["step"] > 10; }).is_null());
    client.send({{"type", "pause"}});
    const json paused =
        client.wait_for("state", 5000, [](const json& s) { return s["running"] == false; });
    client.send({{"type", "step"}, {"count", 3}});
    const json ahead = client.wait_for(
        "state", 5000, [&](const json& s) { return s["step"] == paused["step"].get<int>() + 3; });
    ASSERT_FALSE(ahead.is_null());
    EXPECT_NE(ahead["hashes"], paused["hashes"]);
    client.send({{"type", "step"}, {"count", -3}});
    const json back =
        client.wait_for("state", 5000, [&](const json& s) { return s["step"] == paused["step"]; });
    EXPECT_EQ(back["hashes"], paused["hashes"]);
    EXPECT_EQ(back["last_step"], ahead["step"]);
    client.send({{"type", "seek"}, {"step", 1}});
    EXPECT_FALSE(
        client.wait_for("state", 5000, [](const json& s) { return s["step"] == 1; }).is_null());
    client.send({{"type", "act"},
                 {"action", {{"type", "drop"}, {"shape", "cone"}, {"position", {5, 5, 5}}}}});
    EXPECT_EQ(client.wait_for("bodies_added")["bodies"][0]["name"], "cone 1");
    client.send({{"type", "undo"}});
    EXPECT_EQ(client.wait_for("bodies_removed")["bodies"][0], 12);
    client.send({{"type", "redo"}});
    EXPECT_EQ(client.wait_for("bodies_added")["bodies"][0]["name"], "cone 1");
    client.send({{"type", "inspect"}, {"body", 12}});
    EXPECT_EQ(client.wait_for("body")["name"], "cone 1");
    client.send({{"type", "pick"}, {"origin", {5, 5, 50}}, {"direction", {0, 0, -1}}, {"id", 5}});
    const json picked = client.wait_for("picked");
    EXPECT_EQ(picked["body"], 12);
    EXPECT_EQ(picked["id"], 5);
    client.send({{"type", "settings"}, {"method", "free"}});
    EXPECT_EQ(client.wait_for("settings")["method"], "free");
    client.send({{"type", "export"}});
    EXPECT_TRUE(parse_scene(client.wait_for("scene_text")["text"], "x").ok());
}

TEST(HttpServer, SavesAndLoadsRecordings) {
    LiveServer server;
    TestClient client(server.port());
    open_stack(client);
    client.send({{"type", "pause"}});
    client.send(
        {{"type", "act"},
         {"action", {{"type", "throw"}, {"position", {0, -5, 5}}, {"velocity", {0, 10, 0}}}}});
    client.send({{"type", "step"}, {"count", 130}});
    const json then =
        client.wait_for("state", 5000, [](const json& s) { return s["step"] >= 130; });
    client.send({{"type", "save"}});
    const std::string text = client.wait_for("recording")["text"];
    client.send({{"type", "open"}, {"scene", "tower.json"}});
    EXPECT_EQ(client.wait_for("scene")["name"], "tower");
    client.send({{"type", "load"}, {"recording", text}});
    EXPECT_EQ(client.wait_for("scene")["name"], "stack");
    client.send({{"type", "seek"}, {"step", then["step"]}});
    const json again =
        client.wait_for("state", 5000, [&](const json& s) { return s["step"] == then["step"]; });
    EXPECT_EQ(again["hashes"], then["hashes"]);
    client.send({{"type", "load"}, {"recording", "{}"}});
    EXPECT_EQ(client.wait_for("error")["about"], "load");
}

TEST(HttpServer, ComparesMethodsInStep) {
    LiveServer server;
    TestClient client(server.port());
    client.hello();
    client.send({{"type", "open"},
                 {"text", kBallScene},
                 {"name", "b"},
                 {"methods", {"fast", "faithful", "free"}}});
    const json scene = client.wait_for("scene");
    ASSERT_EQ(scene["worlds"].size(), 3u);
    EXPECT_EQ(scene["worlds"][1]["method"], "faithful");
    const json stats =
        client.wait_for("stats", 10000, [](const json& s) { return s["step"] > 60; });
    ASSERT_FALSE(stats.is_null());
    EXPECT_FALSE(stats["worlds"][0].contains("distance"));
    EXPECT_LT(stats["worlds"][1]["distance"]["max"], 1.0);
    EXPECT_GT(stats["worlds"][2]["distance"]["max"], 1.0); // it fell through the floor
    client.send({{"type", "settings"}, {"method", "kenwright"}, {"world", 2}});
    const json changed = client.wait_for("settings");
    EXPECT_EQ(changed["world"], 2);
    EXPECT_EQ(changed["method"], "kenwright");
    client.send({{"type", "act"},
                 {"action", {{"type", "drop"}, {"shape", "cube"}, {"position", {0, 9, 9}}}}});
    std::set<int> worlds;
    for (int i = 0; i < 3; ++i) worlds.insert(client.wait_for("bodies_added")["world"].get<int>());
    EXPECT_EQ(worlds.size(), 3u);
    client.send({{"type", "undo"}});
    EXPECT_FALSE(client.wait_for("bodies_removed").is_null());
}

TEST(HttpServer, SeveralPagesSeeOneWorldAndComeBackToIt) {
    LiveServer server;
    TestClient one(server.port());
    open_stack(one);
    {
        TestClient two(server.port());
        two.hello();
        EXPECT_EQ(two.wait_for("scene")["name"], "stack");
        two.send({{"type", "act"},
                  {"action", {{"type", "drop"}, {"shape", "cube"}, {"position", {9, 9, 9}}}}});
        EXPECT_EQ(one.wait_for("bodies_added")["bodies"][0]["index"], 12);
        two.send(
            {{"type", "act"},
             {"action",
              {{"type", "grab"}, {"body", 12}, {"point", {0.1, 0, 0}}, {"target", {9, 9, 9}}}}});
        const json held =
            one.wait_for("state", 5000, [](const json& s) { return !s["grabs"].empty(); });
        ASSERT_FALSE(held.is_null());
        EXPECT_EQ(held["grabs"][0]["point"], json({0.1, 0, 0})); // of the body's frame
        two.send({{"type", "act"}, {"action", {{"type", "freeze"}, {"body", 12}, {"on", true}}}});
        EXPECT_FALSE(
            one.wait_for("state", 5000, [](const json& s) { return s["frozen"] == json({12}); })
                .is_null());
    }
    // Who leaves lets go.
    EXPECT_FALSE(
        one.wait_for("state", 5000, [](const json& s) { return s["grabs"].empty(); }).is_null());
    TestClient three(server.port());
    three.hello();
    EXPECT_EQ(three.wait_for("scene")["worlds"][0]["bodies"].size(), 13u);
}

TEST(HttpServer, SendsFramesColorsAndOverlays) {
    LiveServer server;
    TestClient client(server.port());
    open_stack(client);
    client.send({{"type", "see"}, {"what", {"contacts", "axes"}}, {"color", "stress"}});
    std::set<int> types;
    std::size_t with_values = 0;
    for (int i = 0; i < 300 && (types.size() < 3 || with_values < 3); ++i) {
        const auto received = client.receive();
        ASSERT_TRUE(received);
        if (!received->binary) continue;
        types.insert(received->text[0]);
        with_values += received->text[0] == 1 && (received->text[2] & 2) != 0;
    }
    EXPECT_EQ(types, (std::set<int>{1, 2, 3}));
    EXPECT_GE(with_values, 3u);
}

TEST(HttpServer, ErrorsNameFileLineAndColumn) {
    LiveServer server;
    TestClient client(server.port());
    client.hello();
    client.send(
        {{"type", "open"}, {"text", "{ \"rigor\": 1,\n  \"bodys\": [] }"}, {"name", "mine.json"}});
    const json error = client.wait_for("error");
    EXPECT_EQ(error["file"], "mine.json");
    EXPECT_EQ(error["line"], 2);
    EXPECT_EQ(error["column"], 3);
    client.send({{"type", "open"}, {"scene", "../secret.json"}});
    EXPECT_NE(client.wait_for("error")["message"].get<std::string>().find("no such scene"),
              std::string::npos);
}

TEST(HttpServer, HelloComesFirst) {
    LiveServer server;
    TestClient client(server.port());
    client.send({{"type", "run"}});
    EXPECT_TRUE(client.connection().ends_within(8000));
    TestClient large(server.port());
    large.send({{"type", "hello"}, {"protocol", 1}, {"padding", std::string(20000, 'x')}});
    EXPECT_TRUE(large.connection().ends_within(8000));
}

/// Measures the speed of the simulation while something else goes on.
class SpeedMonitor {
  public:
    explicit SpeedMonitor(LiveServer& server) : client_(server.port()) {
        open_stack(client_);
        before_ = client_.state()["step"].get<int>();
        start_ = Clock::now();
    }
    /// Steps made over steps due since construction, for at least a second.
    double fraction_of_real_time() {
        std::this_thread::sleep_until(start_ + std::chrono::seconds(1));
        const int steps = client_.state()["step"].get<int>() - before_;
        return steps / (60 * std::chrono::duration<double>(Clock::now() - start_).count());
    }

  private:
    TestClient client_;
    int before_ = 0;
    Clock::time_point start_;
};

TEST(HttpServer, AMessageOfAHundredMegabytesEndsItsConnectionOnly) {
    LiveServer server;
    SpeedMonitor monitor(server);
    TestClient client(server.port());
    client.hello();
    client.wait_for("state");
    std::string head = TestClient::frame(std::string(70000, ' '));
    for (int i = 0; i < 8; ++i)
        head[static_cast<std::size_t>(2 + i)] =
            static_cast<char>(std::uint64_t{100'000'000} >> (56 - 8 * i) & 255);
    client.connection().send(head);
    const std::string megabyte(1 << 20, ' ');
    for (int i = 0; i < 100 && client.connection().send(megabyte); ++i) {}
    EXPECT_TRUE(client.connection().ends_within(8000));
    EXPECT_TRUE(server.logs("a message was too large"));
    EXPECT_GT(monitor.fraction_of_real_time(), 0.8);
}

TEST(HttpServer, AFloodOfMessagesIsDroppedAndThenEnded) {
    LiveServer server;
    SpeedMonitor monitor(server);
    TestClient client(server.port());
    client.hello();
    client.wait_for("state");
    std::string burst;
    for (int i = 0; i < 100; ++i) burst += TestClient::frame(R"({"type": "speed", "value": 1})");
    const auto start = Clock::now();
    for (int i = 0; i < 200 && client.connection().send(burst); ++i) {
        std::this_thread::sleep_until(start + std::chrono::milliseconds(10 * i));
    }
    EXPECT_TRUE(client.connection().ends_within(8000));
    EXPECT_TRUE(server.logs("dropping messages of 127.0.0.1: more than 240 a second"));
    EXPECT_TRUE(server.logs("it stayed above 240 messages a second"));
    EXPECT_GT(monitor.fraction_of_real_time(), 0.8);
}

TEST(HttpServer, HalfOpenConnectionsAreDropped) {
    LiveServer server;
    SpeedMonitor monitor(server);
    std::vector<std::unique_ptr<TcpConnection>> silent;
    for (int i = 0; i < 40; ++i) silent.push_back(std::make_unique<TcpConnection>(server.port()));
    silent[0]->send("GET / HT");
    EXPECT_TRUE(server.logs("32 connections are open already"));
    EXPECT_GT(monitor.fraction_of_real_time(), 0.8);
    EXPECT_TRUE(silent[0]->ends_within(8000));
    EXPECT_TRUE(server.logs("no request within 5 s"));
    EXPECT_EQ(status_of(server.get("/")), 200); // there is room again
}

TEST(HttpServer, NonsenseIsAnsweredOrCutOff) {
    LiveServer server;
    SpeedMonitor monitor(server);
    test::Random random;
    for (int round = 0; round < 20; ++round) {
        TestClient client(server.port());
        client.hello();
        client.wait_for("state");
        std::string bytes;
        for (int i = 0; i < 500; ++i) bytes += static_cast<char>(random.bits());
        client.connection().send(round % 2 == 0 ? bytes : TestClient::frame(bytes));
        TcpConnection connection(server.port());
        connection.send(bytes);
    }
    EXPECT_GT(monitor.fraction_of_real_time(), 0.8);
}

TEST(HttpServer, APortInUseIsNamed) {
    LiveServer server;
    Outbox outbox;
    SimulationServer simulation({}, outbox);
    HttpServerOptions options;
    options.port = server.port();
    const auto second = HttpServer::make(options, simulation, outbox);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().message,
              "port " + std::to_string(server.port()) + " is in use: choose another with --port");
    options.address = "nowhere";
    EXPECT_FALSE(HttpServer::make(options, simulation, outbox).ok());
}

} // namespace
} // namespace rigor::viewer
