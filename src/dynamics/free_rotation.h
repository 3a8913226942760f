// Torque-free rotation of a rigid body, exact over any length of time.
#pragma once

#include "rigor/quat.h"

namespace rigor {

/// The orientation after time t (of either sign) of a body with the given principal moments, in any
/// order and all positive, that is at q (principal axes to world) with the angular momentum l
/// (world axes, constant). Accurate to rounding for any t; the cost grows with t only within the
/// first period of the precession. Not finite when |l| t is not.
Quatd rotate_freely(const Vec3d& moments, const Quatd& q, const Vec3d& l, double t);

} // namespace rigor
