// Random numbers of the scenes: the same on every machine.
#pragma once

#include <cstdint>

#include "rigor/quat.h"

namespace rigor::bench {

/// xorshift64 with the shifts 13, 7, 17 [Marsaglia 2003].
class Random {
  public:
    explicit Random(std::uint64_t seed);

    /// In [0, 1), in steps of 2^-24: exact also for engines that compute in float.
    double unit() { return static_cast<double>(bits() >> 40) * 0x1p-24; }
    double uniform(double lo, double hi) { return lo + (hi - lo) * unit(); }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(bits() >> 32) % n; }
    /// In a cube from -1 to 1.
    Vec3d cube();
    /// About some axis, by less than max_angle.
    Quatd rotation(double max_angle);

  private:
    std::uint64_t bits();

    std::uint64_t state_;
};

/// Random vectors have y up, in the order x, up, back; scenes have z up.
inline Vec3d z_up(const Vec3d& y_up) {
    return {y_up.x, -y_up.z, y_up.y};
}

} // namespace rigor::bench
