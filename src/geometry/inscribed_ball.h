// A ball within a solid: solids whose balls overlap do so themselves, however their surfaces are.
#pragma once

#include "geometry/shape.h"

namespace rigor {

struct InscribedBall {
    Vec3d center; ///< in the frame of the solid
    double radius = 0;
};

/// A large one, not the largest: that of a convex solid is about its center, that of a compound is
/// that of a child. Solids without an inside, and those without bounds, have a radius of 0. A
/// closed mesh is searched at a few places, some ten microseconds.
InscribedBall inscribed_ball(const Shape<double>& shape);

} // namespace rigor
