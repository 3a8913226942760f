// JSON document: a tree whose values and keys know their line and column.
//
// Comments (// and /* */) are allowed. Duplicate keys, invalid UTF-8, numbers that are not
// finite, and text too large or too deep are errors with a line and a column. Why this is not
// nlohmann-json: docs/design/scenes.md.
//
// Values are 24-byte nodes in one vector. A node keeps only its offset in the text: lines and
// columns are counted when an error needs them, which is once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rigor/result.h"

namespace rigor {

inline constexpr int kMaxJsonDepth = 64;
inline constexpr std::size_t kMaxJsonBytes = std::size_t(256) << 20;
inline constexpr std::uint32_t kMaxJsonValues = 50'000'000;

enum class JsonKind : std::uint8_t { null, boolean, number, string, array, object };

/// The text in double quotes, for messages.
std::string quoted(std::string_view text);

/// "a number", "an object": what a message calls a value of this kind.
std::string_view with_article(JsonKind kind);

class JsonDocument {
  public:
    using Index = std::uint32_t;
    static constexpr Index kNone = 0; ///< the root is nobody's child, so 0 can mean "no node"
    static constexpr Index kRoot = 0;

    JsonKind kind(Index i) const { return nodes_[i].kind; }
    bool boolean(Index i) const { return nodes_[i].content.boolean; }
    double number(Index i) const { return nodes_[i].content.number; }
    /// The decoded text of a string.
    std::string_view text(Index i) const;
    /// The value as written, cut when long: for messages.
    std::string excerpt(Index i) const;

    /// Children of an array, or keys of an object, in the order of the text.
    std::uint32_t size(Index i) const { return nodes_[i].content.children.count; }
    Index first(Index i) const { return nodes_[i].content.children.first; }
    Index next(Index i) const { return nodes_[i].next; }
    /// The value that belongs to a key: it stands right behind it.
    Index value_of(Index key) const { return nodes_[key].content.text.value; }
    /// The key node of an object's member, or kNone.
    Index find(Index object, std::string_view key) const;

    /// "scene.json:12:7", 1-based, the column counted in characters.
    std::string place(Index i) const;
    /// "bodies[3].shapes[0].radius"; empty for the root.
    std::string path(Index i) const;
    /// The override that gave this value as a whole, as "--substeps"; empty when there is none.
    std::string override_of(Index i) const;

  private:
    friend class JsonParser;
    friend class JsonEditor;
    friend Result<JsonDocument> parse_json(std::string text, std::string name);

    struct Node {
        union Content {
            double number;
            bool boolean;
            struct {
                Index first;
                std::uint32_t count;
            } children;
            struct {
                std::uint32_t string; ///< index into strings_
                Index value;          ///< of a key
            } text;
        } content{};
        std::uint32_t offset = 0; ///< into the texts of all sources, one after another
        Index next = kNone;
        JsonKind kind = JsonKind::null;
    };

    /// A text values came from: the file, then one for each override.
    struct Source {
        std::string name;
        std::string text;
        std::uint32_t begin = 0;
        bool is_file = true;   ///< overrides are one line long and need no line number
        std::string path = {}; ///< of the value that an override gives
    };

    struct Span {
        std::uint32_t begin = 0, size = 0;
    };

    const Source& source_of(std::uint32_t offset) const;
    bool find_path(Index from, Index wanted, std::string& path) const;

    std::vector<Node> nodes_;
    std::vector<Span> strings_;
    std::string pool_; ///< all strings, decoded, one after another
    std::vector<Source> sources_;
};

/// `name` stands for the text in messages.
Result<JsonDocument> parse_json(std::string text, std::string name);

/// Sets values as `--set PATH=VALUE` does: the path is written `gravity[2]`, `bodies[0].mass`;
/// the value is JSON, or a bare word taken as a string. Missing keys are added; an element of a
/// missing vector that has a default changes that default; other missing elements are an error.
/// `origin` stands for the value in messages, "--set PATH" when it is empty. With an origin, as of
/// a flag, a value that is not JSON is a string, so that the rule of the field refuses it.
Result<void> override_value(JsonDocument& document, std::string_view path, std::string_view value,
                            std::string_view origin = {});

/// Whether this is the path of an override, whatever it leads to.
bool is_override_path(std::string_view path);

/// The text as a JSON string; control characters, which JSON does not allow, as "?".
std::string json_string(std::string_view text);

} // namespace rigor
