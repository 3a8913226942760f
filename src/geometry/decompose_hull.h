// Hulls with as many corners as are worth having.
#pragma once

#include <optional>
#include <span>

#include "geometry/hull.h"

namespace rigor {

/// The hull of some of the points, such that none is farther out than `tolerance`; of all of them
/// when that has at most 64 corners. Found like a quick hull that stops early: the farthest point
/// over each face joins, until none is worth it [Barber 1996]. None when the points lie in one
/// plane.
std::optional<Hull<double>> thin_hull(std::span<const Vec3d> points, double tolerance);

/// The hull of the points that are farthest along some forty directions: nearly the same, and much
/// sooner.
std::optional<Hull<double>> rough_hull(std::span<const Vec3d> points);

} // namespace rigor
