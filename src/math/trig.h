// Deterministic elementary functions: the same bits on every machine and compiler.
//
// The standard library's differ from one to the next in the last place; ours use only
// + - * / and sqrt, which IEEE 754 fixes. Errors are below 1 ulp where the name says nothing
// else, and tests measure them against the system's in long double.
#pragma once

namespace rigor {

template <class S>
struct SinCos {
    S sin, cos;
};

/// Finite for finite input of any size: large angles are reduced with enough digits of pi.
/// NaN for what is not finite.
template <class S>
SinCos<S> sin_cos(S angle);

template <class S>
S sin(S angle);
template <class S>
S cos(S angle);
template <class S>
S tan(S angle);

/// In (-pi, pi], with the signs of zero as in IEEE 754.
template <class S>
S atan2(S y, S x);
template <class S>
S atan(S x);
/// Arguments a rounding error beyond [-1, 1] are taken as ±1.
template <class S>
S asin(S x);
template <class S>
S acos(S x);

template <class S>
S exp(S x);
/// Natural; NaN below zero, -infinity at zero.
template <class S>
S log(S x);

template <class S>
inline constexpr S kPi = S(3.141592653589793238462643383279502884L);

} // namespace rigor
