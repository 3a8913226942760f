// The minimum image convention for worlds with periodic boundaries.
#pragma once

#include "rigor/world.h"

namespace rigor::app {

/// The vector from a point to the nearest periodic image of another, from the vector between them.
/// Unchanged where the world is not periodic.
inline Vec3d nearest_image(const World& world, const Vec3d& offset) {
    const std::optional<PeriodicBox>& cell = world.settings().periodic;
    if (!cell) return offset;
    return offset + shift_to_nearest_image(offset, cell->hi - cell->lo);
}

} // namespace rigor::app
