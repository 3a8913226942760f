// Random numbers that are the same on every machine (splitmix64).
#pragma once

#include <cstdint>

namespace rigor {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    /// In [0, 1).
    double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  private:
    std::uint64_t state_;
};

/// The seed of piece number `piece` of something with this seed.
inline std::uint64_t seed_of_piece(std::uint64_t seed, std::uint64_t piece) {
    return Random(seed ^ Random(piece + 1).bits()).bits();
}

} // namespace rigor
