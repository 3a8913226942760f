// The small turn of one step, inline.
#pragma once

#include "math/trig.h"
#include "rigor/rotation.h"

namespace rigor {

/// from_rotation_vector(v), to the same bits, with the case of a small turn inline:
///
///     q = (cos h, v/2 · sin h / h),   h = |v|/2 .
///
/// Both factors are series in h², so there is neither a root nor a division, and it is smooth
/// at zero.
inline Quatd turn_by(const Vec3d& v) {
    const double z = length_squared(v) / 4;
    if (!(z <= 0.6)) return from_rotation_vector(v);
    const double sine_over_h = 1 + z * (detail::kSin1 + z * detail::sin_rest(z));
    const double cosine = 1 - (0.5 * z - z * z * detail::cos_tail(z));
    return Quatd::from_parts(cosine, v * (0.5 * sine_over_h));
}

} // namespace rigor
