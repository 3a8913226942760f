#include "broadphase/proxy.h"

#include <algorithm>
#include <bit>

namespace rigor {
namespace {

// The next float toward minus infinity: std::nextafter for finite f, at a tenth of its time.
float below(float f) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
    if (f == 0) return -std::numeric_limits<float>::denorm_min();
    return std::bit_cast<float>(f > 0 ? bits - 1 : bits + 1);
}

float round_down(double x) {
    constexpr double limit = static_cast<double>(kFarthest);
    if (!(x > -limit)) return -kFarthest; // also NaN
    if (x >= limit) return kFarthest;
    const float f = static_cast<float>(x);
    return static_cast<double>(f) <= x ? f : below(f);
}

Vec3f round_down(const Vec3d& v) {
    return {round_down(v.x), round_down(v.y), round_down(v.z)};
}

} // namespace

Aabbf round_outward(const Aabb<double>& box) {
    return {round_down(box.lo), -round_down(-box.hi)};
}

// Counting sort by a, then a sort of each short run by b. Below one pair per eight ids counting
// costs more than it saves.
void sort_pairs(std::vector<ProxyPair>& pairs) {
    std::uint32_t largest = 0;
    for (const ProxyPair& pair : pairs) largest = std::max(largest, pair.a.value());
    if (pairs.size() < 64 || pairs.size() < largest / 8) {
        std::sort(pairs.begin(), pairs.end());
        return;
    }
    std::vector<std::uint32_t> end(largest + 1, 0); // of the run of each a
    for (const ProxyPair& pair : pairs) ++end[pair.a.value()];
    std::uint32_t sum = 0;
    for (std::uint32_t& e : end) e = sum += e;

    std::vector<ProxyPair> sorted(pairs.size());
    for (const ProxyPair& pair : pairs) sorted[--end[pair.a.value()]] = pair;
    const auto at = [&](std::size_t i) { return sorted.begin() + static_cast<std::ptrdiff_t>(i); };
    for (std::size_t i = 0; i <= largest; ++i) { // end has become the begin of each run
        const std::size_t next = i < largest ? end[i + 1] : sorted.size();
        if (next - end[i] > 1) std::sort(at(end[i]), at(next));
    }
    pairs.swap(sorted);
}

} // namespace rigor
