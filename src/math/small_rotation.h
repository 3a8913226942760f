// Quaternion of a small rotation in one step, without a root or a division.
#pragma once

#include "math/trig.h"
#include "rigor/rotation.h"

namespace rigor {

/// The largest h² = |v|²/4 for which small_rotation is accurate.
inline constexpr double kSmallRotation = 0.6;

/// The exponential map of a small rotation vector v, given h² = |v|²/4:
///
///     q = (cos h, v/2 · sin h / h) .
///
/// Both factors are series in h², so there is neither a square root nor a division, and it is
/// smooth at zero.
///
/// The series are evaluated in T: double for float and double alike, or lanes of doubles.
template <class S, class T>
Quat<S> small_rotation(const Vec3<S>& v, T z) {
    const T sine_over_h = 1.0 + z * (detail::kSin1 + z * detail::sin_rest(z));
    const T cosine = 1.0 - (0.5 * z - z * z * detail::cos_tail(z));
    return Quat<S>::from_parts(static_cast<S>(cosine), v * static_cast<S>(0.5 * sine_over_h));
}

} // namespace rigor
