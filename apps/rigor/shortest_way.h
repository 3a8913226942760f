// Distances in worlds that may repeat.
#pragma once

#include <cmath>

#include "rigor/world.h"

namespace rigor::app {

/// A way between two points; where the world repeats, the shortest between them or their copies.
inline Vec3d shortest(const World& world, const Vec3d& way) {
    const std::optional<PeriodicBox>& cell = world.settings().periodic;
    if (!cell) return way;
    const auto less = [](double x, double size) { return x - std::round(x / size) * size; };
    const Vec3d size = cell->hi - cell->lo;
    return {less(way.x, size.x), less(way.y, size.y), less(way.z, size.z)};
}

} // namespace rigor::app
