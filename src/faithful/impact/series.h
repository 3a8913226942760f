// Power series cut off at a fixed order.
#pragma once

#include <array>

#include "faithful/impact/unroll.h"

namespace rigor::faithful {

inline constexpr std::size_t kSeriesOrder = 20;

/// a[0] + a[1] s + ... + a[20] s²⁰.
using Series = std::array<double, kSeriesOrder + 1>;

/// Even and odd powers apart: two chains of half the length.
inline double value(const Series& a, double s) {
    static_assert(kSeriesOrder % 2 == 0);
    const double square = s * s;
    double even = a[kSeriesOrder], odd = a[kSeriesOrder - 1];
    for (std::size_t k = kSeriesOrder - 2; k >= 2; k -= 2) {
        even = even * square + a[k];
        odd = odd * square + a[k - 1];
    }
    return even * square + a[0] + odd * s;
}

/// From 0 on.
inline Series integral(const Series& a) {
    Series integral;
    integral[0] = 0;
    unroll<kSeriesOrder>([&](auto k) {
        constexpr double part = 1.0 / static_cast<double>(k + 1);
        integral[k + 1] = part * a[k];
    });
    return integral;
}

/// Of the product, from 0 on.
inline Series integral_of_product(const Series& a, const Series& b) {
    Series integral;
    integral[0] = 0;
    unroll<kSeriesOrder>([&](auto k) {
        constexpr double part = 1.0 / static_cast<double>(k + 1);
        double sum = 0;
        unroll<k + 1>([&](auto i) { sum += a[i] * b[k - i]; });
        integral[k + 1] = part * sum;
    });
    return integral;
}

} // namespace rigor::faithful
