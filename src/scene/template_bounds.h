// How large a body is, for patterns that place many of it side by side.
#pragma once

#include "geometry/query_types.h"
#include "rigor/body.h"
#include "rigor/joint.h"

namespace rigor {

/// The smallest and largest of direction·x over the body's shapes, with the body's frame at the
/// origin, turned by its orientation. Exact but for rounded cones, rounded hulls and height
/// fields, where it may be a little wide. Infinite for planes; empty (lo > hi) without shapes.
Range extent_along(const BodyDef& body, const Vec3d& direction);

/// The same along the three axes of the world.
Aabb<double> bounds(const BodyDef& body);

} // namespace rigor
