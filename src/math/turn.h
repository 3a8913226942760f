// The small turn of one step, inline.
#pragma once

#include "math/trig.h"
#include "rigor/rotation.h"

namespace rigor {

/// The largest h² = |v|²/4 that small_turn is good for.
inline constexpr double kSmallTurn = 0.6;

/// The exponential map of a small rotation vector v, given h² = |v|²/4:
///
///     q = (cos h, v/2 · sin h / h) .
///
/// Both factors are series in h², so there is neither a root nor a division, and it is smooth
/// at zero.
template <class S>
Quat<S> small_turn(const Vec3<S>& v, double z) {
    const double sine_over_h = 1 + z * (detail::kSin1 + z * detail::sin_rest(z));
    const double cosine = 1 - (0.5 * z - z * z * detail::cos_tail(z));
    return Quat<S>::from_parts(static_cast<S>(cosine), v * static_cast<S>(0.5 * sine_over_h));
}

/// from_rotation_vector(v), to the same bits, with the case of a small turn inline.
inline Quatd turn_by(const Vec3d& v) {
    const double z = length_squared(v) / 4;
    return z <= kSmallTurn ? small_turn(v, z) : from_rotation_vector(v);
}

} // namespace rigor
