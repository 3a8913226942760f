// Redundant contact points: those inside the convex hull of a flat contact region.
//
// The feet of a table are many triangles, and each of their vertices touches the floor. Where all
// points of a pair with the same normal lie in one plane, those inside their convex hull add
// nothing: what keeps the corners of the hull from penetrating keeps them too, and forces at the
// corners can represent every force at them. Redundant points make problems large and solutions
// ambiguous.
#pragma once

#include <vector>

#include "collide/contact_region.h"

namespace rigor::contact_dynamics {

/// A point with the normal and the parts of its region.
struct RegionPoint {
    Vec3d normal;
    ContactPoint<double> point;
    ShapePart part_a, part_b;
};

/// Removes repeated points and those between others; the rest stay in order. `size` is that of the
/// smaller shape: what is equal to within its rounding is the same.
void drop_redundant_points(std::vector<RegionPoint>& points, double size);

} // namespace rigor::contact_dynamics
