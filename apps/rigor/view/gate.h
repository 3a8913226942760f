// Who may ask for what. No networking here: a request is a few texts, and so it is tested.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rigor::view {

struct GateOptions {
    std::string address = "127.0.0.1"; ///< that is listened to
    unsigned short port = 0;
    std::string token;                ///< empty: none is asked for
    std::vector<std::string> origins; ///< further ones that may connect, for work on the page
    std::vector<std::string> names;   ///< further names of this machine, when listening beyond it
};

/// What a request says of itself; empty where it says nothing.
struct Asked {
    std::string_view method, target, host, origin, cookie;
};

enum class Door { page, scene_file, socket };

struct Admitted {
    Door door = Door::page;
    std::string path;         ///< below its folder, decoded, without "..", "." and "//"
    bool give_cookie = false; ///< the token came with the address
};

struct Refused {
    int status = 400;
    std::string reason; ///< one sentence, for the client and the log
};

class Gate {
  public:
    explicit Gate(GateOptions options) : options_(std::move(options)) {}

    std::variant<Admitted, Refused> judge(const Asked& asked) const;

    std::string cookie_name() const;
    const std::string& token() const { return options_.token; }
    /// What a page may load and whom it may talk to.
    std::string content_policy(std::string_view host) const;

  private:
    bool is_our_host(std::string_view host) const;
    bool is_our_origin(std::string_view origin, std::string_view host) const;

    GateOptions options_;
};

/// 32 hexadecimal digits from the system's own source of randomness.
std::string random_token();

/// The address without its port: of "[::1]:80" it is "::1".
std::string_view host_without_port(std::string_view host);
bool is_loopback(std::string_view address);
bool is_address(std::string_view text); ///< IPv4 or IPv6, as digits

/// How many messages a client may send: 240 a second, 480 at once. What is more is dropped, and a
/// client that does not stop is to be disconnected.
class Meter {
  public:
    using Time = std::chrono::steady_clock::time_point;
    enum class Verdict { pass, drop, first_drop, disconnect };

    explicit Meter(Time now) : last_(now) {}
    Verdict count(Time now);

  private:
    static constexpr double kRate = 240, kBurst = 480;
    static constexpr int kMostDropped = 1000; ///< without a pause

    double credit_ = kBurst;
    int dropped_ = 0;
    Time last_;
};

} // namespace rigor::view
