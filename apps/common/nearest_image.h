// The minimum image convention for worlds with periodic boundaries.
#pragma once

#include <cmath>

#include "rigor/world.h"

namespace rigor::app {

/// The vector from a point to the nearest periodic image of another, from the vector between them.
/// Unchanged where the world is not periodic.
inline Vec3d nearest_image(const World& world, const Vec3d& offset) {
    const std::optional<PeriodicBox>& cell = world.settings().periodic;
    if (!cell) return offset;
    const auto wrap = [](double x, double size) { return x - std::round(x / size) * size; };
    const Vec3d size = cell->hi - cell->lo;
    return {wrap(offset.x, size.x), wrap(offset.y, size.y), wrap(offset.z, size.z)};
}

} // namespace rigor::app
