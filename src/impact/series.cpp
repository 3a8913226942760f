#include "impact/series.h"

namespace rigor::contact_dynamics {

// Four independent Horner chains, one for every fourth power, for instruction-level parallelism.
Four FourSeries::at(double s) const {
    static_assert(kSeriesOrder % 4 == 0);
    const double square = s * s, fourth = square * square;
    std::array<Term, 4> part{a[kSeriesOrder - 4], a[kSeriesOrder - 3], a[kSeriesOrder - 2],
                             a[kSeriesOrder - 1]};
    for (std::size_t k = kSeriesOrder - 4; k >= 4; k -= 4)
        for (std::size_t i = 0; i < 4; ++i) {
            part[i].first = part[i].first * fourth + a[k - 4 + i].first;
            part[i].second = part[i].second * fourth + a[k - 4 + i].second;
        }
    const auto sum = [&](Pair Term::*of) {
        const Pair even = part[0].*of + part[2].*of * square;
        const Pair odd = part[1].*of + part[3].*of * square;
        return (even + odd * s) * s;
    };
    const Pair first = sum(&Term::first), second = sum(&Term::second);
    return {first[0], first[1], second[0], second[1]};
}

} // namespace rigor::contact_dynamics
