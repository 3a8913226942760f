// PLY files, text and binary.

#include <algorithm>
#include <array>

#include "math/number_text.h"
#include "scene/mesh_bytes.h"
#include "scene/mesh_readers.h"
#include "scene/mesh_text.h"

namespace rigor {
namespace {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct TypeName {
    std::string_view name;
    Type type;
};
constexpr std::array<TypeName, 16> kTypeNames{{{"char", Type::int8},
                                               {"int8", Type::int8},
                                               {"uchar", Type::uint8},
                                               {"uint8", Type::uint8},
                                               {"short", Type::int16},
                                               {"int16", Type::int16},
                                               {"ushort", Type::uint16},
                                               {"uint16", Type::uint16},
                                               {"int", Type::int32},
                                               {"int32", Type::int32},
                                               {"uint", Type::uint32},
                                               {"uint32", Type::uint32},
                                               {"float", Type::float32},
                                               {"float32", Type::float32},
                                               {"double", Type::float64},
                                               {"float64", Type::float64}}};

std::optional<Type> find_type(std::string_view name) {
    for (const TypeName& entry : kTypeNames) {
        if (entry.name == name) return entry.type;
    }
    return {};
}

std::size_t size_of(Type type) {
    constexpr std::array<std::size_t, 8> kSizes{1, 1, 2, 2, 4, 4, 4, 8};
    return kSizes[static_cast<std::size_t>(type)];
}

bool is_integer(Type type) {
    return type != Type::float32 && type != Type::float64;
}

double load_as_double(const char* from, Type type, ByteOrder order) {
    switch (type) {
        case Type::int8:
            return load<std::int8_t>(from, order);
        case Type::uint8:
            return load<std::uint8_t>(from, order);
        case Type::int16:
            return load<std::int16_t>(from, order);
        case Type::uint16:
            return load<std::uint16_t>(from, order);
        case Type::int32:
            return load<std::int32_t>(from, order);
        case Type::uint32:
            return load<std::uint32_t>(from, order);
        case Type::float32:
            return static_cast<double>(load<float>(from, order));
        case Type::float64:
            return load<double>(from, order);
    }
    return 0;
}

struct Property {
    std::string_view name;
    Type type{};
    std::optional<Type> count; // of a list
};

struct Element {
    std::string_view name;
    std::uint64_t count = 0;
    std::size_t line = 0;
    std::vector<Property> properties;

    bool is_vertex() const { return name == "vertex"; }
    bool is_face() const { return name == "face"; }

    // What one of them takes at least.
    std::size_t least_bytes(bool text) const {
        std::size_t sum = 0;
        for (const Property& p : properties) sum += text ? 2 : size_of(p.count.value_or(p.type));
        return sum;
    }
};

// The values of the body one after another, from text or bytes.
class Values {
  public:
    Values(std::string_view name, std::string_view bytes, std::size_t byte, std::size_t line,
           std::optional<ByteOrder> order)
        : name_(name), bytes_(bytes), byte_(byte), line_(line), order_(order) {}

    std::size_t bytes_left() const { return bytes_.size() - byte_; }

    // What is wrong with the value, when something is.
    std::optional<std::string> next(Type type, double& value) {
        if (order_) {
            last_ = byte_;
            if (bytes_left() < size_of(type)) return kEnd;
            value = load_as_double(bytes_.data() + byte_, type, *order_);
            byte_ += size_of(type);
            return {};
        }
        const std::string_view word = next_word();
        if (word.empty()) return kEnd;
        const std::optional<double> number = parse_number(word);
        if (!number) return "expected a number, got " + quoted_word(word);
        value = *number;
        if (!is_integer(type) || (value == std::floor(value) && std::isfinite(value))) return {};
        return "expected an integer, got " + quoted_word(word);
    }

    Error fail(std::string message) const {
        return {ErrorCode::syntax, order_ ? at_byte(name_, last_) : at_line(name_, line_),
                std::move(message)};
    }

    static constexpr const char* kEnd = "the file ends too early";

  private:
    std::string_view next_word() {
        const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
        for (; byte_ < bytes_.size() && is_blank(bytes_[byte_]); ++byte_)
            line_ += bytes_[byte_] == '\n';
        const std::size_t begin = byte_;
        while (byte_ < bytes_.size() && !is_blank(bytes_[byte_])) ++byte_;
        return bytes_.substr(begin, byte_ - begin);
    }

    std::string_view name_, bytes_;
    std::size_t byte_, line_;
    std::size_t last_ = byte_; // where the last value began
    std::optional<ByteOrder> order_;
};

class PlyReader {
  public:
    PlyReader(std::string_view bytes, std::string_view name)
        : bytes_(bytes), name_(name), lines_(bytes) {}

    Result<TriangleSoup> read() {
        if (const auto error = read_header()) return *error;
        const std::size_t header = bytes_.size() - lines_.rest().size();
        Values values(name_, bytes_, header, lines_.number() + 1, order_);
        for (const Element& element : elements_) {
            if (const auto error = read_element(element, values)) return *error;
        }
        if (soup_.vertices.empty()) return fail_whole("the file has no vertices");
        if (soup_.triangles.empty()) return fail_whole("the file has no faces");
        return std::move(soup_);
    }

  private:
    std::optional<Error> read_header() {
        std::string_view line;
        if (!lines_.next(line) || WordReader(line).next() != "ply") {
            return fail("a PLY file begins with the word ply, got " + quoted_word(line));
        }
        while (lines_.next(line)) {
            WordReader words(line);
            const std::string_view keyword = words.next();
            if (keyword == "end_header") return check_header();
            if (const auto error = read_header_line(keyword, words)) return error;
        }
        return fail("the file ends within the header");
    }

    std::optional<Error> read_header_line(std::string_view keyword, WordReader& words) {
        if (keyword == "format") return read_format(words.next());
        if (keyword == "element") return read_element_line(words);
        if (keyword == "property") return read_property_line(words);
        if (keyword.empty() || keyword == "comment" || keyword == "obj_info") return {};
        return fail("expected a line of a PLY header, got " + quoted_word(keyword));
    }

    std::optional<Error> read_format(std::string_view format) {
        has_format_ = true;
        if (format == "binary_little_endian") {
            order_ = ByteOrder::little;
        } else if (format == "binary_big_endian") {
            order_ = ByteOrder::big;
        } else if (format != "ascii") {
            return fail("expected ascii, binary_little_endian or binary_big_endian, got " +
                        quoted_word(format));
        }
        return {};
    }

    std::optional<Error> read_element_line(WordReader& words) {
        Element element;
        element.name = words.next();
        element.line = lines_.number();
        const std::string_view word = words.next();
        const auto count = parse_integer<std::uint64_t>(word);
        if (!count) return fail("expected the number of elements, got " + quoted_word(word));
        element.count = *count;
        elements_.push_back(std::move(element));
        return {};
    }

    std::optional<Error> read_property_line(WordReader& words) {
        if (elements_.empty()) return fail("a property needs an element before it");
        Property property;
        std::string_view word = words.next();
        if (word == "list") {
            word = words.next();
            property.count = find_type(word);
            if (!property.count) return fail("unknown type " + quoted_word(word));
            if (!is_integer(*property.count))
                return fail("the size of a list must be an integer, got " + quoted_word(word));
            word = words.next();
        }
        const std::optional<Type> type = find_type(word);
        if (!type) return fail("unknown type " + quoted_word(word));
        property.type = *type;
        property.name = words.next();
        elements_.back().properties.push_back(property);
        return {};
    }

    std::optional<Error> check_header() {
        if (!has_format_) return fail("the header has no format line");
        bool vertices_known = false;
        for (const Element& element : elements_) {
            if (element.is_face() && !vertices_known) return fail("faces must come after vertices");
            vertices_known = vertices_known || element.is_vertex();
            if (const auto error = check_position(element)) return error;
            if (const auto error = check_size(element)) return error;
        }
        return {};
    }

    std::optional<Error> check_position(const Element& element) const {
        if (!element.is_vertex()) return {};
        for (const std::string_view axis : {"x", "y", "z"}) {
            const auto is_axis = [&](const Property& p) { return p.name == axis && !p.count; };
            const std::vector<Property>& all = element.properties;
            if (std::any_of(all.begin(), all.end(), is_axis)) continue;
            return Error{ErrorCode::syntax, at_line(name_, element.line),
                         "element \"vertex\" has no property " + quoted_word(axis)};
        }
        return {};
    }

    // Nothing is allocated by a claim: a file that cannot hold what it promises is refused.
    std::optional<Error> check_size(const Element& element) const {
        const std::size_t least = element.least_bytes(!order_);
        // The last value of a text needs no blank after it.
        const std::size_t left = lines_.rest().size() + (order_ ? 0 : 1);
        if (least == 0 || element.count <= left / least) return {};
        return Error{ErrorCode::syntax, at_line(name_, element.line),
                     "the header promises " + std::to_string(element.count) + " of element " +
                         quoted_word(element.name) + ", but only " +
                         std::to_string(lines_.rest().size()) + " bytes follow"};
    }

    std::optional<Error> read_element(const Element& element, Values& values) {
        if (element.properties.empty()) return {};
        if (element.is_vertex()) soup_.vertices.reserve(soup_.vertices.size() + element.count);
        for (std::uint64_t i = 0; i < element.count; ++i) {
            Vec3d position;
            corners_.clear();
            for (const Property& property : element.properties) {
                const auto why = property.count ? read_list(element, property, values)
                                                : read_scalar(element, property, values, position);
                if (!why) continue;
                return values.fail(*why == Values::kEnd
                                       ? "the file ends after " + std::to_string(i) + " of " +
                                             std::to_string(element.count) + " of element " +
                                             quoted_word(element.name)
                                       : *why);
            }
            if (element.is_vertex()) soup_.vertices.push_back(position);
            if (element.is_face()) {
                if (const auto why = add_face()) return values.fail(*why);
            }
        }
        return {};
    }

    std::optional<std::string> read_scalar(const Element& element, const Property& property,
                                           Values& values, Vec3d& position) const {
        double value = 0;
        if (auto why = values.next(property.type, value)) return why;
        if (!element.is_vertex() || property.name.size() != 1) return {};
        const char axis = property.name[0];
        if (axis < 'x' || axis > 'z') return {};
        if (!std::isfinite(value)) return "coordinates must be finite, got " + text(value);
        position[axis - 'x'] = value;
        return {};
    }

    std::optional<std::string> read_list(const Element& element, const Property& property,
                                         Values& values) {
        double count = 0, value = 0;
        if (auto why = values.next(*property.count, count)) return why;
        if (count < 0) return "a list cannot have " + text(count) + " values";
        const bool is_corners = element.is_face() && (property.name == "vertex_indices" ||
                                                      property.name == "vertex_index");
        for (double i = 0; i < count; ++i) {
            if (auto why = values.next(property.type, value)) return why;
            if (!is_corners) continue;
            const auto vertices = static_cast<double>(soup_.vertices.size());
            if (!(value >= 0 && value < vertices && value == std::floor(value))) {
                return "face refers to vertex " + text(value) + ", but there are " +
                       text(vertices) + ", counted from 0";
            }
            corners_.push_back(static_cast<std::uint32_t>(value));
        }
        return {};
    }

    std::optional<std::string> add_face() {
        if (corners_.size() < 3) {
            return "a face needs at least three corners, got " + std::to_string(corners_.size());
        }
        const Result<void> added = add_polygon(soup_, corners_);
        if (!added) return added.error().message;
        return {};
    }

    Error fail(std::string message) const {
        return {ErrorCode::syntax, at_line(name_, lines_.number()), std::move(message)};
    }
    Error fail_whole(std::string message) const {
        return {ErrorCode::invalid_value, std::string(name_), std::move(message)};
    }

    std::string_view bytes_, name_;
    LineReader lines_;
    std::optional<ByteOrder> order_;
    bool has_format_ = false;
    std::vector<Element> elements_;
    std::vector<std::uint32_t> corners_;
    TriangleSoup soup_;
};

} // namespace

Result<TriangleSoup> read_ply(std::string_view bytes, std::string_view name) {
    return PlyReader(bytes, name).read();
}

} // namespace rigor
