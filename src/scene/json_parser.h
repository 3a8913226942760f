// Reads JSON text into the nodes of a JsonDocument, by recursive descent.
#pragma once

#include <optional>
#include <string_view>

#include "scene/json_document.h"

namespace rigor {

/// Parses the newest source of a document: its file, or one override.
class JsonParser {
  public:
    explicit JsonParser(JsonDocument& document);

    /// One value and nothing behind it; kNone with error() set when the text is not JSON. The
    /// first value parsed becomes the root, whose index is also 0: ask error().
    JsonDocument::Index parse();
    const std::optional<Error>& error() const { return error_; }

  private:
    using Index = JsonDocument::Index;
    using Node = JsonDocument::Node;

    Index parse_value(int depth);
    void parse_array(Index array, int depth);
    void parse_object(Index object, int depth);
    Index parse_key(Index object);
    void parse_number(Index node);
    void parse_literal(Index node);
    bool parse_string(Index node);
    bool append_escape();
    bool append_unicode_escape();
    bool append_utf8_sequence();
    std::optional<unsigned> hex4();
    void skip_digits() {
        while (is_digit()) ++at_;
    }
    void skip_space();
    void skip_block_comment();
    bool closes(char bracket, std::string_view what);

    Index add_node(JsonKind kind);
    void append_child(Index parent, Index& last, Index child);
    bool is_digit() const { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; }
    bool failed() const { return error_.has_value(); }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool at_end() const { return at_ >= text_.size(); }
    /// Remembers the first error only, at byte `at` of the text.
    bool fail(std::size_t at, std::string message, ErrorCode code = ErrorCode::syntax);
    std::string found() const;

    JsonDocument& document_;
    std::string_view text_;
    std::uint32_t begin_ = 0;
    std::size_t at_ = 0;
    std::optional<Error> error_;
};

} // namespace rigor
