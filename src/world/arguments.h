// Argument checks of the public API; a caller's mistake throws UsageError.
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

inline void require(const Result<void>& checked) {
    if (!checked) throw UsageError(checked.error().where + " " + checked.error().message);
}

/// A quaternion within the tolerance of a unit is taken as a rounded unit; beyond it is an error of
/// the caller.
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
