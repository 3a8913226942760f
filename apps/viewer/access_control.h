// Which HTTP requests are accepted, and where they lead. Free of networking code, so it is tested
// by itself.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rigor::viewer {

struct AccessOptions {
    std::string address = "127.0.0.1"; ///< that the server listens to
    unsigned short port = 0;
    std::string token;                   ///< required of every request; empty: none
    std::vector<std::string> origins;    ///< further allowed origins, for work on the page
    std::vector<std::string> host_names; ///< further names of this machine, valid with a token
};

/// The parts of a request that access depends on; empty where a header is absent.
struct HttpRequest {
    std::string_view method, target, host, origin, cookie;
};

enum class Route { page, scene_file, websocket };

struct AccessGranted {
    Route route = Route::page;
    std::string path;        ///< below the route's folder, decoded; no part is empty, "." or ".."
    bool set_cookie = false; ///< the token was in the address
};

struct AccessDenied {
    int status = 400;
    std::string reason; ///< one sentence, for the client and the log
};

class AccessControl {
  public:
    explicit AccessControl(AccessOptions options) : options_(std::move(options)) {}

    std::variant<AccessGranted, AccessDenied> check(const HttpRequest& request) const;

    std::string cookie_name() const;
    const std::string& token() const { return options_.token; }
    std::string content_security_policy(std::string_view host) const;

  private:
    bool is_allowed_host(std::string_view host) const;
    bool is_allowed_origin(std::string_view origin, std::string_view host) const;

    AccessOptions options_;
};

/// 32 hexadecimal digits of the system's random source.
std::string random_token();

/// The host without its port: "::1" for "[::1]:80".
std::string_view host_without_port(std::string_view host);
bool is_loopback(std::string_view address);
bool is_ip_address(std::string_view text); ///< IPv4 or IPv6

} // namespace rigor::viewer
