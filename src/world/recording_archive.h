// Binary serialization of values.
//
// Integers take 7 bits a byte, low bits first, signed ones zigzag-encoded (0, -1, 1, -2, ..).
// Doubles are stored without their trailing zero bytes, as most numbers that people write are short
// in binary: a byte with the count of the others, then these, the high byte first. Numbers of 64
// and 16 bits are hashes and keep their size. A struct is its fields: fields(archive, value), one
// function for both directions.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "rigor/shape.h"

namespace rigor {

/// T, or const T when it is written.
template <class Value, class T>
concept IsA = std::same_as<std::remove_const_t<Value>, T>;

class RecordingWriter {
  public:
    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }

    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

  private:
    void put(bool value) { bytes_.push_back(value ? 1 : 0); }
    void put(std::uint8_t value) { bytes_.push_back(value); }
    void put(std::uint16_t value) { put_high_bytes(value, 2, 2); }
    void put(std::uint64_t value) { put_high_bytes(value, 8, 8); }
    void put(std::uint32_t value) {
        for (; value >= 0x80; value >>= 7)
            bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
        bytes_.push_back(static_cast<std::uint8_t>(value));
    }
    void put(std::int32_t value) {
        put((static_cast<std::uint32_t>(value) << 1) ^ static_cast<std::uint32_t>(value >> 31));
    }
    void put(double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const int count = 8 - std::countr_zero(bits) / 8;
        bytes_.push_back(static_cast<std::uint8_t>(count));
        put_high_bytes(bits, count, 8);
    }
    template <class T>
    requires std::is_enum_v<T>
    void put(T value) { bytes_.push_back(static_cast<std::uint8_t>(value)); }
    void put(const std::string& text) {
        put_count(text.size());
        bytes_.insert(bytes_.end(), text.begin(), text.end());
    }
    template <class T>
    void put(const std::optional<T>& value) {
        put(value.has_value());
        if (value) put(*value);
    }
    template <class T>
    void put(const std::vector<T>& values) {
        put_count(values.size());
        for (const T& value : values) put(value);
    }
    template <class T, std::size_t N>
    void put(const std::array<T, N>& values) {
        for (const T& value : values) put(value);
    }
    template <class... T>
    void put(const std::variant<T...>& value) {
        bytes_.push_back(static_cast<std::uint8_t>(value.index()));
        std::visit([this](const auto& alternative) { this->put(alternative); }, value);
    }
    /// A mesh is written at its first use, and by number after that. It is kept alive, so that no
    /// other mesh can reuse its address.
    void put(const std::shared_ptr<const TriangleSoup>& soup) {
        if (!soup) return put(std::uint32_t{0});
        const auto [at, is_new] =
            soups_.try_emplace(soup, static_cast<std::uint32_t>(soups_.size() + 1));
        put(at->second);
        if (is_new) put(*soup);
    }
    template <class T>
    requires std::is_class_v<T>
    void put(const T& value) { fields(*this, value); }

    void put_count(std::size_t count) { put(static_cast<std::uint32_t>(count)); }
    void put_high_bytes(std::uint64_t bits, int count, int of) {
        for (int i = 1; i <= count; ++i)
            bytes_.push_back(static_cast<std::uint8_t>(bits >> (8 * (of - i))));
    }

    std::vector<std::uint8_t> bytes_;
    std::unordered_map<std::shared_ptr<const TriangleSoup>, std::uint32_t> soups_;
};

/// Robust against any bytes: values after the first error are zero or empty, and nothing is
/// allocated for missing values.
class RecordingReader {
  public:
    RecordingReader(const std::uint8_t* begin, const std::uint8_t* end) : at_(begin), end_(end) {}

    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }

    bool failed() const { return failed_; }
    void fail() {
        failed_ = true;
        at_ = end_;
    }
    bool at_end() const { return at_ == end_; }

  private:
    // A nested compound is three structs deeper; a body has at most 64 of them.
    static constexpr int kDeepest = 256;

    std::uint8_t byte() {
        if (at_ == end_) return fail(), std::uint8_t{0};
        return *at_++;
    }
    std::uint8_t byte_below(std::size_t limit) {
        const std::uint8_t value = byte();
        if (value >= limit) return fail(), std::uint8_t{0};
        return value;
    }

    void get(bool& value) { value = byte_below(2) != 0; }
    void get(std::uint8_t& value) { value = byte(); }
    void get(std::uint16_t& value) { value = static_cast<std::uint16_t>(high_bytes(2, 2)); }
    void get(std::uint64_t& value) { value = high_bytes(8, 8); }
    void get(std::uint32_t& value) {
        std::uint64_t sum = 0;
        for (int shift = 0;; shift += 7) {
            const std::uint8_t next = byte();
            sum |= static_cast<std::uint64_t>(next & 0x7f) << shift;
            if (next < 0x80) break;
            if (shift == 28) fail();
        }
        if (sum > UINT32_MAX) fail();
        value = failed_ ? 0 : static_cast<std::uint32_t>(sum);
    }
    void get(std::int32_t& value) {
        std::uint32_t folded = 0;
        get(folded);
        value = static_cast<std::int32_t>((folded >> 1) ^ (0u - (folded & 1u)));
    }
    void get(double& value) { value = std::bit_cast<double>(high_bytes(byte_below(9), 8)); }
    template <class T>
    requires std::is_enum_v<T>
    void get(T& value) { value = static_cast<T>(byte_below(count_of(T{}))); }
    void get(std::string& text) {
        const std::size_t count = get_count();
        text.assign(at_, at_ + count);
        at_ += count;
    }
    template <class T>
    void get(std::optional<T>& value) {
        bool has = false;
        get(has);
        value.reset();
        if (has) get(value.emplace());
    }
    template <class T>
    void get(std::vector<T>& values) {
        values.clear();
        for (std::size_t left = get_count(); left > 0 && !failed_; --left)
            get(values.emplace_back()); // never more than the bytes available
    }
    template <class T, std::size_t N>
    void get(std::array<T, N>& values) {
        for (T& value : values) get(value);
    }
    template <class... T>
    void get(std::variant<T...>& value) {
        get_alternative(byte_below(sizeof...(T)), value, std::index_sequence_for<T...>());
    }
    template <class Variant, std::size_t... I>
    void get_alternative(std::size_t index, Variant& value, std::index_sequence<I...>) {
        ((index == I ? get(value.template emplace<I>()) : void()), ...);
    }
    void get(std::shared_ptr<const TriangleSoup>& soup) {
        std::uint32_t number = 0;
        get(number);
        soup = nullptr;
        if (number == 0) return;
        if (number > soups_.size() + 1) return fail();
        if (number > soups_.size()) {
            TriangleSoup fresh;
            get(fresh);
            soups_.push_back(std::make_shared<const TriangleSoup>(std::move(fresh)));
        }
        soup = soups_[number - 1];
    }
    template <class T>
    requires std::is_class_v<T>
    void get(T& value) {
        if (++depth_ > kDeepest) fail();
        if (!failed_) fields(*this, value);
        --depth_;
    }

    /// Count of elements of at least one byte each.
    std::size_t get_count() {
        std::uint32_t count = 0;
        get(count);
        if (count > static_cast<std::size_t>(end_ - at_)) fail();
        return failed_ ? 0 : count;
    }
    std::uint64_t high_bytes(int count, int of) {
        std::uint64_t bits = 0;
        for (int i = 1; i <= count; ++i)
            bits |= static_cast<std::uint64_t>(byte()) << (8 * (of - i));
        return bits;
    }

    const std::uint8_t* at_;
    const std::uint8_t* end_;
    bool failed_ = false;
    int depth_ = 0;
    std::vector<std::shared_ptr<const TriangleSoup>> soups_;
};

} // namespace rigor
