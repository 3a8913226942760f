// Hull simplification: convex hulls with few vertices.
#pragma once

#include <optional>
#include <span>

#include "geometry/hull.h"

namespace rigor {

/// The hull of some of the points, such that none is farther outside than `tolerance`; of all of
/// them when that has at most 64 vertices. Found by a quickhull that stops early: the farthest
/// point over each face is added while it is farther than required [Barber 1996]. None when the
/// points are coplanar.
std::optional<Hull<double>> thin_hull(std::span<const Vec3d> points, double tolerance);

/// The hull of the extreme points along some forty directions: nearly the same, and much faster.
std::optional<Hull<double>> rough_hull(std::span<const Vec3d> points);

} // namespace rigor
