// Periodic boundaries: the cell, and the minimum image convention.
#pragma once

#include <cmath>

#include "rigor/vec.h"

namespace rigor {

/// A cell that repeats in all directions.
struct PeriodicBox {
    Vec3d lo, hi;
    bool operator==(const PeriodicBox&) const = default;
};

/// What to add to the offset between two points to make it that to the nearest image of the second
/// one, in a cell of the given size.
inline Vec3d shift_to_nearest_image(const Vec3d& offset, const Vec3d& size) {
    const auto shift = [](double along, double length) {
        return -std::round(along / length) * length;
    };
    return {shift(offset.x, size.x), shift(offset.y, size.y), shift(offset.z, size.z)};
}

} // namespace rigor
