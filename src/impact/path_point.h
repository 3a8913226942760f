// A point of a piece of an impact. Pieces tell what happened since their own start.
#pragma once

#include <optional>

#include "rigor/vec.h"

namespace rigor::contact_dynamics {

struct PathPoint {
    double s = 0;    ///< where on the piece, in units of its own
    Vec3d p;         ///< impulse
    double u = 0;    ///< u_z
    double work = 0; ///< of the normal impulse
};

} // namespace rigor::contact_dynamics
