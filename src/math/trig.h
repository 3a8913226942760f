// Deterministic elementary functions: the same bits on every machine and compiler.
//
// The standard libraries differ in the last place; these use only + - * / and sqrt, which IEEE 754
// fixes. Errors are below 1 ulp unless noted, and tests measure them against the system's functions
// in long double. The float functions are the double ones rounded once.
#pragma once

#include <cmath>

namespace rigor {

template <class S>
struct SinCos {
    S sin, cos;
};

/// Finite for finite input of any size: large angles are reduced with enough digits of pi. NaN for
/// non-finite input. Angles within ±pi/4 are computed inline.
template <class S>
SinCos<S> sin_cos(S angle);

template <class S>
S sin(S angle);
template <class S>
S cos(S angle);
template <class S>
S tan(S angle);

/// The angle of the point (x, y), in [-pi, pi], with the signs of zero as in IEEE 754.
template <class S>
S atan2(S y, S x);
template <class S>
S atan(S x);
/// Arguments a few rounding errors outside [-1, 1] are taken as ±1, others give NaN.
template <class S>
S asin(S x);
template <class S>
S acos(S x);

template <class S>
S exp(S x);
/// Natural logarithm; NaN below zero, -infinity at zero.
template <class S>
S log(S x);

template <class S>
inline constexpr S kPi = S(3.141592653589793238462643383279502884L);

namespace detail {

/// Minimax polynomials on [-pi/4, pi/4], coefficients of [fdlibm], arranged in two chains for
/// instruction-level parallelism:
///     sin x = x + x³ sin_tail(x²),   cos x = 1 - x²/2 + x⁴ cos_tail(x²)
/// The first term of sin_tail is kept apart (kSin1): the rounding of x³·rest is then small.
/// T is double, or lanes of doubles.
inline constexpr double kSin1 = -1.66666666666666324348e-01;

template <class T>
T sin_rest(T z) {
    return (8.33333333332248946124e-03 +
            z * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06)) +
           (z * (z * z)) * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10);
}

template <class T>
T cos_tail(T z) {
    const T w = z * z;
    return (4.16666666666666019037e-02 +
            z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05)) +
           (z * w) * (-2.75573143513906633035e-07 +
                      z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
}

/// |x| <= pi/4. The sine of -0 comes out as +0.
template <class T>
SinCos<T> sin_cos_small(T x) {
    const T z = x * x;
    const T sine = x + (z * x) * (kSin1 + z * sin_rest(z));
    // The rounding error of 1 - z/2 is exactly (1 - w) - z/2, and is added back.
    const T half = 0.5 * z, w = 1.0 - half;
    const T cosine = w + (((1.0 - w) - half) + (z * z) * cos_tail(z));
    return {sine, cosine};
}

SinCos<double> sin_cos_reduced(double angle);

} // namespace detail

template <>
inline SinCos<double> sin_cos(double angle) {
    if (std::abs(angle) <= kPi<double> / 4) {
        const SinCos<double> small = detail::sin_cos_small(angle);
        return {std::copysign(small.sin, angle), small.cos};
    }
    return detail::sin_cos_reduced(angle);
}

template <>
inline SinCos<float> sin_cos(float angle) {
    const SinCos<double> exact = sin_cos(static_cast<double>(angle));
    return {static_cast<float>(exact.sin), static_cast<float>(exact.cos)};
}

} // namespace rigor
