// Construction of hulls: from points, and by offsetting the faces of a hull inward.
#pragma once

#include <span>

#include "geometry/hull.h"
#include "rigor/result.h"

namespace rigor {

/// The convex hull of points, without rounding.
///
/// Coplanar faces are merged, points inside or on a face are dropped; vertices keep the order and
/// the exact coordinates of the points given. The same points give the same hull. The tolerance of
/// "coplanar" suits measured data: 4e-7 of the extent, which is more than the error of single
/// precision, and 1e-4 of the thickness of a thin hull.
///
/// Fails when there are fewer than four points, when a coordinate is not finite, or when the points
/// are coplanar, collinear or coincident to within 1e-10 of their extent.
Result<Hull<double>> make_hull(std::span<const Vec3d> points);

/// The hull whose core is a sharp hull with each face offset inward by `rounding`, so that the
/// rounded solid lies inside the given hull.
///
/// Fails when the rounding is negative or no core remains.
Result<Hull<double>> round_hull(const Hull<double>& sharp, double rounding);

} // namespace rigor
