// 64-bit state hash, to compare two runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace rigor {

/// Feeds words one by one into a 64-bit state. Each step is a bijection of the state for a given
/// word, and of the word for a given state. Therefore when two inputs of equal length differ in
/// exactly one word, their hashes differ for certain and not just probably: one flipped bit changes
/// the hash.
class Hasher {
  public:
    void add(std::uint64_t word) {
        // xor, then the finalizer of splitmix64 (each line invertible).
        std::uint64_t h = state_ ^ word;
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
        h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
        state_ = (h ^ (h >> 31)) + 0x9e3779b97f4a7c15u;
    }

    void add_bytes(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        for (; size >= 8; bytes += 8, size -= 8) {
            std::uint64_t word;
            std::memcpy(&word, bytes, 8);
            add(word);
        }
        if (size > 0) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes, size);
            add(word);
        }
    }

    /// The bytes of a value. T must have no padding: its bytes must be its value.
    template <class T>
    void add_value(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        add_bytes(&value, sizeof(T));
    }

    std::uint64_t value() const { return state_; }

  private:
    std::uint64_t state_ = 0x243f6a8885a308d3u;
};

} // namespace rigor
