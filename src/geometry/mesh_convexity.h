// Convex meshes: a closed mesh that equals its convex hull collides as that hull.
#pragma once

#include <memory>

#include "geometry/hull.h"

namespace rigor {

template <class S>
struct TriangleMesh;

/// The hull of a closed mesh, when no triangle lies deeper below it than 1e-6 of the mesh's extent
/// (which is more than the rounding of a file in single precision) and 1e-3 of the radius of the
/// ball that fits in; else nothing.
///
/// A mesh with a dent is usually refused at its first concave edge, in linear time. A convex one
/// costs its hull, and a climb over the hull for each triangle.
std::shared_ptr<const Hull<double>> hull_if_convex(const TriangleMesh<double>& mesh);

} // namespace rigor
