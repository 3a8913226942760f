// Truncated power series: four of the same order, evaluated together.
#pragma once

#include <array>
#include <cstddef>

namespace rigor::contact_dynamics {

inline constexpr std::size_t kSeriesOrder = 20;

/// Two numbers in one register.
using Pair = double __attribute__((vector_size(16)));
using Four = std::array<double, 4>;

/// a[0] s + a[1] s² + ... + a[19] s²⁰, each of the four.
struct FourSeries {
    struct Term {
        Pair first, second;
    };
    std::array<Term, kSeriesOrder> a;

    Four at(double s) const;
};

} // namespace rigor::contact_dynamics
