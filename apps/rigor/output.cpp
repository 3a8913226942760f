#include "output.h"

#include <charconv>
#include <cstdio>
#include <iostream>

namespace rigor::app {

Json to_json(const Vec3d& v) {
    return {v.x, v.y, v.z};
}
Json to_json(const Quatd& q) {
    return {q.w, q.x, q.y, q.z};
}
Json to_json(const Mat3d& m) {
    return {to_json(m.row(0)), to_json(m.row(1)), to_json(m.row(2))};
}

Result<void> write_json(const std::string& path, const Json& json) {
    // A name that is not UTF-8 must not cost the whole result.
    return write_text(path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<void> write_text(const std::string& path, const std::string& text) {
    if (path == "-") return print(text);
    std::ofstream file(path, std::ios::binary);
    file << text << std::flush;
    if (!file) return Error{ErrorCode::io, path, "cannot be written"};
    return {};
}

Result<void> print(const std::string& text) {
    std::cout << text << std::flush;
    if (!std::cout) return Error{ErrorCode::io, "standard output", "cannot be written"};
    return {};
}

Result<void> check_writable(const std::string& path) {
    if (path.empty() || path == "-") return {};
    if (std::ofstream file(path, std::ios::binary | std::ios::app); !file) {
        return Error{ErrorCode::io, path, "cannot be written"};
    }
    return {};
}

std::string exact_text(double value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

std::string short_text(double value, int digits) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value + 0.0); // -0 becomes 0
    return buffer;
}

} // namespace rigor::app
