// STL files, text and binary.

#include <algorithm>

#include "geometry/mesh_topology.h"
#include "math/number_text.h"
#include "scene/mesh_bytes.h"
#include "scene/mesh_readers.h"
#include "scene/mesh_text.h"

namespace rigor {
namespace {

constexpr std::size_t kHeader = 84; // 80 bytes of anything, 4 of triangle count
constexpr std::size_t kFacet = 50;  // normal, three corners, two bytes of anything

std::uint64_t claimed_triangles(std::string_view bytes) {
    return load<std::uint32_t>(bytes.data() + 80, ByteOrder::little);
}

// Binary files may well begin with "solid": what counts is whether the size fits the claimed
// number of triangles, and then whether the beginning reads like text.
bool is_binary(std::string_view bytes) {
    if (bytes.size() >= kHeader && bytes.size() == kHeader + kFacet * claimed_triangles(bytes))
        return true;
    const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
    if (begin == bytes.npos || bytes.substr(begin, 5) != "solid") return true;
    const std::string_view head = bytes.substr(begin, 1024);
    return head.find("facet") == head.npos && head.find("endsolid") == head.npos;
}

Error no_facets(std::string_view name) {
    return {ErrorCode::invalid_value, std::string(name), "the file has no triangles"};
}

void add_triangle(TriangleSoup& soup) {
    const auto n = static_cast<std::uint32_t>(soup.vertices.size());
    soup.triangles.push_back({n - 3, n - 2, n - 1});
}

Result<TriangleSoup> read_binary(std::string_view bytes, std::string_view name) {
    if (bytes.size() < kHeader) {
        return Error{ErrorCode::syntax, std::string(name),
                     "a binary STL file begins with 84 bytes, but the file has " +
                         std::to_string(bytes.size())};
    }
    const std::uint64_t count = claimed_triangles(bytes);
    if (bytes.size() < kHeader + kFacet * count) {
        return Error{ErrorCode::syntax, at_byte(name, 80),
                     "the header promises " + std::to_string(count) + " triangles in " +
                         std::to_string(kHeader + kFacet * count) + " bytes, but the file has " +
                         std::to_string(bytes.size())};
    }
    if (count == 0) return no_facets(name);
    TriangleSoup soup;
    soup.vertices.reserve(3 * count);
    soup.triangles.reserve(count);
    for (std::uint64_t t = 0; t < count; ++t) {
        for (std::size_t corner = 0; corner < 3; ++corner) {
            const std::size_t at = kHeader + kFacet * t + 12 * (corner + 1);
            Vec3d v;
            for (int i = 0; i < 3; ++i) {
                const char* from = bytes.data() + at + 4 * static_cast<std::size_t>(i);
                v[i] = static_cast<double>(load<float>(from, ByteOrder::little));
                if (std::isfinite(v[i])) continue;
                return Error{ErrorCode::invalid_value,
                             at_byte(name, at + 4 * static_cast<std::size_t>(i)),
                             "coordinates must be finite, got " + text(v[i])};
            }
            soup.vertices.push_back(v);
        }
        add_triangle(soup);
    }
    return weld(soup);
}

class StlTextReader {
  public:
    StlTextReader(std::string_view text, std::string_view name) : lines_(text), name_(name) {}

    Result<TriangleSoup> read() {
        for (std::string_view line; lines_.next(line);) {
            WordReader words(line);
            const std::string_view keyword = words.next();
            if (const std::optional<Error> error = read_line(keyword, words)) return *error;
        }
        if (open_) return fail("the file ends without endsolid");
        if (soup_.triangles.empty()) return no_facets(name_);
        return weld(soup_);
    }

  private:
    std::optional<Error> read_line(std::string_view keyword, WordReader& words) {
        if (keyword == "vertex") {
            Vec3d position;
            if (const auto why = parse_position(words, position)) return fail(*why);
            soup_.vertices.push_back(position);
            ++corners_;
        } else if (keyword == "endfacet") {
            if (corners_ != 3) {
                return fail("a facet needs three vertices, got " + std::to_string(corners_));
            }
            add_triangle(soup_);
            corners_ = 0;
        } else if (keyword == "solid") {
            open_ = true;
        } else if (keyword == "endsolid") {
            if (corners_ != 0) return fail("endsolid stands within a facet");
            open_ = false;
        } else if (!keyword.empty() && keyword != "facet" && keyword != "outer" &&
                   keyword != "endloop") {
            return fail("expected a line of an STL file, got " + quoted_word(keyword));
        }
        return {};
    }

    Error fail(std::string message) const {
        return {ErrorCode::syntax, at_line(name_, lines_.number()), std::move(message)};
    }

    LineReader lines_;
    std::string_view name_;
    TriangleSoup soup_;
    std::size_t corners_ = 0; // of the facet at hand
    bool open_ = false;
};

} // namespace

Result<TriangleSoup> read_stl(std::string_view bytes, std::string_view name) {
    if (bytes.empty()) return no_facets(name);
    return is_binary(bytes) ? read_binary(bytes, name) : StlTextReader(bytes, name).read();
}

} // namespace rigor
