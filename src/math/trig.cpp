// Elementary functions from + - * / and sqrt. The polynomials are the minimax ones of [fdlibm]; the
// arithmetic around them carries a second double where one would lose digits.
#include "math/trig.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "math/double_double.h"

namespace rigor {
namespace {

static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<float>::is_iec559);

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr DoubleDouble kPiPair{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;

// 2^n for -1022 <= n <= 1023.
double power_of_two(int n) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + n) << 52);
}

// The nearest integer to |x| < 2^51: adding 1.5·2^52 leaves no bits for a fraction.
double nearest_integer(double x) {
    constexpr double kShift = 0x1.8p52;
    return (x + kShift) - kShift;
}

// Reduction of an angle: angle = quadrant·pi/2 + rest, |rest| <= pi/4 (a rounding error more
// is harmless), the rest as a pair.

struct Reduced {
    int quadrant; // modulo 4
    DoubleDouble rest;
};

// A 192-bit integer in limbs of 32 bits, the least significant first.
using Limbs = std::array<std::uint64_t, 6>;

// 192 bits of 2/pi, from the bit `first` after the binary point on; first >= -64.
Limbs bits_of_two_over_pi(int first) {
    static constexpr std::array<std::uint32_t, 40> kBits = {
        // The 64 zeros are bits before the binary point.
        0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
        0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
        0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639,
        0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
        0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7,
        0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};
    const unsigned start = static_cast<unsigned>(first + 64), shift = start % 32;
    Limbs limbs{};
    for (unsigned k = 0; k < limbs.size(); ++k) {
        const unsigned word = start / 32 + k;
        const std::uint64_t two_words = (std::uint64_t{kBits[word]} << 32) | kBits[word + 1];
        limbs[limbs.size() - 1 - k] = (two_words >> (32 - shift)) & 0xffff'ffffu;
    }
    return limbs;
}

// m a, modulo 2^192.
Limbs multiply(std::uint64_t m, const Limbs& a) {
    const std::uint64_t factors[2] = {m & 0xffff'ffffu, m >> 32};
    Limbs product{};
    for (unsigned f = 0; f < 2; ++f) {
        std::uint64_t carry = 0;
        for (unsigned k = f; k < a.size(); ++k) {
            const std::uint64_t t = product[k] + factors[f] * a[k - f] + carry;
            product[k] = t & 0xffff'ffffu;
            carry = t >> 32;
        }
    }
    return product;
}

// The fraction (upper·2^64 + lower) / 2^128, upper not zero, to 106 bits.
DoubleDouble to_pair(std::uint64_t upper, std::uint64_t lower) {
    const int zeros = std::countl_zero(upper | 1u);
    if (zeros > 0) {
        upper = (upper << zeros) | (lower >> (64 - zeros));
        lower <<= zeros;
    }
    const std::uint64_t next = (upper << 53) | (lower >> 11);
    const double scale = power_of_two(-53 - zeros);
    return {static_cast<double>(upper >> 11) * scale,
            static_cast<double>(next >> 11) * (scale * 0x1p-53)};
}

// [Payne 1983] in integers: |angle| = m·2^e. The bits of 2/pi whose product with it is a multiple
// of four quadrants are skipped. The 192 bits that follow give the fraction of a quadrant with an
// error below 2^-128, while no double is closer than 2^-61 to a multiple of pi/2.
Reduced reduce_exactly(double angle) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(std::abs(angle));
    const int e = static_cast<int>(bits >> 52) - 1075;
    const std::uint64_t m = (bits & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52);
    const Limbs product = multiply(m, bits_of_two_over_pi(e - 2));

    // Two bits of quadrant, then the fraction; above one half its complement is used.
    int quadrant = static_cast<int>(product[5] >> 30);
    std::uint64_t upper = (product[5] << 34) | (product[4] << 2) | (product[3] >> 30);
    std::uint64_t lower = (product[3] << 34) | (product[2] << 2) | (product[1] >> 30);
    const bool round_up = (upper >> 63) != 0;
    if (round_up) {
        ++quadrant;
        upper = ~upper;
        lower = ~lower;
    }
    const DoubleDouble rest = to_pair(upper, lower) * kHalfPi;
    const bool negative = round_up != (angle < 0);
    return {(angle < 0 ? -quadrant : quadrant) & 3, negative ? -rest : rest};
}

// [Cody 1980]: pi/2 in three parts, the first two of 33 bits, so that n times each is exact for n <
// 2^20 and the rest has an error below 2^-98. Where cancellation makes this error large relative to
// the rest, and for larger angles, the exact reduction is used.
Reduced reduce(double angle) {
    if (!(std::abs(angle) < 0x1p20)) return reduce_exactly(angle);
    const double n = nearest_integer(angle * kTwoOverPi);
    const DoubleDouble head = two_sum(angle - n * 0x1.921fb544p+0, -(n * 0x1.0b4611a6p-34));
    const DoubleDouble rest = fast_two_sum(head.hi, head.lo - n * 0x1.3198a2e037073p-69);
    if (std::abs(rest.hi) < 0x1p-24) return reduce_exactly(angle);
    return {static_cast<int>(n) & 3, rest};
}

// Sine and cosine of x = hi + lo, |x| <= pi/4, as pairs: the correction to the leading term is so
// small that its rounding is negligible.

DoubleDouble sin_pair(const DoubleDouble& x) {
    const double z = x.hi * x.hi, cube = z * x.hi;
    const double rest = z * (cube * detail::sin_rest(z) - 0.5 * x.lo) + x.lo;
    return fast_two_sum(x.hi, rest + cube * detail::kSin1);
}

DoubleDouble cos_pair(const DoubleDouble& x) {
    const DoubleDouble square = two_product(x.hi, x.hi);
    const double z = square.hi, half = 0.5 * z, w = 1 - half;
    const double lost = ((1 - w) - half) - 0.5 * square.lo;
    return fast_two_sum(w, lost + ((z * z) * detail::cos_tail(z) - x.hi * x.lo));
}

double tan_double(double angle) {
    if (!std::isfinite(angle)) return kNan;
    if (std::abs(angle) < 0x1p-27) return angle;
    const bool small = std::abs(angle) <= kPi<double> / 4;
    const Reduced x = small ? Reduced{0, {angle, 0}} : reduce(angle);
    const DoubleDouble s = sin_pair(x.rest), c = cos_pair(x.rest);
    return x.quadrant % 2 == 0 ? (s / c).hi : -(c / s).hi;
}

// Inverse functions.

// atan t - t for |t| <= 7/16, over -t, as a polynomial in z = t².
double atan_tail(double z) {
    const double w = z * z;
    const double odd =
        3.33333333333329318027e-01 +
        w * (1.42857142725034663711e-01 +
             w * (9.09088713343650656196e-02 +
                  w * (6.66107313738753120669e-02 +
                       w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02))));
    const double even =
        -1.99999999998764832476e-01 +
        w * (-1.11111104054623557880e-01 +
             w * (-7.69187620504482999495e-02 +
                  w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02)));
    return z * odd + w * even;
}

// base + atan(num / den) for |num / den| <= 7/16. The remainder of the division is propagated
// through the derivative of atan, 1/(1 + t²) ≈ 1 - t².
DoubleDouble atan_sum(const DoubleDouble& base, double num, double den) {
    const DoubleDouble t = DoubleDouble{num, 0} / DoubleDouble{den, 0};
    const double z = t.hi * t.hi;
    const DoubleDouble lead = two_sum(base.hi, t.hi);
    return fast_two_sum(lead.hi, lead.lo + (base.lo + (t.lo * (1 - z) - t.hi * atan_tail(z))));
}

// atan(y / x) for y, x >= 0, finite, not both zero: the addition theorem with the tangent c
// nearest to y / x,
//     atan(y/x) = atan c + atan((y - c x) / (x + c y)),
// where y - c x is exact or nearly so because the two are close.
DoubleDouble atan_ratio(double y, double x) {
    if (x > y * 0x1p60) return {y / x, 0};
    if (y > x * 0x1p60) return fast_two_sum(kHalfPi.hi, kHalfPi.lo - x / y);
    // Scaled away from overflow and underflow of the products that split a division's remainder.
    const double largest = std::max(x, y);
    const double scale = largest > 0x1p500 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p600 : 1;
    y *= scale;
    x *= scale;
    if (y < 0.4375 * x) return atan_sum({0, 0}, y, x);
    if (y < 0.6875 * x)
        return atan_sum({0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56}, y - 0.5 * x, x + 0.5 * y);
    if (y < 1.1875 * x)
        return atan_sum({0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}, y - x, x + y);
    if (y < 2.4375 * x)
        return atan_sum({0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56}, (y - x) - 0.5 * x,
                        x + 1.5 * y);
    return atan_sum(kHalfPi, -x, y);
}

double atan_double(double x) {
    if (std::isnan(x)) return x;
    if (std::isinf(x)) return std::copysign(kHalfPi.hi, x);
    return std::copysign(atan_ratio(std::abs(x), 1).hi, x);
}

double atan2_double(double y, double x) {
    if (std::isnan(x) || std::isnan(y)) return kNan;
    double a = std::abs(y), b = std::abs(x);
    // Infinities and zeros are directions.
    if (std::isinf(a) || std::isinf(b)) {
        a = std::isinf(a) ? 1 : 0;
        b = std::isinf(b) ? 1 : 0;
    }
    if (a == 0 && b == 0) b = 1;
    const DoubleDouble angle = atan_ratio(a, b);
    if (!std::signbit(x)) return std::copysign(angle.hi, y);
    const DoubleDouble lead = fast_two_sum(kPiPair.hi, -angle.hi);
    return std::copysign(lead.hi + (lead.lo + (kPiPair.lo - angle.lo)), y);
}

// (asin x - x) / x as a rational function of z = x² <= 1/4.
double asin_tail(double z) {
    const double p =
        z * (1.66666666666666657415e-01 +
             z * (-3.25565818622400915405e-01 +
                  z * (2.01212532134862925881e-01 +
                       z * (-4.00555345006794114027e-02 +
                            z * (7.91534994289814532176e-04 + z * 3.47933107596021167570e-05)))));
    const double q =
        1 + z * (-2.40339491173441421878e+00 +
                 z * (2.02094576023350569471e+00 +
                      z * (-6.88283971605453293030e-01 + z * 7.70381505559019352791e-02)));
    return p / q;
}

// acos x = 2 asin sqrt((1 - x) / 2) for 1/2 <= x < 1; the root as a pair, since its rounding error
// would become that of the result.
DoubleDouble acos_pair(double x) {
    const double z = (1 - x) * 0.5, root = std::sqrt(z), head = upper_half(root);
    const double rest = (z - head * head) / (root + head);
    return fast_two_sum(2 * head, 2 * (rest + root * asin_tail(z)));
}

// base - x for a pair x not larger than the base.
double subtract(const DoubleDouble& base, const DoubleDouble& x) {
    const DoubleDouble lead = fast_two_sum(base.hi, -x.hi);
    return lead.hi + (lead.lo + (base.lo - x.lo));
}

double asin_double(double x) {
    const double a = std::abs(x);
    if (a == 1) return x * kHalfPi.hi;
    if (!(a < 1)) return kNan;
    if (a < 0.5) return std::copysign(a + a * asin_tail(a * a), x);
    return std::copysign(subtract(kHalfPi, acos_pair(a)), x);
}

double acos_double(double x) {
    const double a = std::abs(x);
    if (a == 1) return x > 0 ? 0 : kPiPair.hi;
    if (!(a < 1)) return kNan;
    if (a < 0.5) return subtract(kHalfPi, {x, x * asin_tail(x * x)});
    const DoubleDouble angle = acos_pair(a);
    return x > 0 ? angle.hi : subtract(kPiPair, angle);
}

// Exponential and logarithm.

constexpr double kLn2Hi = 0x1.62e42feep-1; // 32 bits: n·kLn2Hi is exact
constexpr double kLn2Lo = 0x1.a39ef35793c76p-33;

// exp x = 2^k exp r, |r| <= ln 2 / 2, and
//     exp r = 1 + 2r / (R - r) = 1 + r + r c/(2 - c),   c = r - (R - 2),   R = r coth(r/2).
double exp_double(double x) {
    if (std::isnan(x)) return x;
    if (x > 709.782712893384) return kInfinity;
    if (x < -745.1332191019412) return 0;
    const double k = nearest_integer(x * 1.44269504088896338700e+00);
    const double hi = x - k * kLn2Hi, lo = k * kLn2Lo, r = hi - lo, z = r * r;
    const double c =
        r - z * (1.66666666666666019037e-01 +
                 z * (-2.77777777770155933842e-03 +
                      z * (6.61375632143793436117e-05 +
                           z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08))));
    const double y = 1 - ((lo - (r * c) / (2 - c)) - hi);
    // In two factors, of which only the second can round (a subnormal result).
    const int n = static_cast<int>(k), half = n / 2;
    return y * power_of_two(half) * power_of_two(n - half);
}

// x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt 2], s = f / (2 + f):
//     log(1 + f) = 2 atanh s = f - (f²/2 - s (f²/2 + R(s²))).
double log_double(double x) {
    if (std::isnan(x) || x < 0) return kNan;
    if (x == 0) return -kInfinity;
    if (std::isinf(x)) return x;
    int k = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        k = -54;
    }
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x),
                        mantissa = bits & 0x000f'ffff'ffff'ffffu;
    const bool upper = mantissa >= 0x0006'a09e'667f'3bcdu; // sqrt 2
    k += static_cast<int>(bits >> 52) - 1023 + (upper ? 1 : 0);
    const double f = std::bit_cast<double>(
                         mantissa | (upper ? 0x3fe0'0000'0000'0000u : 0x3ff0'0000'0000'0000u)) -
                     1;
    const double s = f / (2 + f), z = s * s, w = z * z, half_square = 0.5 * f * f;
    const double odd = w * (3.999999999940941908e-01 +
                            w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    const double even = z * (6.666666666666735130e-01 +
                             w * (2.857142874366239149e-01 +
                                  w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    const double n = k;
    return n * kLn2Hi - ((half_square - (s * (half_square + (odd + even)) + n * kLn2Lo)) - f);
}

template <class S>
S clamp_to_unit(S x) {
    constexpr S kSlack = S(1) + S(8) * std::numeric_limits<S>::epsilon();
    return std::abs(x) > S(1) && std::abs(x) <= kSlack ? std::copysign(S(1), x) : x;
}

} // namespace

SinCos<double> detail::sin_cos_reduced(double angle) {
    if (!std::isfinite(angle)) return {kNan, kNan};
    const Reduced x = reduce(angle);
    const double s = sin_pair(x.rest).hi, c = cos_pair(x.rest).hi;
    switch (x.quadrant) {
        case 0:
            return {s, c};
        case 1:
            return {c, -s};
        case 2:
            return {-s, -c};
        default:
            return {-c, s};
    }
}

template <class S>
S sin(S angle) {
    return sin_cos(angle).sin;
}

template <class S>
S cos(S angle) {
    return sin_cos(angle).cos;
}

template <class S>
S tan(S angle) {
    return static_cast<S>(tan_double(double(angle)));
}

template <class S>
S atan2(S y, S x) {
    return static_cast<S>(atan2_double(double(y), double(x)));
}

template <class S>
S atan(S x) {
    return static_cast<S>(atan_double(double(x)));
}

template <class S>
S asin(S x) {
    return static_cast<S>(asin_double(double(clamp_to_unit(x))));
}

template <class S>
S acos(S x) {
    return static_cast<S>(acos_double(double(clamp_to_unit(x))));
}

template <class S>
S exp(S x) {
    return static_cast<S>(exp_double(double(x)));
}

template <class S>
S log(S x) {
    return static_cast<S>(log_double(double(x)));
}

#define RIGOR_INSTANTIATE(S) \
    template S sin(S);       \
    template S cos(S);       \
    template S tan(S);       \
    template S atan2(S, S);  \
    template S atan(S);      \
    template S asin(S);      \
    template S acos(S);      \
    template S exp(S);       \
    template S log(S);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
