// Who may ask for what.

#include "view/gate.h"

#include <unistd.h>

#include <fstream>

#include "view/files.h"
#include "view_support.h"

namespace rigor::view {
namespace {

Gate loopback_gate() {
    return Gate({"127.0.0.1", 8017, "", {"http://localhost:5173"}, {}});
}
Gate listening_gate() {
    return Gate({"0.0.0.0", 8017, "0123456789abcdef0123456789abcdef", {}, {"workshop"}});
}

Asked ask(std::string_view target) {
    return {"GET", target, "127.0.0.1:8017", "", ""};
}

/// The status a request is refused with; 200 when it is not.
int status(const Gate& gate, const Asked& asked) {
    const auto verdict = gate.judge(asked);
    const auto* refused = std::get_if<Refused>(&verdict);
    EXPECT_FALSE(refused && refused->reason.empty());
    return refused ? refused->status : 200;
}

TEST(Gate, LetsTheBrowserOfThisMachineIn) {
    const Gate gate = loopback_gate();
    for (const char* host : {"127.0.0.1:8017", "localhost:8017", "LOCALHOST:8017", "[::1]:8017"}) {
        Asked asked = ask("/");
        asked.host = host;
        EXPECT_EQ(status(gate, asked), 200) << host;
    }
    Asked asked = ask("/ws");
    asked.origin = "http://127.0.0.1:8017";
    EXPECT_EQ(status(gate, asked), 200);
    asked.origin = "http://localhost:5173"; // that of the page's own development server
    EXPECT_EQ(status(gate, asked), 200);
}

// A page from elsewhere reaches us under a name of its own that leads to 127.0.0.1.
TEST(Gate, RefusesOtherHosts) {
    const Gate gate = loopback_gate();
    for (const char* host : {"", "evil.example", "evil.example:8017", "127.0.0.1", "127.0.0.1:80",
                             "localhost.evil.example:8017", "127.0.0.1.evil.example:8017",
                             "192.168.0.7:8017", "[::1", ":8017", "127.0.0.1:8017:8017x"}) {
        Asked asked = ask("/");
        asked.host = host;
        EXPECT_EQ(status(gate, asked), 403) << host;
    }
}

TEST(Gate, RefusesOtherOrigins) {
    const Gate gate = loopback_gate();
    for (const char* origin :
         {"http://evil.example", "null", "https://127.0.0.1:8017", "http://127.0.0.1:8018",
          "http://localhost:8017", "http://127.0.0.1:8017.evil.example", "file://"}) {
        Asked asked = ask("/ws");
        asked.origin = origin;
        EXPECT_EQ(status(gate, asked), 403) << origin;
    }
}

TEST(Gate, AsksForTheTokenBeyondLoopback) {
    const Gate gate = listening_gate();
    EXPECT_EQ(status(gate, ask("/")), 401);
    EXPECT_EQ(status(gate, ask("/ws?token=")), 401);
    EXPECT_EQ(status(gate, ask("/ws?token=0123456789abcdef0123456789abcdee")), 401);
    EXPECT_EQ(status(gate, ask("/ws?xtoken=0123456789abcdef0123456789abcdef")), 401);
    EXPECT_EQ(status(gate, ask("/ws?a=1&token=0123456789abcdef0123456789abcdef")), 200);
    const auto first = gate.judge(ask("/?token=0123456789abcdef0123456789abcdef"));
    ASSERT_TRUE(std::holds_alternative<Admitted>(first));
    EXPECT_TRUE(std::get<Admitted>(first).give_cookie);
    Asked later = ask("/assets/page.js");
    const std::string cookie = "a=b; " + gate.cookie_name() + "=" + gate.token();
    later.cookie = cookie;
    EXPECT_EQ(status(gate, later), 200);
    later.cookie = "rigor_token_8017=";
    EXPECT_EQ(status(gate, later), 401);
    for (const auto& [host, expected] :
         {std::pair("192.168.0.7:8017", 200), {"workshop:8017", 200}, {"evil.example:8017", 403}}) {
        Asked asked = ask("/?token=0123456789abcdef0123456789abcdef");
        asked.host = host;
        EXPECT_EQ(status(gate, asked), expected) << host;
    }
}

TEST(Gate, NoPathLeadsUpOrOutside) {
    const Gate gate = loopback_gate();
    for (const char* target :
         {"/../etc/passwd", "/scenes/../../etc/passwd", "/scenes/%2e%2e/secret.json",
          "/scenes/..%2f..%2fetc/passwd", "/scenes/%2E%2E%2Fx.json", "//etc/passwd", "/scenes//x",
          "/.git/config", "/scenes/.hidden.json", "/scenes/", "/a/./b"})
        EXPECT_EQ(status(gate, ask(target)), 404) << target;
    for (const char* target : {"", "x", "/%", "/%4", "/%zz", "/a%00b", "/a\\b", "/%5c..%5c"})
        EXPECT_EQ(status(gate, ask(target)), 400) << target;
    Asked post = ask("/");
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "CONNECT", ""}) {
        post.method = method;
        EXPECT_EQ(status(gate, post), 405) << method;
    }
}

TEST(Gate, KnowsItsDoors) {
    const Gate gate = loopback_gate();
    const auto door = [&](const char* target) {
        return std::get<Admitted>(gate.judge(ask(target)));
    };
    EXPECT_EQ(door("/").path, "index.html");
    EXPECT_EQ(door("/assets/a%20b.js?v=1").path, "assets/a b.js");
    EXPECT_EQ(door("/ws").door, Door::socket);
    EXPECT_EQ(door("/scenes/pictures/wall.webp").door, Door::scene_file);
    EXPECT_EQ(door("/scenes/pictures/wall.webp").path, "pictures/wall.webp");
}

TEST(Gate, TokensAreLongAndNeverTheSame) {
    EXPECT_EQ(random_token().size(), 32u);
    EXPECT_NE(random_token(), random_token());
}

TEST(Meter, LetsTwoHundredAndFortyASecondPass) {
    Meter::Time now{};
    Meter meter(now);
    for (int i = 0; i < 2400; ++i) {
        now += std::chrono::microseconds(1'000'000 / 240);
        ASSERT_EQ(meter.count(now), Meter::Verdict::pass) << i;
    }
}

TEST(Meter, DropsAFloodAndThenEndsIt) {
    Meter::Time now{};
    Meter meter(now);
    int passed = 0, dropped = 0;
    for (;;) {
        now += std::chrono::microseconds(100);
        const Meter::Verdict verdict = meter.count(now);
        if (verdict == Meter::Verdict::disconnect) break;
        (verdict == Meter::Verdict::pass ? passed : dropped) += 1;
    }
    EXPECT_LT(passed, 560);
    EXPECT_EQ(dropped, 1000);
}

TEST(Files, LinksDoNotLeadOutside) {
    namespace fs = std::filesystem;
    const fs::path root = fs::temp_directory_path() / ("rigor_files_" + std::to_string(getpid()));
    fs::create_directories(root / "in/sub");
    fs::create_directories(root / "out");
    std::ofstream(root / "in/sub/a.json") << "{}";
    std::ofstream(root / "in/secret.key") << "x";
    std::ofstream(root / "out/b.json") << "{}";
    fs::create_symlink(root / "out/b.json", root / "in/link.json");
    fs::create_symlink("/etc/passwd", root / "in/passwd.json");
    fs::create_directory_symlink(root / "out", root / "in/dir");
    const auto find = [&](const std::string& name) {
        return file_inside(root / "in", name, {".json"}).has_value();
    };
    EXPECT_TRUE(find("sub/a.json"));
    for (const char* name : {"link.json", "passwd.json", "dir/b.json", "../out/b.json",
                             "secret.key", "", "sub", "none.json", "/etc/passwd"})
        EXPECT_FALSE(find(name)) << name;
    EXPECT_FALSE(find(std::string("sub/a.json\0.json", 16)));
    EXPECT_FALSE(file_inside(root / "inn", "a.json", {}));
    fs::remove_all(root);
}

} // namespace
} // namespace rigor::view
