#include "scene/pattern_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "rigor/rotation.h"

namespace rigor {

namespace {

/// n bricks along x, `pitch` apart, centered on x.
void append_row(std::vector<Vec3d>& centers, std::int64_t n, double pitch, double x, double z) {
    for (std::int64_t i = 0; i < n; ++i)
        centers.push_back(
            {x + (static_cast<double>(i) - static_cast<double>(n - 1) / 2) * pitch, 0, z});
}

double row_height(std::int64_t row, const Vec3d& size) {
    return (static_cast<double>(row) + 0.5) * size.z;
}

} // namespace

std::uint64_t SplitMix64::bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

Quatd SplitMix64::turn(double most) {
    Vec3d axis;
    double d = 0;
    do { // a point of the ball, chosen from the cube: more than half of the tries succeed
        const double x = signed_unit(), y = signed_unit(), z = signed_unit();
        axis = {x, y, z};
        d = length_squared(axis);
    } while (d > 1 || d < 1e-6);
    const double angle = (signed_unit() + 1) / 2 * most;
    return from_axis_angle(axis / std::sqrt(d), angle);
}

double product(const std::array<std::int64_t, 3>& count) {
    return static_cast<double>(count[0]) * static_cast<double>(count[1]) *
           static_cast<double>(count[2]);
}

std::vector<Vec3d> stack_layout(std::int64_t count, const Vec3d& size, const Vec3d& offset) {
    std::vector<Vec3d> centers;
    for (std::int64_t i = 0; i < count; ++i)
        centers.push_back(offset * static_cast<double>(i) + Vec3d{0, 0, row_height(i, size)});
    return centers;
}

std::vector<Vec3d> grid_layout(const std::array<std::int64_t, 3>& count, const Vec3d& size,
                               const Vec3d& spacing) {
    const auto centered = [](std::int64_t i, std::int64_t n, double pitch) {
        return (static_cast<double>(i) - static_cast<double>(n - 1) / 2) * pitch;
    };
    std::vector<Vec3d> centers;
    centers.reserve(static_cast<std::size_t>(product(count)));
    for (std::int64_t k = 0; k < count[2]; ++k)
        for (std::int64_t j = 0; j < count[1]; ++j)
            for (std::int64_t i = 0; i < count[0]; ++i)
                centers.push_back({centered(i, count[0], spacing.x),
                                   centered(j, count[1], spacing.y),
                                   size.z / 2 + static_cast<double>(k) * spacing.z});
    return centers;
}

std::vector<Vec3d> pyramid_layout(std::int64_t base, const Vec3d& size, double gap, bool inverted) {
    std::vector<Vec3d> centers;
    for (std::int64_t row = 0; row < base; ++row)
        append_row(centers, inverted ? row + 1 : base - row, size.x + gap, 0,
                   row_height(row, size));
    return centers;
}

std::vector<Vec3d> wall_layout(std::int64_t count, std::int64_t length, const Vec3d& size,
                               double gap) {
    const double pitch = size.x + gap;
    std::vector<Vec3d> centers;
    for (std::int64_t row = 0; row < count; ++row)
        append_row(centers, length, pitch, row % 2 == 0 ? -pitch / 4 : pitch / 4,
                   row_height(row, size));
    return centers;
}

std::vector<Vec3d> diamond_layout(std::int64_t side, const Vec3d& size) {
    std::vector<Vec3d> centers;
    for (std::int64_t row = 0; row < 2 * side - 1; ++row)
        append_row(centers, side - std::abs(row - side + 1), size.x, 0, row_height(row, size));
    return centers;
}

std::vector<Vec3d> chain_layout(std::int64_t count, const Vec3d& size, const Vec3d& axis,
                                double length) {
    // The lowest link is the first or the last.
    const double half = static_cast<double>(count - 1) / 2 * length;
    const double bottom = -half * std::abs(axis.z) - size.z / 2;
    std::vector<Vec3d> centers;
    for (std::int64_t i = 0; i < count; ++i)
        centers.push_back(axis * (static_cast<double>(i) * length - half) - Vec3d{0, 0, bottom});
    return centers;
}

// Starting from one cell, the axis with the widest cells (in body sizes) is divided once more
// until there are enough. At most nx + ny + nz steps.
std::array<std::int64_t, 3> pile_cells(std::int64_t count, const Vec3d& region, const Vec3d& size) {
    std::array<std::int64_t, 3> cells{1, 1, 1};
    const auto width = [&](int i) {
        return region[i] / (static_cast<double>(cells[static_cast<std::size_t>(i)]) * size[i]);
    };
    const auto can_divide = [&](int i) {
        const auto n = static_cast<double>(cells[static_cast<std::size_t>(i)] + 1);
        return n * size[i] <= region[i] * (1 + 1e-12);
    };
    for (int i = 0; i < 3; ++i)
        if (size[i] > region[i] * (1 + 1e-12)) return {};
    while (product(cells) < static_cast<double>(count)) {
        int widest = -1;
        for (int i = 0; i < 3; ++i)
            if (can_divide(i) && (widest < 0 || width(i) > width(widest))) widest = i;
        if (widest < 0) return {};
        ++cells[static_cast<std::size_t>(widest)];
    }
    return cells;
}

} // namespace rigor
