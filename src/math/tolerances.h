// Tolerances that several layers share. What belongs to one algorithm stays beside it.
#pragma once

#include <cmath>
#include <limits>

namespace rigor {

/// The distance from 1 to the next number: the unit of all relative rounding errors.
template <class S>
inline constexpr S kEpsilon = std::numeric_limits<S>::epsilon();

/// How far the length of a given quaternion or axis may be from 1: an input within this is
/// normalized, one beyond it is a mistake.
template <class S>
inline constexpr S kUnitTolerance = S(1e-3);

/// What a handful of roundings may add up to in a number of the size of `scale`: differences
/// below this mean nothing.
template <class S>
S rounding_error(S scale) {
    return S(8) * kEpsilon<S> * std::abs(scale);
}

} // namespace rigor
