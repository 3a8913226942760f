#include "scene/json_parser.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <unordered_set>

namespace rigor {

namespace {

void append_utf8(std::string& out, unsigned code) {
    const auto byte = [&](unsigned value) { out += static_cast<char>(value); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xC0 | (code >> 6));
        byte(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        byte(0xE0 | (code >> 12));
        byte(0x80 | ((code >> 6) & 0x3F));
        byte(0x80 | (code & 0x3F));
    } else {
        byte(0xF0 | (code >> 18));
        byte(0x80 | ((code >> 12) & 0x3F));
        byte(0x80 | ((code >> 6) & 0x3F));
        byte(0x80 | (code & 0x3F));
    }
}

/// The length of the well-formed UTF-8 sequence at the front of `s`, 0 when there is none.
/// Overlong forms, surrogates and values above U+10FFFF are not well formed (Unicode 15,
/// table 3-7).
std::size_t utf8_length(std::string_view s) {
    const auto byte = [&](std::size_t i) {
        return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u;
    };
    const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
    const unsigned a = byte(0), b = byte(1);
    if (a < 0x80) return 1;
    if (a >= 0xC2 && a <= 0xDF) return tail(1) ? 2 : 0;
    if (a >= 0xE0 && a <= 0xEF) {
        const bool overlong = a == 0xE0 && b < 0xA0, surrogate = a == 0xED && b > 0x9F;
        return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (a >= 0xF0 && a <= 0xF4) {
        const bool overlong = a == 0xF0 && b < 0x90, beyond = a == 0xF4 && b > 0x8F;
        return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

/// Whether a number outside the range of a double is too large for it, not too small: whether
/// its first digit that is not zero stands before the point, once shifted by the exponent.
bool is_above_range(std::string_view number) {
    const std::size_t exponent_at = number.find_first_of("eE");
    const std::string_view mantissa = number.substr(0, exponent_at);
    const std::size_t first_digit = mantissa.find_first_of("123456789");
    const auto point = static_cast<long long>(std::min(mantissa.find('.'), mantissa.size()));
    if (exponent_at == std::string_view::npos) return static_cast<long long>(first_digit) < point;
    std::string_view digits = number.substr(exponent_at + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    long long exponent = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (parsed.ec != std::errc()) return !digits.starts_with('-');
    return point - static_cast<long long>(first_digit) > -exponent;
}

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

} // namespace

JsonParser::JsonParser(JsonDocument& document)
    : document_(document),
      text_(document.sources_.back().text),
      begin_(document.sources_.back().begin) {}

JsonDocument::Index JsonParser::parse() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3; // a byte order mark is harmless
    const Index root = parse_value(0);
    skip_space();
    if (!failed() && !at_end()) fail(at_, "nothing may follow the value, found " + found());
    return failed() ? JsonDocument::kNone : root;
}

JsonParser::Index JsonParser::parse_value(int depth) {
    skip_space();
    if (failed()) return JsonDocument::kNone;
    if (at_end()) return fail(at_, "the text ends where a value was expected");
    const Index node = add_node(JsonKind::null);
    const char c = peek();
    if (c == '{' || c == '[') {
        if (depth >= kMaxJsonDepth) {
            fail(at_, "values may be nested at most " + std::to_string(kMaxJsonDepth) + " deep",
                 ErrorCode::limit);
        } else if (c == '{') {
            parse_object(node, depth);
        } else {
            parse_array(node, depth);
        }
    } else if (c == '"') {
        document_.nodes_[node].kind = JsonKind::string;
        parse_string(node);
    } else if (c == '-' || is_digit()) {
        parse_number(node);
    } else {
        parse_literal(node);
    }
    return node;
}

void JsonParser::parse_array(Index array, int depth) {
    document_.nodes_[array].kind = JsonKind::array;
    ++at_;
    Index last = JsonDocument::kNone;
    skip_space();
    if (peek() == ']') {
        ++at_;
        return;
    }
    while (!failed()) {
        const Index child = parse_value(depth + 1);
        if (failed()) return;
        append_child(array, last, child);
        if (closes(']', "array")) return;
    }
}

void JsonParser::parse_object(Index object, int depth) {
    document_.nodes_[object].kind = JsonKind::object;
    ++at_;
    Index last = JsonDocument::kNone;
    std::unordered_set<std::string> seen; // used for large objects only
    constexpr std::uint32_t kLarge = 16;
    skip_space();
    if (peek() == '}') {
        ++at_;
        return;
    }
    while (!failed()) {
        const Index key = parse_key(object);
        if (failed()) return;
        const std::string_view text = document_.text(key);
        const std::uint32_t count = document_.size(object);
        if (count == kLarge)
            for (Index k = document_.first(object); k; k = document_.next(k))
                seen.emplace(document_.text(k));
        const bool repeated = count < kLarge ? document_.find(object, text) != JsonDocument::kNone
                                             : !seen.emplace(text).second;
        if (repeated) {
            fail(document_.nodes_[key].offset - begin_,
                 "the key " + document_.excerpt(key) + " is given twice");
            return;
        }
        const Index value = parse_value(depth + 1);
        if (failed()) return;
        document_.nodes_[key].content.text.value = value;
        append_child(object, last, key);
        if (closes('}', "object")) return;
    }
}

// A key and the colon behind it.
JsonParser::Index JsonParser::parse_key(Index object) {
    skip_space();
    if (failed()) return JsonDocument::kNone;
    if (peek() != '"') {
        const bool comma = document_.size(object) > 0 && peek() == '}';
        if (at_end()) return fail(at_, "the text ends inside an object");
        return fail(at_, comma ? "a comma must be followed by another key, found \"}\""
                               : "a key must be a string in double quotes, found " + found());
    }
    const Index key = add_node(JsonKind::string);
    if (!parse_string(key)) return JsonDocument::kNone;
    skip_space();
    if (failed()) return JsonDocument::kNone;
    if (at_end()) return fail(at_, "the text ends inside an object");
    if (peek() != ':') return fail(at_, "a key must be followed by \":\", found " + found());
    ++at_;
    return key;
}

/// After an element: true at the closing bracket or on failure; a comma asks for another one.
bool JsonParser::closes(char bracket, std::string_view what) {
    skip_space();
    if (failed()) return true;
    if (at_end()) {
        fail(at_, "the text ends inside an " + std::string(what));
        return true;
    }
    const char c = peek();
    if (c == bracket) return ++at_, true;
    if (c != ',') {
        fail(at_,
             "expected \",\" or " + quoted(std::string_view(&bracket, 1)) + ", found " + found());
        return true;
    }
    ++at_;
    skip_space();
    if (bracket == ']' && peek() == ']')
        fail(at_, "a comma must be followed by another value, found \"]\"");
    return failed();
}

// The grammar of RFC 8259 first, since from_chars would take more ("01", "1.", "inf").
void JsonParser::parse_number(Index node) {
    const std::size_t begin = at_;
    if (peek() == '-') ++at_;
    const std::size_t integer = at_;
    skip_digits();
    bool good = at_ > integer && (at_ == integer + 1 || text_[integer] != '0');
    const auto need_digits = [&] {
        const std::size_t from = at_;
        skip_digits();
        good = good && at_ > from;
    };
    if (good && peek() == '.') ++at_, need_digits();
    if (good && (peek() == 'e' || peek() == 'E')) {
        ++at_;
        if (peek() == '+' || peek() == '-') ++at_;
        need_digits();
    }
    if (!good || is_word(peek()) || peek() == '.') {
        while (is_word(peek()) || peek() == '.') ++at_;
        const std::string written(text_.substr(begin, std::min<std::size_t>(at_ - begin, 40)));
        if (written == "-Infinity" || written == "-inf")
            fail(begin, "numbers must be finite, got " + written, ErrorCode::invalid_value);
        else
            fail(begin, quoted(written) + " is not a number");
        return;
    }
    const std::string_view number = text_.substr(begin, at_ - begin);
    double value = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), value);
    if (parsed.ec == std::errc::result_out_of_range) {
        if (is_above_range(number)) {
            fail(begin, "numbers must be finite, got " + std::string(number.substr(0, 40)),
                 ErrorCode::invalid_value);
            return;
        }
        value = 0;
    }
    document_.nodes_[node].kind = JsonKind::number;
    document_.nodes_[node].content.number = value;
}

void JsonParser::parse_literal(Index node) {
    const std::size_t begin = at_;
    while (is_word(peek())) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    Node& result = document_.nodes_[node];
    if (word == "true" || word == "false") {
        result.kind = JsonKind::boolean;
        result.content.boolean = word == "true";
    } else if (word == "NaN" || word == "nan" || word == "Infinity" || word == "inf") {
        fail(begin, "numbers must be finite, got " + std::string(word), ErrorCode::invalid_value);
    } else if (word != "null") {
        at_ = begin;
        fail(begin, "expected a value, found " + found());
    }
}

bool JsonParser::parse_string(Index node) {
    const std::size_t begin = at_++;
    std::string& pool = document_.pool_;
    const std::size_t pool_begin = pool.size();
    while (!at_end() && peek() != '"') {
        // The common case first: a run of plain characters.
        const std::size_t run = at_;
        while (!at_end() && peek() != '"' && peek() != '\\' &&
               static_cast<unsigned char>(peek()) >= 0x20 &&
               static_cast<unsigned char>(peek()) < 0x80)
            ++at_;
        pool.append(text_.substr(run, at_ - run));
        if (at_end() || peek() == '"') break;
        if (peek() == '\\' ? !append_escape() : !append_utf8_sequence()) return false;
    }
    if (at_end()) return fail(begin, "the text ends inside this string");
    ++at_;
    document_.nodes_[node].content.text = {static_cast<std::uint32_t>(document_.strings_.size()),
                                           JsonDocument::kNone};
    document_.strings_.push_back({static_cast<std::uint32_t>(pool_begin),
                                  static_cast<std::uint32_t>(pool.size() - pool_begin)});
    return true;
}

bool JsonParser::append_utf8_sequence() {
    if (static_cast<unsigned char>(peek()) < 0x20)
        return fail(at_, "a string may not contain control characters or line breaks");
    const std::size_t length = utf8_length(text_.substr(at_));
    if (length == 0) return fail(at_, "the text is not valid UTF-8");
    document_.pool_.append(text_.substr(at_, length));
    at_ += length;
    return true;
}

bool JsonParser::append_escape() {
    const std::size_t begin = at_++;
    static constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    if (peek() == 'u') return append_unicode_escape();
    const std::size_t which = at_end() ? std::string_view::npos : kNames.find(peek());
    if (which == std::string_view::npos) return fail(begin, "unknown escape in a string");
    document_.pool_ += kMeanings[which];
    ++at_;
    return true;
}

bool JsonParser::append_unicode_escape() {
    const std::size_t begin = at_ - 1;
    const auto fail_here = [&] {
        return fail(begin, "\\u must be followed by four hexadecimal digits of a character");
    };
    const std::optional<unsigned> unit = hex4();
    if (!unit) return fail_here();
    unsigned code = *unit;
    if (code >= 0xD800 && code < 0xDC00) { // the first half of a surrogate pair
        if (peek() != '\\') return fail_here();
        ++at_;
        const std::optional<unsigned> low = peek() == 'u' ? hex4() : std::nullopt;
        if (!low || *low < 0xDC00 || *low > 0xDFFF) return fail_here();
        code = 0x10000 + ((code - 0xD800) << 10) + (*low - 0xDC00);
    } else if (code >= 0xDC00 && code < 0xE000) {
        return fail_here();
    }
    append_utf8(document_.pool_, code);
    return true;
}

/// The four digits behind the "u" at the front.
std::optional<unsigned> JsonParser::hex4() {
    const std::string_view digits = text_.substr(std::min(at_ + 1, text_.size()), 4);
    unsigned value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 4 || parsed.ptr != digits.data() + 4) return std::nullopt;
    at_ += 5;
    return value;
}

void JsonParser::skip_space() {
    while (!at_end()) {
        const char c = peek();
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++at_;
        } else if (text_.substr(at_).starts_with("//")) {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (text_.substr(at_).starts_with("/*")) {
            skip_block_comment();
        } else {
            return;
        }
    }
}

void JsonParser::skip_block_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) fail(at_, "the text ends inside this comment");
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
}

JsonParser::Index JsonParser::add_node(JsonKind kind) {
    if (document_.nodes_.size() >= kMaxJsonValues)
        fail(at_, "a file may hold at most " + std::to_string(kMaxJsonValues) + " values",
             ErrorCode::limit);
    Node node;
    node.kind = kind;
    node.offset = begin_ + static_cast<std::uint32_t>(at_);
    document_.nodes_.push_back(node);
    return static_cast<Index>(document_.nodes_.size() - 1);
}

void JsonParser::append_child(Index parent, Index& last, Index child) {
    auto& children = document_.nodes_[parent].content.children;
    if (children.count++ == 0) {
        children.first = child;
    } else {
        document_.nodes_[last].next = child;
    }
    last = child;
}

std::string JsonParser::found() const {
    if (at_end()) return "the end of the text";
    const char c = peek();
    if (is_word(c)) {
        std::size_t end = at_;
        while (end < text_.size() && end < at_ + 40 && is_word(text_[end])) ++end;
        return quoted(text_.substr(at_, end - at_));
    }
    if (c == '"') return "a string";
    if (c > ' ' && c < '\x7F') return quoted(std::string_view(&c, 1));
    char hex[8];
    std::snprintf(hex, sizeof hex, "0x%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    return std::string("byte ") + hex;
}

bool JsonParser::fail(std::size_t at, std::string message, ErrorCode code) {
    if (failed()) return false;
    // A node at the place of the error: the document knows how to name it.
    Node node;
    node.offset = begin_ + static_cast<std::uint32_t>(std::min(at, text_.size()));
    document_.nodes_.push_back(node);
    error_ = Error{code, document_.place(static_cast<Index>(document_.nodes_.size() - 1)),
                   std::move(message)};
    return false;
}

Result<JsonDocument> parse_json(std::string text, std::string name) {
    if (text.size() > kMaxJsonBytes)
        return Error{ErrorCode::limit, std::move(name),
                     "a scene file may hold at most " + std::to_string(kMaxJsonBytes >> 20) +
                         " MiB, got " + std::to_string(text.size() >> 20)};
    JsonDocument document;
    document.sources_.push_back({std::move(name), std::move(text), 0, true});
    JsonParser parser(document);
    parser.parse();
    if (parser.error()) return *parser.error();
    return document;
}

} // namespace rigor
