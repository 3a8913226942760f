#include "view/gate.h"

#include <arpa/inet.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

namespace rigor::view {
namespace {

int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// None when an escape is broken or stands for a byte that has no place in a path.
std::optional<std::string> decode(std::string_view text) {
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

/// Whether no part of a path is empty or leads up or nowhere.
bool is_plain(std::string_view path) {
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string_view part = path.substr(begin, end - begin);
        if (part.empty() || part.front() == '.') return false;
        begin = end + 1;
    }
    return true;
}

/// As long as it takes, whatever the first difference is.
bool equal_in_constant_time(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i] ^ b[i]));
    return difference == 0;
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

bool is_address(std::string_view text) {
    std::array<unsigned char, 16> bytes;
    const std::string address(text);
    return inet_pton(AF_INET, address.c_str(), bytes.data()) == 1 ||
           inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1;
}

bool is_loopback(std::string_view address) {
    return address == "::1" || (is_address(address) && address.substr(0, 4) == "127.");
}

// A page from elsewhere can make a browser ask us, but only under a name that leads here. So a name
// must be one of ours; digits cannot be made to lead elsewhere.
bool Gate::is_our_host(std::string_view host) const {
    const std::string name = lower(host_without_port(host));
    const std::string port = ":" + std::to_string(options_.port);
    const bool has_port =
        host.size() > port.size() && host.substr(host.size() - port.size()) == port;
    if (!has_port && options_.port != 80) return false;
    if (name == "localhost" || is_loopback(name) || name == options_.address) return true;
    if (options_.token.empty()) return false;
    return is_address(name) ||
           std::find(options_.names.begin(), options_.names.end(), name) != options_.names.end();
}

bool Gate::is_our_origin(std::string_view origin, std::string_view host) const {
    if (lower(origin) == "http://" + lower(host)) return true;
    return std::find(options_.origins.begin(), options_.origins.end(), origin) !=
           options_.origins.end();
}

std::string Gate::cookie_name() const {
    return "rigor_token_" + std::to_string(options_.port);
}

std::variant<Admitted, Refused> Gate::judge(const Asked& asked) const {
    if (asked.method != "GET" && asked.method != "HEAD")
        return Refused{405, "only GET and HEAD are answered"};
    if (!is_our_host(asked.host)) return Refused{403, "the Host is not this server"};
    if (!asked.origin.empty() && !is_our_origin(asked.origin, asked.host))
        return Refused{403, "the Origin is not this server"};

    const std::size_t mark = std::min(asked.target.find('?'), asked.target.size());
    const std::string_view query = asked.target.substr(std::min(mark + 1, asked.target.size()));
    Admitted admitted;
    if (!options_.token.empty()) {
        const std::string_view given = value_of(query, "token", '&');
        const std::string_view kept = value_of(asked.cookie, cookie_name(), ';');
        admitted.give_cookie = equal_in_constant_time(given, options_.token);
        if (!admitted.give_cookie && !equal_in_constant_time(kept, options_.token))
            return Refused{401, "the token is missing or wrong: use the address that was printed"};
    }

    const std::optional<std::string> path = decode(asked.target.substr(0, mark));
    if (!path || path->empty() || path->front() != '/')
        return Refused{400, "the path is not well formed"};
    admitted.path = path->substr(1);
    if (admitted.path.empty()) admitted.path = "index.html";
    if (!is_plain(admitted.path)) return Refused{404, "there is no such file"};
    if (admitted.path == "ws") {
        admitted.door = Door::socket;
    } else if (admitted.path.rfind("scenes/", 0) == 0) {
        admitted.door = Door::scene_file;
        admitted.path.erase(0, 7);
    }
    return admitted;
}

std::string Gate::content_policy(std::string_view host) const {
    return "default-src 'self'; connect-src 'self' ws://" + std::string(host) +
           "; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

std::string random_token() {
    std::array<unsigned char, 16> bytes;
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw std::runtime_error("the system gives no random numbers");
    std::string token;
    for (const unsigned char byte : bytes) {
        token += "0123456789abcdef"[byte >> 4];
        token += "0123456789abcdef"[byte & 15];
    }
    return token;
}

Meter::Verdict Meter::count(Time now) {
    credit_ += std::chrono::duration<double>(now - last_).count() * kRate;
    last_ = now;
    if (credit_ >= kBurst) credit_ = kBurst, dropped_ = 0;
    if (credit_ >= 1) {
        credit_ -= 1;
        return Verdict::pass;
    }
    if (++dropped_ > kMostDropped) return Verdict::disconnect;
    return dropped_ == 1 ? Verdict::first_drop : Verdict::drop;
}

} // namespace rigor::view
