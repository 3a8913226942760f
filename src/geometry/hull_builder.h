// Building hulls: from points, and from a hull by moving its faces inward.
#pragma once

#include <span>

#include "geometry/hull.h"
#include "rigor/result.h"

namespace rigor {

/// The convex hull of points, sharp.
///
/// Faces in one plane are merged, points inside or on a face are dropped; vertices keep the
/// order and the exact coordinates of the points given. The same points give the same hull.
/// "In one plane" is meant as data are: to within 4e-7 of the extent, which is more than single
/// precision loses, and 1e-4 of the thickness of a thin hull.
///
/// Fails when there are fewer than four points, when a coordinate is not finite, or when the
/// points lie in one plane, on one line or in one place: to within 1e-10 of their extent.
Result<Hull<double>> make_hull(std::span<const Vec3d> points);

/// The hull whose core is what remains of a sharp hull when each face moves inward by
/// `rounding`: what the rounding adds again lies inside the given hull.
///
/// Fails when the rounding is negative or no core remains.
Result<Hull<double>> round_hull(const Hull<double>& sharp, double rounding);

} // namespace rigor
