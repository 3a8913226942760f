// Which requests are accepted.

#include "viewer/access_control.h"

#include <unistd.h>

#include <fstream>

#include "viewer/files.h"
#include "viewer/rate_limiter.h"
#include "viewer_support.h"

namespace rigor::viewer {
namespace {

AccessControl loopback_access() {
    return AccessControl({"127.0.0.1", 8017, "", {"http://localhost:5173"}, {}});
}
AccessControl listening_access() {
    return AccessControl({"0.0.0.0", 8017, "0123456789abcdef0123456789abcdef", {}, {"workshop"}});
}

HttpRequest ask(std::string_view target) {
    return {"GET", target, "127.0.0.1:8017", "", ""};
}

/// The status a request is refused with; 200 when it is not.
int status(const AccessControl& access, const HttpRequest& request) {
    const auto decision = access.check(request);
    const auto* denied = std::get_if<AccessDenied>(&decision);
    EXPECT_FALSE(denied && denied->reason.empty());
    return denied ? denied->status : 200;
}

TEST(AccessControl, AcceptsTheBrowserOfThisMachine) {
    const AccessControl access = loopback_access();
    for (const char* host : {"127.0.0.1:8017", "localhost:8017", "LOCALHOST:8017", "[::1]:8017"}) {
        HttpRequest request = ask("/");
        request.host = host;
        EXPECT_EQ(status(access, request), 200) << host;
    }
    HttpRequest request = ask("/ws");
    request.origin = "http://127.0.0.1:8017";
    EXPECT_EQ(status(access, request), 200);
    request.origin = "http://localhost:5173"; // that of the page's own development server
    EXPECT_EQ(status(access, request), 200);
}

// DNS rebinding: a foreign page uses a name of its own that resolves to 127.0.0.1.
TEST(AccessControl, RefusesOtherHosts) {
    const AccessControl access = loopback_access();
    for (const char* host : {"", "evil.example", "evil.example:8017", "127.0.0.1", "127.0.0.1:80",
                             "localhost.evil.example:8017", "127.0.0.1.evil.example:8017",
                             "192.168.0.7:8017", "[::1", ":8017", "127.0.0.1:8017:8017x"}) {
        HttpRequest request = ask("/");
        request.host = host;
        EXPECT_EQ(status(access, request), 403) << host;
    }
}

TEST(AccessControl, RefusesOtherOrigins) {
    const AccessControl access = loopback_access();
    for (const char* origin :
         {"http://evil.example", "null", "https://127.0.0.1:8017", "http://127.0.0.1:8018",
          "http://localhost:8017", "http://127.0.0.1:8017.evil.example", "file://"}) {
        HttpRequest request = ask("/ws");
        request.origin = origin;
        EXPECT_EQ(status(access, request), 403) << origin;
    }
}

TEST(AccessControl, AsksForTheTokenBeyondLoopback) {
    const AccessControl access = listening_access();
    EXPECT_EQ(status(access, ask("/")), 401);
    EXPECT_EQ(status(access, ask("/ws?token=")), 401);
    EXPECT_EQ(status(access, ask("/ws?token=0123456789abcdef0123456789abcdee")), 401);
    EXPECT_EQ(status(access, ask("/ws?xtoken=0123456789abcdef0123456789abcdef")), 401);
    EXPECT_EQ(status(access, ask("/ws?a=1&token=0123456789abcdef0123456789abcdef")), 200);
    const auto first = access.check(ask("/?token=0123456789abcdef0123456789abcdef"));
    ASSERT_TRUE(std::holds_alternative<AccessGranted>(first));
    EXPECT_TRUE(std::get<AccessGranted>(first).set_cookie);
    HttpRequest later = ask("/assets/client.js");
    const std::string cookie = "a=b; " + access.cookie_name() + "=" + access.token();
    later.cookie = cookie;
    EXPECT_EQ(status(access, later), 200);
    later.cookie = "rigor_token_8017=";
    EXPECT_EQ(status(access, later), 401);
    for (const auto& [host, expected] :
         {std::pair("192.168.0.7:8017", 200), {"workshop:8017", 200}, {"evil.example:8017", 403}}) {
        HttpRequest request = ask("/?token=0123456789abcdef0123456789abcdef");
        request.host = host;
        EXPECT_EQ(status(access, request), expected) << host;
    }
}

TEST(AccessControl, NoPathLeadsUpOrOutside) {
    const AccessControl access = loopback_access();
    for (const char* target :
         {"/../etc/passwd", "/scenes/../../etc/passwd", "/scenes/%2e%2e/secret.json",
          "/scenes/..%2f..%2fetc/passwd", "/scenes/%2E%2E%2Fx.json", "//etc/passwd", "/scenes//x",
          "/.git/config", "/scenes/.hidden.json", "/scenes/", "/a/./b"})
        EXPECT_EQ(status(access, ask(target)), 404) << target;
    for (const char* target : {"", "x", "/%", "/%4", "/%zz", "/a%00b", "/a\\b", "/%5c..%5c"})
        EXPECT_EQ(status(access, ask(target)), 400) << target;
    HttpRequest post = ask("/");
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "CONNECT", ""}) {
        post.method = method;
        EXPECT_EQ(status(access, post), 405) << method;
    }
}

TEST(AccessControl, FindsTheRoute) {
    const AccessControl access = loopback_access();
    const auto route = [&](const char* target) {
        return std::get<AccessGranted>(access.check(ask(target)));
    };
    EXPECT_EQ(route("/").path, "index.html");
    EXPECT_EQ(route("/assets/a%20b.js?v=1").path, "assets/a b.js");
    EXPECT_EQ(route("/ws").route, Route::websocket);
    EXPECT_EQ(route("/scenes/pictures/wall.webp").route, Route::scene_file);
    EXPECT_EQ(route("/scenes/pictures/wall.webp").path, "pictures/wall.webp");
}

TEST(AccessControl, TokensAreLongAndNeverTheSame) {
    EXPECT_EQ(random_token().size(), 32u);
    EXPECT_NE(random_token(), random_token());
}

TEST(RateLimiter, Passes240MessagesASecond) {
    RateLimiter::Time now{};
    RateLimiter limiter(now);
    for (int i = 0; i < 2400; ++i) {
        now += std::chrono::microseconds(1'000'000 / 240);
        ASSERT_EQ(limiter.count(now), RateLimiter::Decision::pass) << i;
    }
}

TEST(RateLimiter, DropsAFloodAndThenDisconnects) {
    RateLimiter::Time now{};
    RateLimiter limiter(now);
    int passed = 0, dropped = 0;
    for (;;) {
        now += std::chrono::microseconds(100);
        const RateLimiter::Decision decision = limiter.count(now);
        if (decision == RateLimiter::Decision::disconnect) break;
        (decision == RateLimiter::Decision::pass ? passed : dropped) += 1;
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
} // namespace rigor::viewer
