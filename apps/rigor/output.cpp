#include "output.h"

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "base/output_file.h"

namespace rigor::app {

namespace fs = std::filesystem;

namespace {

/// A device, as /dev/null, may be written to several times. Links of both kinds are followed.
bool is_same_file(const fs::path& a, const fs::path& b) {
    if (a == "-" || b == "-") return a == b;
    std::error_code error;
    if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;
    return fs::equivalent(a, b, error) ||
           fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
}

/// Leaves no file behind: the work may still be refused.
Result<void> check_writable(const std::string& path) {
    const Result<OutputFile> file = OutputFile::create(path);
    if (!file) return file.error();
    return {};
}

} // namespace

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
    return write_file(path, text);
}

Result<void> print(const std::string& text) {
    std::cout << text << std::flush;
    if (!std::cout) return Error{ErrorCode::io, "standard output", "cannot be written"};
    return {};
}

Result<void> check_outputs(const std::vector<Output>& outputs,
                           const std::vector<fs::path>& inputs) {
    const auto refused = [](const std::string& message) {
        return Error{ErrorCode::invalid_value, "", message};
    };
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto& [flag, path] = outputs[i];
        if (path.empty()) continue;
        for (std::size_t j = 0; j < i; ++j)
            if (is_same_file(path, outputs[j].path))
                return refused(outputs[j].flag + " and " + flag + " need different files, got \"" +
                               path + "\" for both");
        if (path == "-") continue;
        for (const fs::path& input : inputs)
            if (is_same_file(path, input))
                return refused(flag + " would overwrite the input, \"" + path + "\"");
        if (const auto checked = check_writable(path); !checked) return checked;
    }
    return {};
}

Result<void> check_svg(const Output& plot) {
    const std::string ending = fs::path(plot.path).extension().string();
    if (ending.empty() || ending == ".svg" || ending == ".SVG") return {};
    return Error{ErrorCode::unsupported, "",
                 plot.flag + " writes SVG: its name must end in .svg, got \"" + plot.path + "\""};
}

void print_warnings(const std::string& subject, const std::vector<std::string>& warnings,
                    const std::string& error) {
    std::cout << std::flush;
    for (const std::string& warning : warnings)
        if (warning != error) std::cerr << "rigor: " << subject << ": warning: " << warning << "\n";
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
