// Checks of what callers hand in; a mistake of theirs throws UsageError.
#pragma once

#include <cmath>
#include <string>

#include "math/number_text.h"
#include "rigor/pose.h"
#include "rigor/result.h"

namespace rigor {

inline void require_finite(const Vec3d& v, const char* what) {
    if (!is_finite(v)) throw UsageError(std::string(what) + " must be finite, got " + text(v));
}

inline void require_finite(double value, const char* what) {
    if (!std::isfinite(value))
        throw UsageError(std::string(what) + " must be finite, got " + text(value));
}

inline void require_positive(double value, const char* what) {
    if (!(value > 0) || !std::isfinite(value))
        throw UsageError(std::string(what) + " must be positive and finite, got " + text(value));
}

inline void require_not_negative(double value, const char* what) {
    if (!(value >= 0) || !std::isfinite(value))
        throw UsageError(std::string(what) + " must be finite and not negative, got " +
                         text(value));
}

inline void require_from_0_to_1(double value, const char* what) {
    if (!(value >= 0 && value <= 1))
        throw UsageError(std::string(what) + " must be from 0 to 1, got " + text(value));
}

/// Within the tolerance of a unit a quaternion is taken for a rounded one; beyond it the caller
/// means something else.
inline Quatd unit_or_throw(const Quatd& q) {
    if (!(std::abs(length(q) - 1) <= 1e-3)) {
        throw UsageError("orientation must be a unit quaternion within 1e-3, got " + text(q));
    }
    return normalize(q);
}

inline Posed pose_or_throw(const Posed& pose) {
    require_finite(pose.p, "position");
    return {pose.p, unit_or_throw(pose.q)};
}

} // namespace rigor
