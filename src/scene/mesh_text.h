// Lines, words and numbers of the text formats of meshes.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "rigor/result.h"
#include "rigor/vec.h"

namespace rigor {

/// "file.obj:12"
inline std::string at_line(std::string_view name, std::size_t line) {
    return std::string(name) + ":" + std::to_string(line);
}

/// "file.stl, byte 84"
inline std::string at_byte(std::string_view name, std::size_t byte) {
    return std::string(name) + ", byte " + std::to_string(byte);
}

/// A piece of a file as it may be shown: short, and printable.
inline std::string shown(std::string_view word) {
    constexpr std::size_t kLongest = 32;
    std::string text(word.substr(0, kLongest));
    for (char& c : text) {
        if (c < ' ' || c > '~') c = '?';
    }
    return word.size() > kLongest ? text + "..." : text;
}

inline std::string quoted_word(std::string_view word) {
    return '"' + shown(word) + '"';
}

/// Takes a text apart into lines, without their ends, and counts them from 1.
class LineReader {
  public:
    explicit LineReader(std::string_view text) : rest_(text) {}

    bool next(std::string_view& line) {
        if (rest_.empty()) return false;
        const std::size_t end = rest_.find('\n');
        line = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        ++number_;
        return true;
    }

    std::size_t number() const { return number_; }
    std::string_view rest() const { return rest_; }

  private:
    std::string_view rest_;
    std::size_t number_ = 0;
};

/// Takes a line apart into words; the empty word ends it.
class WordReader {
  public:
    explicit WordReader(std::string_view line) : rest_(line) {}

    std::string_view next() {
        constexpr std::string_view kBlank = " \t\r\v\f";
        const std::size_t begin = rest_.find_first_not_of(kBlank);
        if (begin == std::string_view::npos) return {};
        rest_.remove_prefix(begin);
        const std::string_view word = rest_.substr(0, rest_.find_first_of(kBlank));
        rest_.remove_prefix(word.size());
        return word;
    }

  private:
    std::string_view rest_;
};

/// The number a word stands for, to the last bit and in any locale; nothing when it is none.
/// Too large a number is infinite, too small a one 0.
inline std::optional<double> parse_number(std::string_view word) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size() || error == std::errc::invalid_argument) return {};
    if (error == std::errc::result_out_of_range) {
        const bool tiny = word.find("e-") != word.npos || word.find("E-") != word.npos;
        return tiny ? 0 : std::numeric_limits<double>::infinity();
    }
    return value;
}

template <class Integer>
std::optional<Integer> parse_integer(std::string_view word) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    Integer value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size() || error != std::errc()) return {};
    return value;
}

/// The next three words as a position; why not, when they are none.
inline std::optional<std::string> parse_position(WordReader& words, Vec3d& position) {
    for (int i = 0; i < 3; ++i) {
        const std::string_view word = words.next();
        if (word.empty()) return "a vertex needs three coordinates, got " + std::to_string(i);
        const std::optional<double> value = parse_number(word);
        if (!value) return "expected a number, got " + quoted_word(word);
        if (!std::isfinite(*value)) return "coordinates must be finite, got " + shown(word);
        position[i] = *value;
    }
    return {};
}

} // namespace rigor
