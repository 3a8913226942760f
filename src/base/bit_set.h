// Bit set: a set of small integers, one bit each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace rigor {

/// Grows as needed. Members are visited in ascending order, which makes "flag in parallel, apply
/// serially by id" deterministic.
class BitSet {
  public:
    void resize(std::size_t bits) { words_.resize((bits + 63) / 64); }

    void set(std::size_t i) {
        if (i / 64 >= words_.size()) resize(i + 1);
        words_[i / 64] |= bit(i);
    }
    void clear(std::size_t i) {
        if (i / 64 < words_.size()) words_[i / 64] &= ~bit(i);
    }
    bool test(std::size_t i) const {
        return i / 64 < words_.size() && (words_[i / 64] & bit(i)) != 0;
    }
    void clear_all() { std::fill(words_.begin(), words_.end(), 0); }

    /// Adds all members of `other`: merges the flags of several workers.
    BitSet& operator|=(const BitSet& other) {
        if (other.words_.size() > words_.size()) words_.resize(other.words_.size());
        for (std::size_t w = 0; w < other.words_.size(); ++w) words_[w] |= other.words_[w];
        return *this;
    }

    std::size_t count() const {
        std::size_t n = 0;
        for (const std::uint64_t w : words_) n += static_cast<std::size_t>(std::popcount(w));
        return n;
    }

    template <class F>
    void for_each(F&& f) const {
        for (std::size_t w = 0; w < words_.size(); ++w) {
            for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1) {
                f(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
            }
        }
    }

    std::size_t memory_bytes() const { return words_.capacity() * sizeof(std::uint64_t); }

  private:
    static std::uint64_t bit(std::size_t i) { return std::uint64_t(1) << (i % 64); }

    std::vector<std::uint64_t> words_;
};

} // namespace rigor
