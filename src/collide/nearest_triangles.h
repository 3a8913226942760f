// The nearest triangles of two meshes, and their nearest points.
//
// Both trees are descended at once, nearest boxes first, and triangles are measured in closed form:
// the nearest points of two triangles that do not cross are a vertex and a point of the other one,
// or points of two edges.
#pragma once

#include <optional>

#include "collide/distance_types.h"
#include "collide/near_triangles.h"
#include "geometry/mesh.h"

namespace rigor {

/// Nothing farther than `far` is found: then the distance is infinite. Where triangles cross or
/// touch it is 0, without a normal. Meshes have no inside here. `first` is a pair that is likely to
/// be near, as the nearest one of another time; the result does not depend on it.
template <class S>
Distance<S> nearest_triangles(const TriangleMesh<S>& a, const TriangleMesh<S>& b,
                              const Pose<S>& b_in_a, S far,
                              const std::optional<TrianglePair>& first = {});

} // namespace rigor
