// Double-double arithmetic: an unevaluated sum hi + lo with |lo| <= ulp(hi)/2, some 106 bits, for
// the few places where the rounding of one double would be visible. [Dekker 1971]
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace rigor {

struct DoubleDouble {
    double hi = 0, lo = 0;
};

inline constexpr DoubleDouble kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/// a + b exactly, when |a| >= |b| or a = 0.
inline DoubleDouble fast_two_sum(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
}

/// a + b exactly.
inline DoubleDouble two_sum(double a, double b) {
    const double sum = a + b, b_part = sum - a;
    return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// The upper 26 bits of x: products of two such are exact.
inline double upper_half(double x) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0xffff'ffff'f800'0000u);
}

/// a b exactly (to 2^-106), unless something underflows.
inline DoubleDouble two_product(double a, double b) {
    const double product = a * b;
    const double a1 = upper_half(a), a2 = a - a1, b1 = upper_half(b), b2 = b - b1;
    return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

inline DoubleDouble operator-(const DoubleDouble& a) {
    return {-a.hi, -a.lo};
}

inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
    const DoubleDouble sum = two_sum(a.hi, b.hi);
    return fast_two_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
    const DoubleDouble product = two_product(a.hi, b.hi);
    return fast_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

/// The quotient of the leading parts, corrected by its exact remainder.
inline DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
    const double q = a.hi / b.hi;
    const DoubleDouble qb = two_product(q, b.hi);
    return fast_two_sum(q, (((a.hi - qb.hi) - qb.lo) + (a.lo - q * b.lo)) / b.hi);
}

/// One Newton step from the root of the leading part; a > 0.
inline DoubleDouble sqrt(const DoubleDouble& a) {
    const double root = std::sqrt(a.hi);
    const DoubleDouble square = two_product(root, root);
    return fast_two_sum(root, (((a.hi - square.hi) - square.lo) + a.lo) / (2 * root));
}

} // namespace rigor
