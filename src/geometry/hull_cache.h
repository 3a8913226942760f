// Cache of hulls by their points: one hull for all bodies that have the same ones.
#pragma once

#include <memory>
#include <span>

#include "geometry/hull.h"
#include "rigor/result.h"

namespace rigor {

/// make_hull(points), built by the first call and shared as long as someone holds it. Points are
/// the same when their bits are. Any number of threads may call it.
Result<std::shared_ptr<const Hull<double>>> shared_hull(std::span<const Vec3d> points);

} // namespace rigor
