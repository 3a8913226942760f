#include "bench/scenes/random.h"

#include "rigor/rotation.h"

namespace rigor::bench {

Random::Random(std::uint64_t seed) {
    constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15; // 2^64 over the golden ratio
    constexpr int kWarmUp = 20; // small seeds differ in few bits, and so do their first draws
    state_ = seed == 0 ? ~kGolden : seed * kGolden; // zero would stay zero
    for (int i = 0; i < kWarmUp; ++i) bits();
}

std::uint64_t Random::bits() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
}

Vec3d Random::cube() {
    const double x = uniform(-1, 1), up = uniform(-1, 1), back = uniform(-1, 1);
    return {x, up, back};
}

Quatd Random::rotation(double max_angle) {
    const double angle = uniform(0, max_angle);
    return from_axis_angle(normalize(z_up(cube())), angle);
}

} // namespace rigor::bench
