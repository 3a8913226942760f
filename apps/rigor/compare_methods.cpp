#include "compare_methods.h"

namespace rigor::app {
namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// Divided where `divider` stands outside of brackets and quotes.
std::vector<std::string> split(const std::string& text, char divider) {
    std::vector<std::string> parts(1);
    int depth = 0;
    bool is_quoted = false;
    for (const char c : text) {
        if (c == '"') is_quoted = !is_quoted;
        if (!is_quoted && (c == '[' || c == '{')) ++depth;
        if (!is_quoted && (c == ']' || c == '}')) --depth;
        if (c == divider && depth == 0 && !is_quoted)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

Error usage(const std::string& message) {
    return {ErrorCode::invalid_value, "", "--methods " + message};
}

Result<SceneOverride> parse_assignment(const std::string& method, const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = trimmed(text.substr(0, equals));
    if (equals == std::string::npos || name.empty())
        return usage("needs NAME=VALUE after \"" + method + ":\", got \"" + trimmed(text) + "\"");
    const bool is_path = name.find_first_of(".[") != std::string::npos;
    return SceneOverride{is_path ? name : "settings." + name, trimmed(text.substr(equals + 1)),
                         "--methods " + method + ":" + name};
}

Result<MethodChoice> parse_method(const std::string& text) {
    const std::size_t colon = text.find(':');
    const std::string name = trimmed(text.substr(0, colon));
    if (name.empty()) return usage("needs a name, got \"" + text + "\"");
    MethodChoice choice{text, {{"method", name, "--methods"}}};
    if (colon == std::string::npos) return choice;
    for (const std::string& part : split(text.substr(colon + 1), ';')) {
        const Result<SceneOverride> assignment = parse_assignment(name, part);
        if (!assignment) return assignment.error();
        choice.overrides.push_back(*assignment);
    }
    return choice;
}

} // namespace

Result<std::vector<MethodChoice>> parse_methods(const std::string& text) {
    std::vector<MethodChoice> choices;
    for (const std::string& part : split(text, ',')) {
        const Result<MethodChoice> choice = parse_method(trimmed(part));
        if (!choice) return choice.error();
        choices.push_back(*choice);
    }
    return choices;
}

} // namespace rigor::app
