// OBJ files.

#include <algorithm>
#include <array>
#include <charconv>

#include "rigor/mesh_file.h"
#include "scene/mesh_readers.h"
#include "scene/mesh_text.h"

namespace rigor {
namespace {

class ObjReader {
  public:
    ObjReader(std::string_view text, std::string_view name) : lines_(text), name_(name) {}

    Result<TriangleSoup> read() {
        std::string_view line;
        while (next_line(line)) {
            const std::optional<Error> error = read_line(line);
            if (error) return *error;
        }
        if (soup_.vertices.empty()) return fail_whole("the file has no vertices");
        if (soup_.triangles.empty()) return fail_whole("the file has no faces");
        return std::move(soup_);
    }

  private:
    // A backslash at its end joins a line with the next one.
    bool next_line(std::string_view& line) {
        if (!lines_.next(line)) return false;
        if (line.empty() || line.back() != '\\') return true;
        joined_.clear();
        while (!line.empty() && line.back() == '\\') {
            joined_.append(line.substr(0, line.size() - 1)).push_back(' ');
            if (!lines_.next(line)) line = {};
        }
        joined_.append(line);
        line = joined_;
        return true;
    }

    std::optional<Error> read_line(std::string_view line) {
        WordReader words(line.substr(0, line.find('#')));
        const std::string_view keyword = words.next();
        if (keyword == "v") return read_vertex(words);
        if (keyword == "f") return read_face(words);
        return {};
    }

    std::optional<Error> read_vertex(WordReader& words) {
        Vec3d position;
        if (const auto why = parse_position(words, position)) return fail(*why);
        soup_.vertices.push_back(position);
        return {};
    }

    // Corners are v, v/vt, v//vn or v/vt/vn; negative numbers count back from the last vertex.
    std::optional<Error> read_face(WordReader& words) {
        corners_.clear();
        for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
            const std::string_view number = word.substr(0, word.find('/'));
            const auto index = parse_integer<std::int64_t>(number);
            if (!index) return fail("expected the number of a vertex, got " + quoted_word(word));
            if (*index == 0) return fail("face refers to vertex 0, but they are counted from 1");
            const auto count = static_cast<std::int64_t>(soup_.vertices.size());
            const std::int64_t vertex = *index > 0 ? *index - 1 : count + *index;
            if (vertex < 0 || vertex >= count) {
                return fail("face refers to vertex " + std::to_string(*index) + ", but there are " +
                            std::to_string(count));
            }
            corners_.push_back(static_cast<std::uint32_t>(vertex));
        }
        if (corners_.size() < 3) {
            return fail("a face needs at least three corners, got " +
                        std::to_string(corners_.size()));
        }
        const Result<void> added = add_polygon(soup_, corners_);
        if (!added) return fail(added.error().message, added.error().code);
        return {};
    }

    Error fail(std::string message, ErrorCode code = ErrorCode::invalid_value) const {
        return {code, at_line(name_, lines_.number()), std::move(message)};
    }
    Error fail_whole(std::string message) const {
        return {ErrorCode::invalid_value, std::string(name_), std::move(message)};
    }

    LineReader lines_;
    std::string_view name_;
    std::string joined_;
    std::vector<std::uint32_t> corners_;
    TriangleSoup soup_;
};

void append_number(std::string& text, double value) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append(digits.data(), end);
}

} // namespace

Result<TriangleSoup> read_obj(std::string_view text, std::string_view name) {
    return ObjReader(text, name).read();
}

std::string to_obj(const TriangleSoup& soup, std::string_view comment) {
    std::string text;
    LineReader lines(comment);
    for (std::string_view line; lines.next(line);) text.append("# ").append(line).push_back('\n');
    for (const Vec3d& v : soup.vertices) {
        text.push_back('v');
        for (int i = 0; i < 3; ++i) {
            text.push_back(' ');
            append_number(text, v[i]);
        }
        text.push_back('\n');
    }
    for (const auto& t : soup.triangles) {
        text.push_back('f');
        for (const std::uint32_t v : t)
            text.append(" ").append(std::to_string(std::uint64_t(v) + 1));
        text.push_back('\n');
    }
    return text;
}

} // namespace rigor
