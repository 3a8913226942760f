// The rotation of a body that nothing turns, exactly, over any length of time.
#pragma once

#include "rigor/mat.h"
#include "rigor/quat.h"

namespace rigor {

/// What the free rotation of a body depends on.
struct Rotor {
    Vec3d moments; ///< principal moments of inertia, ascending and positive
    Mat3d axes;    ///< principal axes in body axes, by columns, right-handed
};

/// The orientation after time t (of either sign) of a body at q with angular momentum l
/// (world axes, constant). Good to rounding for any t: the cost does not depend on the step
/// but for a weak growth with the number of turns' worth of quadrature panels.
Quatd rotate_freely(const Rotor& rotor, const Quatd& q, const Vec3d& l, double t);

} // namespace rigor
