// Periodic cell: a world with periodic boundaries in all directions.
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>

#include "geometry/query_types.h"
#include "rigor/vec.h"

namespace rigor {

/// A shift by whole cells.
struct CellShift {
    std::int16_t x = 0, y = 0, z = 0;

    auto operator<=>(const CellShift&) const = default;
    CellShift operator-(const CellShift& o) const {
        return {static_cast<std::int16_t>(x - o.x), static_cast<std::int16_t>(y - o.y),
                static_cast<std::int16_t>(z - o.z)};
    }
};

/// A body has an image in every cell, so two shapes may collide as they are, or one with an image
/// of the other. Bodies are wrapped into the cell after every step. None is larger than half of the
/// cell, so only the nearest image can collide.
struct PeriodicCell {
    static constexpr int kFarthest = 16; ///< cells: farther images are ignored

    Vec3d lo, size;

    Vec3d offset(const CellShift& shift) const {
        return {shift.x * size.x, shift.y * size.y, shift.z * size.z};
    }
    /// The whole cells by which a point is outside, to be subtracted.
    Vec3d outside(const Vec3d& p) const {
        const auto cells = [](double from, double length) {
            return std::floor(from / length) * length;
        };
        return {cells(p.x - lo.x, size.x), cells(p.y - lo.y, size.y), cells(p.z - lo.z, size.z)};
    }
    /// Whether a box is inside, and touches no side.
    bool holds(const Aabb<double>& box) const {
        const Vec3d hi = lo + size;
        return box.lo.x > lo.x && box.lo.y > lo.y && box.lo.z > lo.z && box.hi.x < hi.x &&
               box.hi.y < hi.y && box.hi.z < hi.z;
    }
    bool has_room_for(const Vec3d& extent) const {
        return 2 * extent.x < size.x && 2 * extent.y < size.y && 2 * extent.z < size.z;
    }
    /// Calls back with every shift that makes a box overlap the cell; far ones are left out.
    template <class Visit>
    void for_each_image(const Aabb<double>& box, const Visit& visit) const {
        int from[3], to[3];
        for (int axis = 0; axis < 3; ++axis) {
            const double least = (lo[axis] - box.hi[axis]) / size[axis];
            const double most = (lo[axis] + size[axis] - box.lo[axis]) / size[axis];
            from[axis] = static_cast<int>(std::ceil(std::max(least, -1.0 * kFarthest)));
            to[axis] = static_cast<int>(std::floor(std::min(most, 1.0 * kFarthest)));
        }
        for (int x = from[0]; x <= to[0]; ++x)
            for (int y = from[1]; y <= to[1]; ++y)
                for (int z = from[2]; z <= to[2]; ++z)
                    visit(CellShift{static_cast<std::int16_t>(x), static_cast<std::int16_t>(y),
                                    static_cast<std::int16_t>(z)});
    }
};

} // namespace rigor
