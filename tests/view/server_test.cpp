// The server over real sockets: what it shows, and what it does not let happen.

#include <set>

#include "live_server.h"

namespace rigor::view {
namespace {

json open_stack(Page& page) {
    page.hello();
    EXPECT_FALSE(page.wait_for("state").is_null());
    page.say({{"type", "open"}, {"text", kStackScene}, {"name", "stack.json"}});
    return page.wait_for("scene");
}

TEST(Server, ServesThePageAndTheScenesAndNothingElse) {
    LiveServer server;
    const std::string page = server.get("/");
    EXPECT_EQ(status_of(page), 200);
    EXPECT_NE(page.find("<p>page"), std::string::npos);
    EXPECT_NE(page.find("Content-Security-Policy: default-src 'self'"), std::string::npos);
    for (const char* loose : {"unsafe", "data:", "blob:", "*"})
        EXPECT_EQ(page.substr(0, page.find("\r\n\r\n")).find(loose), std::string::npos) << loose;
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

TEST(Server, RefusesWrongOriginsAndHosts) {
    LiveServer server;
    EXPECT_EQ(status_of(server.get("/ws", "Origin: http://evil.example\r\n")), 403);
    EXPECT_TRUE(server.logs("the Origin is not this server"));
    Wire wire(server.port());
    wire.send("GET / HTTP/1.1\r\nHost: evil.example:" + std::to_string(server.port()) + "\r\n\r\n");
    EXPECT_EQ(status_of(wire.header()), 403);
    EXPECT_TRUE(server.logs("the Host is not this server"));
    Wire none(server.port());
    none.send("GET / HTTP/1.0\r\n\r\n");
    EXPECT_EQ(status_of(none.header()), 403);
}

TEST(Server, AsksForItsToken) {
    const std::string token = random_token();
    LiveServer server(token);
    EXPECT_EQ(status_of(server.get("/")), 401);
    EXPECT_TRUE(server.logs("the token is missing or wrong"));
    EXPECT_FALSE(Page(server.port()).connected());
    EXPECT_FALSE(Page(server.port(), "/ws?token=" + random_token()).connected());
    EXPECT_TRUE(Page(server.port(), "/ws?token=" + token).connected());
    const std::string first = server.get("/?token=" + token);
    const std::string cookie = "rigor_token_" + std::to_string(server.port()) + "=" + token;
    EXPECT_NE(first.find("Set-Cookie: " + cookie + "; HttpOnly; SameSite=Strict"),
              std::string::npos);
    EXPECT_EQ(status_of(server.get("/", "Cookie: " + cookie + "\r\n")), 200);
}

TEST(Server, OpensRunsStepsAndStepsBackToTheSameHash) {
    LiveServer server;
    Page page(server.port());
    ASSERT_TRUE(page.connected());
    const json scene = open_stack(page);
    ASSERT_FALSE(scene.is_null());
    EXPECT_EQ(scene["worlds"][0]["bodies"].size(), 12u);
    EXPECT_EQ(scene["worlds"][0]["geometries"].size(), 3u);
    ASSERT_FALSE(
        page.wait_for("state", 5000, [](const json& s) { return s["step"] > 10; }).is_null());
    page.say({{"type", "pause"}});
    const json paused =
        page.wait_for("state", 5000, [](const json& s) { return s["running"] == false; });
    page.say({{"type", "step"}, {"count", 3}});
    const json ahead = page.wait_for(
        "state", 5000, [&](const json& s) { return s["step"] == paused["step"].get<int>() + 3; });
    ASSERT_FALSE(ahead.is_null());
    EXPECT_NE(ahead["hashes"], paused["hashes"]);
    page.say({{"type", "step"}, {"count", -3}});
    const json back =
        page.wait_for("state", 5000, [&](const json& s) { return s["step"] == paused["step"]; });
    EXPECT_EQ(back["hashes"], paused["hashes"]);
    EXPECT_EQ(back["last_step"], ahead["step"]);
    page.say({{"type", "seek"}, {"step", 1}});
    EXPECT_FALSE(
        page.wait_for("state", 5000, [](const json& s) { return s["step"] == 1; }).is_null());
    page.say({{"type", "act"},
              {"action", {{"type", "drop"}, {"shape", "cone"}, {"position", {5, 5, 5}}}}});
    EXPECT_EQ(page.wait_for("bodies_added")["bodies"][0]["name"], "cone 1");
    page.say({{"type", "undo"}});
    EXPECT_EQ(page.wait_for("bodies_removed")["bodies"][0], 12);
    page.say({{"type", "redo"}});
    EXPECT_EQ(page.wait_for("bodies_added")["bodies"][0]["name"], "cone 1");
    page.say({{"type", "inspect"}, {"body", 12}});
    EXPECT_EQ(page.wait_for("body")["name"], "cone 1");
    page.say({{"type", "pick"}, {"origin", {5, 5, 50}}, {"direction", {0, 0, -1}}, {"id", 5}});
    const json picked = page.wait_for("picked");
    EXPECT_EQ(picked["body"], 12);
    EXPECT_EQ(picked["id"], 5);
    page.say({{"type", "settings"}, {"method", "free"}});
    EXPECT_EQ(page.wait_for("settings")["method"], "free");
    page.say({{"type", "export"}});
    EXPECT_TRUE(parse_scene(page.wait_for("scene_text")["text"], "x").ok());
}

TEST(Server, SavesAndLoadsRecordings) {
    LiveServer server;
    Page page(server.port());
    open_stack(page);
    page.say({{"type", "pause"}});
    page.say({{"type", "act"},
              {"action", {{"type", "throw"}, {"position", {0, -5, 5}}, {"velocity", {0, 10, 0}}}}});
    page.say({{"type", "step"}, {"count", 130}});
    const json then = page.wait_for("state", 5000, [](const json& s) { return s["step"] >= 130; });
    page.say({{"type", "save"}});
    const std::string text = page.wait_for("recording")["text"];
    page.say({{"type", "open"}, {"scene", "tower.json"}});
    EXPECT_EQ(page.wait_for("scene")["name"], "tower");
    page.say({{"type", "load"}, {"recording", text}});
    EXPECT_EQ(page.wait_for("scene")["name"], "stack");
    page.say({{"type", "seek"}, {"step", then["step"]}});
    const json again =
        page.wait_for("state", 5000, [&](const json& s) { return s["step"] == then["step"]; });
    EXPECT_EQ(again["hashes"], then["hashes"]);
    page.say({{"type", "load"}, {"recording", "{}"}});
    EXPECT_EQ(page.wait_for("error")["about"], "load");
}

TEST(Server, ComparesMethodsInStep) {
    LiveServer server;
    Page page(server.port());
    page.hello();
    page.say({{"type", "open"},
              {"text", kBallScene},
              {"name", "b"},
              {"methods", {"fast", "faithful", "free"}}});
    const json scene = page.wait_for("scene");
    ASSERT_EQ(scene["worlds"].size(), 3u);
    EXPECT_EQ(scene["worlds"][1]["method"], "faithful");
    const json stats = page.wait_for("stats", 10000, [](const json& s) { return s["step"] > 60; });
    ASSERT_FALSE(stats.is_null());
    EXPECT_FALSE(stats["worlds"][0].contains("distance"));
    EXPECT_LT(stats["worlds"][1]["distance"]["max"], 1.0);
    EXPECT_GT(stats["worlds"][2]["distance"]["max"], 1.0); // it fell through the floor
    page.say({{"type", "settings"}, {"method", "kenwright"}, {"world", 2}});
    const json changed = page.wait_for("settings");
    EXPECT_EQ(changed["world"], 2);
    EXPECT_EQ(changed["method"], "kenwright");
    page.say({{"type", "act"},
              {"action", {{"type", "drop"}, {"shape", "cube"}, {"position", {0, 9, 9}}}}});
    std::set<int> worlds;
    for (int i = 0; i < 3; ++i) worlds.insert(page.wait_for("bodies_added")["world"].get<int>());
    EXPECT_EQ(worlds.size(), 3u);
    page.say({{"type", "undo"}});
    EXPECT_FALSE(page.wait_for("bodies_removed").is_null());
}

TEST(Server, SeveralPagesSeeOneWorldAndComeBackToIt) {
    LiveServer server;
    Page one(server.port());
    open_stack(one);
    {
        Page two(server.port());
        two.hello();
        EXPECT_EQ(two.wait_for("scene")["name"], "stack");
        two.say({{"type", "act"},
                 {"action", {{"type", "drop"}, {"shape", "cube"}, {"position", {9, 9, 9}}}}});
        EXPECT_EQ(one.wait_for("bodies_added")["bodies"][0]["index"], 12);
        two.say(
            {{"type", "act"},
             {"action",
              {{"type", "grab"}, {"body", 12}, {"point", {0.1, 0, 0}}, {"target", {9, 9, 9}}}}});
        const json held =
            one.wait_for("state", 5000, [](const json& s) { return !s["grabs"].empty(); });
        ASSERT_FALSE(held.is_null());
        EXPECT_EQ(held["grabs"][0]["point"], json({0.1, 0, 0})); // of the body's frame
        two.say({{"type", "act"}, {"action", {{"type", "freeze"}, {"body", 12}, {"on", true}}}});
        EXPECT_FALSE(
            one.wait_for("state", 5000, [](const json& s) { return s["frozen"] == json({12}); })
                .is_null());
    }
    // Who leaves lets go.
    EXPECT_FALSE(
        one.wait_for("state", 5000, [](const json& s) { return s["grabs"].empty(); }).is_null());
    Page three(server.port());
    three.hello();
    EXPECT_EQ(three.wait_for("scene")["worlds"][0]["bodies"].size(), 13u);
}

TEST(Server, SendsFramesColorsAndOverlays) {
    LiveServer server;
    Page page(server.port());
    open_stack(page);
    page.say({{"type", "see"}, {"what", {"contacts", "axes"}}, {"color", "stress"}});
    std::set<int> types;
    std::size_t with_values = 0;
    for (int i = 0; i < 300 && (types.size() < 3 || with_values < 3); ++i) {
        const auto received = page.receive();
        ASSERT_TRUE(received);
        if (!received->binary) continue;
        types.insert(received->text[0]);
        with_values += received->text[0] == 1 && (received->text[2] & 2) != 0;
    }
    EXPECT_EQ(types, (std::set<int>{1, 2, 3}));
    EXPECT_GE(with_values, 3u);
}

TEST(Server, ErrorsNameFileLineAndColumn) {
    LiveServer server;
    Page page(server.port());
    page.hello();
    page.say(
        {{"type", "open"}, {"text", "{ \"rigor\": 1,\n  \"bodys\": [] }"}, {"name", "mine.json"}});
    const json error = page.wait_for("error");
    EXPECT_EQ(error["file"], "mine.json");
    EXPECT_EQ(error["line"], 2);
    EXPECT_EQ(error["column"], 3);
    page.say({{"type", "open"}, {"scene", "../secret.json"}});
    EXPECT_NE(page.wait_for("error")["message"].get<std::string>().find("no such scene"),
              std::string::npos);
}

TEST(Server, HelloComesFirst) {
    LiveServer server;
    Page page(server.port());
    page.say({{"type", "run"}});
    EXPECT_TRUE(page.wire().ends_within(8000));
    Page large(server.port());
    large.say({{"type", "hello"}, {"protocol", 1}, {"padding", std::string(20000, 'x')}});
    EXPECT_TRUE(large.wire().ends_within(8000));
}

/// Counts what a well-behaved page sees of the simulation while something else goes on.
class Witness {
  public:
    explicit Witness(LiveServer& server) : page_(server.port()) {
        open_stack(page_);
        before_ = page_.state()["step"].get<int>();
        start_ = Clock::now();
    }
    /// Steps done over steps due since it began to look, for at least a second.
    double share() {
        std::this_thread::sleep_until(start_ + std::chrono::seconds(1));
        const int steps = page_.state()["step"].get<int>() - before_;
        return steps / (60 * std::chrono::duration<double>(Clock::now() - start_).count());
    }

  private:
    Page page_;
    int before_ = 0;
    Clock::time_point start_;
};

TEST(Server, AMessageOfAHundredMegabytesEndsItsConnectionOnly) {
    LiveServer server;
    Witness witness(server);
    Page page(server.port());
    page.hello();
    page.wait_for("state");
    std::string head = Page::frame(std::string(70000, ' '));
    for (int i = 0; i < 8; ++i)
        head[static_cast<std::size_t>(2 + i)] =
            static_cast<char>(std::uint64_t{100'000'000} >> (56 - 8 * i) & 255);
    page.wire().send(head);
    const std::string megabyte(1 << 20, ' ');
    for (int i = 0; i < 100 && page.wire().send(megabyte); ++i) {}
    EXPECT_TRUE(page.wire().ends_within(8000));
    EXPECT_TRUE(server.logs("a message was too large"));
    EXPECT_GT(witness.share(), 0.8);
}

TEST(Server, AFloodOfMessagesIsDroppedAndThenEnded) {
    LiveServer server;
    Witness witness(server);
    Page page(server.port());
    page.hello();
    page.wait_for("state");
    std::string burst;
    for (int i = 0; i < 100; ++i) burst += Page::frame(R"({"type": "speed", "value": 1})");
    const auto start = Clock::now();
    for (int i = 0; i < 200 && page.wire().send(burst); ++i) {
        std::this_thread::sleep_until(start + std::chrono::milliseconds(10 * i));
    }
    EXPECT_TRUE(page.wire().ends_within(8000));
    EXPECT_TRUE(server.logs("dropping messages of 127.0.0.1: more than 240 a second"));
    EXPECT_TRUE(server.logs("it did not stop sending"));
    EXPECT_GT(witness.share(), 0.8);
}

TEST(Server, HalfOpenConnectionsAreDropped) {
    LiveServer server;
    Witness witness(server);
    std::vector<std::unique_ptr<Wire>> silent;
    for (int i = 0; i < 40; ++i) silent.push_back(std::make_unique<Wire>(server.port()));
    silent[0]->send("GET / HT");
    EXPECT_TRUE(server.logs("32 connections are open already"));
    EXPECT_GT(witness.share(), 0.8);
    EXPECT_TRUE(silent[0]->ends_within(8000));
    EXPECT_TRUE(server.logs("it said nothing"));
    EXPECT_EQ(status_of(server.get("/")), 200); // there is room again
}

TEST(Server, NonsenseIsAnsweredOrCutOff) {
    LiveServer server;
    Witness witness(server);
    test::Random random;
    for (int round = 0; round < 20; ++round) {
        Page page(server.port());
        page.hello();
        page.wait_for("state");
        std::string bytes;
        for (int i = 0; i < 500; ++i) bytes += static_cast<char>(random.bits());
        page.wire().send(round % 2 == 0 ? bytes : Page::frame(bytes));
        Wire wire(server.port());
        wire.send(bytes);
    }
    EXPECT_GT(witness.share(), 0.8);
}

TEST(Server, APortInUseIsNamed) {
    LiveServer server;
    Mailbox mailbox;
    Show show({}, mailbox);
    ServerOptions options;
    options.port = server.port();
    const auto second = Server::make(options, show, mailbox);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().message,
              "port " + std::to_string(server.port()) + " is in use: choose another with --port");
    options.address = "nowhere";
    EXPECT_FALSE(Server::make(options, show, mailbox).ok());
}

} // namespace
} // namespace rigor::view
