// A point of a segment of an impact path. Quantities are relative to the start of the segment.
#pragma once

#include <optional>

#include "rigor/vec.h"

namespace rigor::contact_dynamics {

struct PathPoint {
    double s = 0;    ///< parameter of the segment, in its own units
    Vec3d p;         ///< impulse
    double u = 0;    ///< u_z
    double work = 0; ///< of the normal impulse
};

} // namespace rigor::contact_dynamics
