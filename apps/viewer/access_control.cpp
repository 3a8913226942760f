#include "viewer/access_control.h"

#include <arpa/inet.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

namespace rigor::viewer {
namespace {

int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// Decodes percent escapes. None when an escape is malformed, or a byte is a control character or a
/// backslash.
std::optional<std::string> percent_decode(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            if (i + 2 >= text.size() || digit(text[i + 1]) < 0 || digit(text[i + 2]) < 0)
                return std::nullopt;
            c = static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
            i += 2;
        }
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\') return std::nullopt;
        out += c;
    }
    return out;
}

/// Whether no part of a path is empty or begins with a dot.
bool is_plain_path(std::string_view path) {
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string_view part = path.substr(begin, end - begin);
        if (part.empty() || part.front() == '.') return false;
        begin = end + 1;
    }
    return true;
}

/// Its time does not depend on where the first difference is, so it leaks nothing of a token.
bool equal_in_constant_time(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned divergence = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        divergence |= static_cast<unsigned>(static_cast<unsigned char>(a[i] ^ b[i]));
    return divergence == 0;
}

/// The value of `key` in "a=1<separator>key=value"; empty when there is none.
std::string_view value_of(std::string_view list, std::string_view key, char separator) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(separator), list.size());
        std::string_view entry = list.substr(0, end);
        list.remove_prefix(std::min(end + 1, list.size()));
        while (!entry.empty() && entry.front() == ' ') entry.remove_prefix(1);
        if (entry.size() > key.size() && entry.substr(0, key.size()) == key &&
            entry[key.size()] == '=')
            return entry.substr(key.size() + 1);
    }
    return {};
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return out;
}

} // namespace

std::string_view host_without_port(std::string_view host) {
    if (!host.empty() && host.front() == '[') {
        const std::size_t end = host.find(']');
        return end == std::string_view::npos ? std::string_view() : host.substr(1, end - 1);
    }
    return host.substr(0, host.find(':'));
}

bool is_ip_address(std::string_view text) {
    std::array<unsigned char, 16> bytes;
    const std::string address(text);
    return inet_pton(AF_INET, address.c_str(), bytes.data()) == 1 ||
           inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1;
}

bool is_loopback(std::string_view address) {
    return address == "::1" || (is_ip_address(address) && address.substr(0, 4) == "127.");
}

// Guards against DNS rebinding: a foreign page can make a browser send requests here only under a
// host name that resolves to this machine. So a name must be one of ours. An IP address cannot be
// rebound.
bool AccessControl::is_allowed_host(std::string_view host) const {
    const std::string name = lower(host_without_port(host));
    const std::string port = ":" + std::to_string(options_.port);
    const bool has_port =
        host.size() > port.size() && host.substr(host.size() - port.size()) == port;
    if (!has_port && options_.port != 80) return false;
    if (name == "localhost" || is_loopback(name) || name == options_.address) return true;
    if (options_.token.empty()) return false;
    return is_ip_address(name) || std::find(options_.host_names.begin(), options_.host_names.end(),
                                            name) != options_.host_names.end();
}

bool AccessControl::is_allowed_origin(std::string_view origin, std::string_view host) const {
    if (lower(origin) == "http://" + lower(host)) return true;
    return std::find(options_.origins.begin(), options_.origins.end(), origin) !=
           options_.origins.end();
}

std::string AccessControl::cookie_name() const {
    return "rigor_token_" + std::to_string(options_.port);
}

std::variant<AccessGranted, AccessDenied> AccessControl::check(const HttpRequest& request) const {
    if (request.method != "GET" && request.method != "HEAD")
        return AccessDenied{405, "only GET and HEAD are supported"};
    if (!is_allowed_host(request.host)) return AccessDenied{403, "the Host is not this server"};
    if (!request.origin.empty() && !is_allowed_origin(request.origin, request.host))
        return AccessDenied{403, "the Origin is not this server"};

    const std::size_t mark = std::min(request.target.find('?'), request.target.size());
    const std::string_view query = request.target.substr(std::min(mark + 1, request.target.size()));
    AccessGranted granted;
    if (!options_.token.empty()) {
        const std::string_view given = value_of(query, "token", '&');
        const std::string_view stored = value_of(request.cookie, cookie_name(), ';');
        granted.set_cookie = equal_in_constant_time(given, options_.token);
        if (!granted.set_cookie && !equal_in_constant_time(stored, options_.token))
            return AccessDenied{401,
                                "the token is missing or wrong: use the address that was printed"};
    }

    const std::optional<std::string> path = percent_decode(request.target.substr(0, mark));
    if (!path || path->empty() || path->front() != '/')
        return AccessDenied{400, "the path is not well formed"};
    granted.path = path->substr(1);
    if (granted.path.empty()) granted.path = "index.html";
    if (!is_plain_path(granted.path)) return AccessDenied{404, "there is no such file"};
    if (granted.path == "ws") {
        granted.route = Route::websocket;
    } else if (granted.path.rfind("scenes/", 0) == 0) {
        granted.route = Route::scene_file;
        granted.path.erase(0, 7);
    }
    return granted;
}

std::string AccessControl::content_security_policy(std::string_view host) const {
    return "default-src 'self'; connect-src 'self' ws://" + std::string(host) +
           "; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

std::string random_token() {
    std::array<unsigned char, 16> bytes;
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw std::runtime_error("the system's random source failed");
    std::string token;
    for (const unsigned char byte : bytes) {
        token += "0123456789abcdef"[byte >> 4];
        token += "0123456789abcdef"[byte & 15];
    }
    return token;
}

} // namespace rigor::viewer
