#include "geometry/rounded_moments.h"

namespace rigor {

Moments solid_at(const RoundedMoments& moments, double r) {
    Moments sum = moments.power[5];
    for (int k = 4; k >= 0; --k) sum = sum * r + moments.power[static_cast<std::size_t>(k)];
    return sum;
}

Moments shell_at(const RoundedMoments& moments, double r) {
    Moments sum = moments.power[5] * 5;
    for (int k = 4; k >= 1; --k) sum = sum * r + moments.power[static_cast<std::size_t>(k)] * k;
    return sum;
}

} // namespace rigor
