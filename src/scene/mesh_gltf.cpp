// glTF 2 reader, text or binary [Khronos 2021]: the triangles of a scene, with all node transforms
// applied.
//
// Nothing is believed before it is checked: a count or a length that exceeds the bytes there
// are, an index without a target, nodes that are no tree are each an error with a place.

#include <algorithm>
#include <optional>

#include "geometry/mesh_topology.h"
#include "rigor/rotation.h"
#include "scene/gltf_elements.h"
#include "scene/json_document.h"
#include "scene/mesh_bytes.h"
#include "scene/mesh_readers.h"
#include "scene/mesh_text.h"
#include "scene/uri_decoding.h"

namespace rigor {
namespace {

using Index = JsonDocument::Index;
constexpr Index kNoValue = JsonDocument::kNone;

struct Affine {
    Mat3d linear;
    Vec3d shift;
};

Affine operator*(const Affine& a, const Affine& b) {
    return {a.linear * b.linear, a.linear * b.shift + a.shift};
}

// Extensions that leave the shape alone, or that the reader knows anyway.
bool is_harmless(std::string_view extension) {
    for (const std::string_view known : {"KHR_mesh_quantization", "KHR_materials_", "KHR_texture_",
                                         "KHR_lights_", "EXT_texture_"}) {
        if (extension.substr(0, known.size()) == known) return true;
    }
    return false;
}

class GltfReader {
  public:
    GltfReader(const JsonDocument& json, std::optional<std::string_view> binary,
               const FilesBeside& beside)
        : json_(json), binary_(binary), beside_(beside) {}

    Result<TriangleSoup> read() {
        if (json_.kind(JsonDocument::kRoot) != JsonKind::object)
            fail(JsonDocument::kRoot, "must be an object");
        check_version();
        buffers_ = items(member(JsonDocument::kRoot, "buffers"));
        views_ = items(member(JsonDocument::kRoot, "bufferViews"));
        accessors_ = items(member(JsonDocument::kRoot, "accessors"));
        meshes_ = items(member(JsonDocument::kRoot, "meshes"));
        nodes_ = items(member(JsonDocument::kRoot, "nodes"));
        contents_.resize(buffers_.size());
        walk();
        if (!error_ && soup_.triangles.empty())
            fail(JsonDocument::kRoot, "the scene of the file has no triangles");
        if (error_) return *error_;
        return weld(soup_);
    }

  private:
    // The first error stays; whoever gets a value after it gets an empty one.
    void fail(Index at, const std::string& message, ErrorCode code = ErrorCode::invalid_value) {
        if (error_) return;
        const std::string path = json_.path(at);
        error_ = Error{code, json_.place(at), path.empty() ? message : path + ": " + message};
    }

    Index member(Index object, std::string_view key) const {
        if (json_.kind(object) != JsonKind::object) return kNoValue;
        const Index found = json_.find(object, key);
        return found == kNoValue ? kNoValue : json_.value_of(found);
    }

    std::vector<Index> items(Index array) {
        std::vector<Index> result;
        if (array == kNoValue) return result;
        if (json_.kind(array) != JsonKind::array) return fail(array, "must be an array"), result;
        result.reserve(json_.size(array));
        for (Index i = json_.first(array); i != kNoValue; i = json_.next(i)) result.push_back(i);
        return result;
    }

    std::size_t whole(Index value) {
        constexpr double kMost = 0x1p32;
        const bool is_number = json_.kind(value) == JsonKind::number;
        const double n = is_number ? json_.number(value) : -1;
        if (n >= 0 && n < kMost && n == std::floor(n)) return static_cast<std::size_t>(n);
        fail(value, "must be a whole number from 0 to 2^32 - 1, got " + json_.excerpt(value));
        return 0;
    }

    std::size_t whole(Index object, std::string_view key, std::size_t otherwise) {
        const Index value = member(object, key);
        return value == kNoValue ? otherwise : whole(value);
    }

    // What `value` is the index of, or none with an error.
    std::optional<std::size_t> target(Index value, const std::vector<Index>& list,
                                      const char* name) {
        const std::size_t i = whole(value);
        if (i >= list.size()) {
            fail(value, "refers to " + std::to_string(i) + " of " + name + ", but there are " +
                            std::to_string(list.size()));
        }
        return error_ ? std::nullopt : std::optional(i);
    }

    Vec3d vector(Index object, std::string_view key, const Vec3d& otherwise) {
        const std::vector<double> n = numbers(member(object, key), 3);
        return n.empty() ? otherwise : Vec3d{n[0], n[1], n[2]};
    }

    std::vector<double> numbers(Index array, std::size_t count) {
        if (array == kNoValue) return {};
        std::vector<double> result;
        for (const Index i : items(array)) {
            if (json_.kind(i) != JsonKind::number) return fail(i, "must be a number"), result = {};
            result.push_back(json_.number(i));
        }
        if (result.size() == count) return result;
        fail(array,
             "must be " + std::to_string(count) + " numbers, got " + std::to_string(result.size()));
        return {};
    }

    void check_version() {
        const Index asset = member(JsonDocument::kRoot, "asset");
        const Index version = asset == kNoValue ? kNoValue : member(asset, "version");
        if (version == kNoValue || json_.kind(version) != JsonKind::string) {
            fail(JsonDocument::kRoot, "a glTF file must name its version as asset.version");
        } else if (json_.text(version).substr(0, 2) != "2.") {
            fail(version, "glTF must be of version 2, got " + json_.excerpt(version),
                 ErrorCode::unsupported);
        }
        for (const Index i : items(member(JsonDocument::kRoot, "extensionsRequired"))) {
            if (json_.kind(i) == JsonKind::string && is_harmless(json_.text(i))) continue;
            fail(i, "the extension " + json_.excerpt(i) + " is not read", ErrorCode::unsupported);
        }
    }

    // Parents first; without recursion, for a file may nest as deep as it likes.
    void walk() {
        struct Placed {
            Index child; // the number that names the node
            Affine parent;
        };
        std::vector<Placed> waiting;
        const auto wait_for = [&](Index list, const Affine& parent) {
            const std::vector<Index> children = items(list);
            for (auto i = children.rbegin(); i != children.rend(); ++i)
                waiting.push_back({*i, parent});
        };
        wait_for(roots(), {});
        std::vector<bool> seen(nodes_.size(), false);
        while (!error_ && !waiting.empty()) {
            const Placed placed = waiting.back();
            waiting.pop_back();
            const auto n = target(placed.child, nodes_, "nodes");
            if (!n) return;
            if (seen[*n]) {
                return fail(placed.child, "nodes must form trees, but node " + std::to_string(*n) +
                                              " is reached twice");
            }
            seen[*n] = true;
            const Affine to_scene = placed.parent * transform_of(nodes_[*n]);
            if (const Index mesh = member(nodes_[*n], "mesh"); mesh != kNoValue)
                add_mesh(mesh, to_scene);
            if (const Index children = member(nodes_[*n], "children"); children != kNoValue)
                wait_for(children, to_scene);
        }
    }

    // The nodes of the scene the file opens with.
    Index roots() {
        const std::vector<Index> scenes = items(member(JsonDocument::kRoot, "scenes"));
        const Index chosen = member(JsonDocument::kRoot, "scene");
        if (scenes.empty() && chosen == kNoValue) {
            fail(JsonDocument::kRoot, "the file holds no scene");
            return kNoValue;
        }
        const auto scene =
            chosen == kNoValue ? std::optional<std::size_t>(0) : target(chosen, scenes, "scenes");
        return scene ? member(scenes[*scene], "nodes") : kNoValue;
    }

    Affine transform_of(Index node) {
        const std::vector<double> m = numbers(member(node, "matrix"), 16); // by columns
        if (!m.empty()) {
            return {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}},
                    {m[12], m[13], m[14]}};
        }
        const std::vector<double> q = numbers(member(node, "rotation"), 4); // x y z w
        const Mat3d turn =
            q.empty() ? Mat3d{} : to_matrix(normalize(Quatd{q[3], q[0], q[1], q[2]}));
        const Vec3d scale = vector(node, "scale", {1, 1, 1});
        return {turn * Mat3d::diagonal(scale), vector(node, "translation", {})};
    }

    void add_mesh(Index mesh, const Affine& to_scene) {
        const auto m = target(mesh, meshes_, "meshes");
        if (!m) return;
        for (const Index primitive : items(member(meshes_[*m], "primitives"))) {
            if (++placed_ > most()) too_many(primitive);
            if (!error_) add_primitive(primitive, to_scene);
        }
    }

    void add_primitive(Index primitive, const Affine& to_scene) {
        const std::size_t mode = whole(primitive, "mode", kTriangles);
        if (mode < kTriangles) return; // points and lines
        if (mode > kFan) return fail(primitive, "mode must be from 0 to 6");
        const Index attributes = member(primitive, "attributes");
        const Index position = attributes == kNoValue ? kNoValue : member(attributes, "POSITION");
        if (position == kNoValue) return; // has no shape
        const GltfElements places = elements(position, 3);
        const Index list = member(primitive, "indices");
        const GltfElements indices = list == kNoValue ? GltfElements{} : elements(list, 1);
        if (list != kNoValue && !error_ && indices.type != 5121 && indices.type != 5123 &&
            indices.type != 5125)
            fail(list, "indices must be unsigned integers");
        if (error_) return;
        const std::size_t corners = list == kNoValue ? places.count : indices.count;
        if (soup_.vertices.size() + places.count > most() ||
            soup_.triangles.size() + corners > most()) {
            return too_many(primitive);
        }
        const auto first = static_cast<std::uint32_t>(soup_.vertices.size());
        add_vertices(position, places, to_scene);
        for (std::size_t i = 0; list != kNoValue && i < corners; ++i) {
            const double v = number_at(indices, i, 0);
            if (v < static_cast<double>(places.count)) continue;
            return fail(list, "index " + std::to_string(i) + " refers to vertex " +
                                  std::to_string(static_cast<std::size_t>(v)) + ", but there are " +
                                  std::to_string(places.count));
        }
        add_triangles(mode, corners, [&](std::size_t i) {
            return first + static_cast<std::uint32_t>(list == kNoValue ? static_cast<double>(i)
                                                                       : number_at(indices, i, 0));
        });
    }

    void too_many(Index primitive) {
        fail(primitive,
             "the nodes of the scene have more than " + std::to_string(most()) +
                 " vertices or triangles",
             ErrorCode::limit);
    }

    void add_vertices(Index position, const GltfElements& places, const Affine& to_scene) {
        for (std::size_t i = 0; i < places.count; ++i) {
            const Vec3d p{number_at(places, i, 0), number_at(places, i, 1),
                          number_at(places, i, 2)};
            soup_.vertices.push_back(to_scene.linear * p + to_scene.shift);
            if (is_finite(soup_.vertices.back())) continue;
            return fail(position, "coordinates must be finite, but those of vertex " +
                                      std::to_string(i) + " are not");
        }
    }

    // In a strip every other triangle is turned, so that all face the same way.
    template <class Corner>
    void add_triangles(std::size_t mode, std::size_t corners, const Corner& corner) {
        const std::size_t step = mode == kTriangles ? 3 : 1;
        for (std::size_t i = 0; i + 2 < corners; i += step) {
            const std::size_t odd = mode == kStrip ? i % 2 : 0;
            soup_.triangles.push_back(
                {corner(mode == kFan ? 0 : i), corner(i + 1 + odd), corner(i + 2 - odd)});
        }
    }

    GltfElements elements(Index value, std::size_t components) {
        const auto a = target(value, accessors_, "accessors");
        if (!a) return {};
        const Index accessor = accessors_[*a];
        const Index view = member(accessor, "bufferView");
        if (view == kNoValue || member(accessor, "sparse") != kNoValue) {
            fail(accessor, "sparse and compressed accessors are not read", ErrorCode::unsupported);
            return {};
        }
        GltfElements e;
        e.components = components;
        e.count = whole(accessor, "count", 0);
        e.type = static_cast<int>(std::min<std::size_t>(whole(accessor, "componentType", 0), 9999));
        const Index type = member(accessor, "type");
        const std::string_view wanted = components == 3 ? "VEC3" : "SCALAR";
        if (type == kNoValue || json_.kind(type) != JsonKind::string || json_.text(type) != wanted)
            fail(accessor, "type must be \"" + std::string(wanted) + "\"");
        const Index normalized = member(accessor, "normalized");
        e.normalized = normalized != kNoValue && json_.kind(normalized) == JsonKind::boolean &&
                       json_.boolean(normalized);
        const std::size_t size = components * size_of(e.type);
        if (size == 0) fail(accessor, "componentType must be from 5120 to 5126, without 5124");
        place_elements(e, accessor, view, size);
        return error_ ? GltfElements{} : e;
    }

    void place_elements(GltfElements& e, Index accessor, Index view, std::size_t size) {
        const auto v = target(view, views_, "bufferViews");
        if (!v) return;
        e.bytes = view_bytes(views_[*v]);
        e.stride = whole(views_[*v], "byteStride", size);
        const std::size_t offset = whole(accessor, "byteOffset", 0);
        if (e.stride < size) fail(views_[*v], "byteStride must not be less than an element");
        // All are below 2^32, so that nothing overflows.
        if (e.count > 0 && offset + (e.count - 1) * e.stride + size > e.bytes.size()) {
            fail(accessor, "claims " + std::to_string(e.count) + " elements, but its view has " +
                               std::to_string(e.bytes.size()) + " bytes");
        }
        if (!error_ && e.count > 0) e.bytes.remove_prefix(offset);
    }

    std::string_view view_bytes(Index view) {
        const Index buffer = member(view, "buffer");
        if (buffer == kNoValue) return fail(view, "buffer is missing"), std::string_view();
        const auto b = target(buffer, buffers_, "buffers");
        if (!b) return {};
        const std::string_view bytes = buffer_bytes(*b);
        const std::size_t offset = whole(view, "byteOffset", 0);
        const std::size_t length = whole(view, "byteLength", 0);
        if (!error_ && offset + length > bytes.size()) {
            fail(view, "ends at byte " + std::to_string(offset + length) + ", but its buffer has " +
                           std::to_string(bytes.size()));
        }
        return error_ ? std::string_view() : bytes.substr(offset, length);
    }

    // Read when first asked for. The binary part of a file is the buffer without a uri.
    std::string_view buffer_bytes(std::size_t b) {
        const Index uri = member(buffers_[b], "uri");
        if (uri == kNoValue) {
            if (b != 0 || !binary_) fail(buffers_[b], "has neither a uri nor a binary part");
            return claimed(buffers_[b], binary_.value_or(std::string_view()));
        }
        if (!contents_[b]) {
            contents_[b] = read_uri(uri);
            bytes_ += contents_[b]->size();
            if (bytes_ > kMostBytes) {
                fail(uri, "all buffers may have at most 2147483648 bytes", ErrorCode::limit);
            }
        }
        return claimed(buffers_[b], *contents_[b]);
    }

    std::string_view claimed(Index buffer, std::string_view bytes) {
        const std::size_t length = whole(buffer, "byteLength", 0);
        if (length <= bytes.size()) return bytes.substr(0, length);
        fail(buffer, "claims " + std::to_string(length) + " bytes, but has " +
                         std::to_string(bytes.size()));
        return {};
    }

    std::string read_uri(Index value) {
        if (json_.kind(value) != JsonKind::string) return fail(value, "must be a string"), "";
        const std::string_view uri = json_.text(value);
        if (uri.substr(0, 5) == "data:") {
            constexpr std::string_view kMark = ";base64,";
            const std::size_t mark = uri.find(kMark);
            if (mark == uri.npos) return fail(value, "data must be in base64"), "";
            std::optional<std::string> data = decode_base64(uri.substr(mark + kMark.size()));
            if (!data) fail(value, "data must be in base64");
            return data ? std::move(*data) : std::string();
        }
        Result<std::string> bytes = beside_(decode_percent(uri));
        if (bytes) return std::move(*bytes);
        fail(value, to_string(bytes.error()), bytes.error().code);
        return {};
    }

    // One mesh may stand in many nodes, so that a small file can grow without bound.
    std::size_t most() const { return std::max(std::size_t(1) << 24, bytes_ + binary_size()); }
    std::size_t binary_size() const { return binary_ ? binary_->size() : 0; }

    static constexpr std::size_t kMostBytes = std::size_t(1) << 31;
    static constexpr std::size_t kTriangles = 4, kStrip = 5, kFan = 6;

    const JsonDocument& json_;
    std::optional<std::string_view> binary_;
    const FilesBeside& beside_;
    std::vector<Index> buffers_, views_, accessors_, meshes_, nodes_;
    std::vector<std::optional<std::string>> contents_;
    std::size_t bytes_ = 0;  // of all contents
    std::size_t placed_ = 0; // primitives
    TriangleSoup soup_;
    std::optional<Error> error_;
};

struct Parts {
    std::string_view json;
    std::optional<std::string_view> binary;
};

// A header of 12 bytes, then parts: length, kind, bytes. The JSON comes first.
Result<Parts> take_apart(std::string_view bytes, std::string_view name) {
    const auto fail = [&](std::size_t at, std::string message) {
        return Error{ErrorCode::syntax, at_byte(name, at), std::move(message)};
    };
    constexpr std::uint32_t kJson = 0x4e4f534a, kBinary = 0x004e4942;
    const auto word = [&](std::size_t at) {
        return load<std::uint32_t>(bytes.data() + at, ByteOrder::little);
    };
    if (bytes.size() < 20 || bytes.substr(0, 4) != "glTF")
        return fail(0, "a glb file must begin with \"glTF\", a version, a length and a part");
    if (word(4) != 2) return fail(4, "glTF must be of version 2, got " + std::to_string(word(4)));
    Parts parts;
    for (std::size_t at = 12; at + 8 <= bytes.size();) {
        const std::size_t length = word(at), kind = word(at + 4);
        if (length > bytes.size() - at - 8) {
            return fail(at, "a part claims " + std::to_string(length) + " bytes, but " +
                                std::to_string(bytes.size() - at - 8) + " are left");
        }
        const std::string_view part = bytes.substr(at + 8, length);
        if (at == 12 && kind != kJson) return fail(at, "the first part must be JSON");
        if (at == 12) parts.json = part;
        if (kind == kBinary && !parts.binary) parts.binary = part;
        at += 8 + length;
    }
    return parts;
}

} // namespace

Result<TriangleSoup> read_gltf(std::string_view bytes, std::string_view name,
                               const FilesBeside& beside) {
    Parts parts{bytes, {}};
    if (bytes.substr(0, 4) == "glTF") {
        const Result<Parts> apart = take_apart(bytes, name);
        if (!apart) return apart.error();
        parts = *apart;
    }
    // Some writers fill up the JSON of a binary file with zeros instead of spaces.
    while (!parts.json.empty() && parts.json.back() == '\0') parts.json.remove_suffix(1);
    if (parts.json.size() > kMaxJsonBytes) {
        return Error{ErrorCode::limit, std::string(name),
                     "the JSON of a glTF file may have at most " + std::to_string(kMaxJsonBytes) +
                         " bytes, got " + std::to_string(parts.json.size())};
    }
    const Result<JsonDocument> json = parse_json(std::string(parts.json), std::string(name));
    if (!json) return json.error();
    return GltfReader(*json, parts.binary, beside).read();
}

} // namespace rigor
