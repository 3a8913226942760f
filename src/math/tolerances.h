// Tolerances shared by several layers. Those of a single algorithm are in its file.
#pragma once

#include <cmath>
#include <limits>

namespace rigor {

/// Machine epsilon, the distance from 1 to the next number: the unit of relative rounding errors.
template <class S>
inline constexpr S kEpsilon = std::numeric_limits<S>::epsilon();

/// Allowed deviation of a given quaternion or axis from unit length: an input within this is
/// normalized, one beyond it is an error.
template <class S>
inline constexpr S kUnitTolerance = S(1e-3);

/// The accumulated rounding error of a few operations on numbers of size `scale`: smaller
/// differences are not significant.
template <class S>
S rounding_error(S scale) {
    return S(8) * kEpsilon<S> * std::abs(scale);
}

} // namespace rigor
