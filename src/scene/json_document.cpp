#include "scene/json_document.h"

#include <algorithm>

namespace rigor {

namespace {

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

std::string line_and_column(std::string_view before) {
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t line_begin = before.rfind('\n') + 1; // npos + 1 is 0
    const std::string_view in_line = before.substr(line_begin);
    const auto column =
        std::count_if(in_line.begin(), in_line.end(), [](char c) { return !is_continuation(c); }) +
        1;
    return std::to_string(line) + ":" + std::to_string(column);
}

/// At most 40 bytes, never ending inside a character.
std::string shorten(std::string_view text) {
    constexpr std::size_t kLongest = 40;
    if (text.size() <= kLongest) return std::string(text);
    std::size_t end = kLongest - 3;
    while (end > 0 && is_continuation(text[end])) --end;
    return std::string(text.substr(0, end)) + "...";
}

} // namespace

std::string quoted(std::string_view text) {
    return std::string("\"").append(text).append("\"");
}

std::string_view with_article(JsonKind kind) {
    switch (kind) {
        case JsonKind::null:
            return "null";
        case JsonKind::boolean:
            return "a boolean";
        case JsonKind::number:
            return "a number";
        case JsonKind::string:
            return "a string";
        case JsonKind::array:
            return "an array";
        case JsonKind::object:
            return "an object";
    }
    return {};
}

std::string_view JsonDocument::text(Index i) const {
    const Span span = strings_[nodes_[i].content.text.string];
    return std::string_view(pool_).substr(span.begin, span.size);
}

std::string JsonDocument::excerpt(Index i) const {
    switch (kind(i)) {
        case JsonKind::null:
            return "null";
        case JsonKind::boolean:
            return boolean(i) ? "true" : "false";
        case JsonKind::string:
            return quoted(shorten(text(i)));
        case JsonKind::array:
            return "an array of " + std::to_string(size(i));
        case JsonKind::object:
            return "an object";
        case JsonKind::number:
            break;
    }
    const Source& source = source_of(nodes_[i].offset);
    const std::string_view rest =
        std::string_view(source.text).substr(nodes_[i].offset - source.begin);
    return shorten(rest.substr(0, rest.find_first_not_of("+-.0123456789eE")));
}

JsonDocument::Index JsonDocument::find(Index object, std::string_view key) const {
    for (Index k = first(object); k != kNone; k = next(k))
        if (text(k) == key) return k;
    return kNone;
}

const JsonDocument::Source& JsonDocument::source_of(std::uint32_t offset) const {
    const auto after =
        std::upper_bound(sources_.begin(), sources_.end(), offset,
                         [](std::uint32_t value, const Source& s) { return value < s.begin; });
    return *(after - 1);
}

std::string JsonDocument::place(Index i) const {
    const std::uint32_t offset = nodes_[i].offset;
    const Source& source = source_of(offset);
    if (!source.is_file) return source.name;
    return source.name + ":" +
           line_and_column(std::string_view(source.text).substr(0, offset - source.begin));
}

std::string JsonDocument::path(Index i) const {
    std::string result;
    find_path(kRoot, i, result);
    return result;
}

std::string JsonDocument::override_of(Index i) const {
    const Source& source = source_of(nodes_[i].offset);
    return source.is_file || source.path != path(i) ? "" : source.name;
}

// Depth first, by at most kMaxJsonDepth levels. Costs a walk over the tree, but only once, for
// the one error a load can end with; in exchange readers need not carry paths about.
bool JsonDocument::find_path(Index from, Index wanted, std::string& path) const {
    if (from == wanted) return true;
    const std::size_t length = path.size();
    if (kind(from) == JsonKind::object) {
        for (Index key = first(from); key != kNone; key = next(key)) {
            if (!path.empty()) path += '.';
            path += text(key);
            if (key == wanted || find_path(value_of(key), wanted, path)) return true;
            path.resize(length);
        }
    } else if (kind(from) == JsonKind::array) {
        std::uint32_t index = 0;
        for (Index child = first(from); child != kNone; child = next(child), ++index) {
            path.append("[").append(std::to_string(index)).append("]");
            if (find_path(child, wanted, path)) return true;
            path.resize(length);
        }
    }
    return false;
}

} // namespace rigor
