// Bounds of a template body, for patterns that place many side by side.
#pragma once

#include <span>

#include "model/shape_store.h"
#include "rigor/joint.h"

namespace rigor {

/// The smallest and largest of direction·x over a body's shapes, with the body's frame at the
/// origin and turned by `orientation`. `direction` is a unit. Infinite for planes; empty
/// (lo > hi) without shapes.
Range extent_along(std::span<const ShapeRecord> shapes, const Quatd& orientation,
                   const Vec3d& direction);

/// The same along the three axes of the world.
Aabb<double> bounds(std::span<const ShapeRecord> shapes, const Quatd& orientation);

} // namespace rigor
