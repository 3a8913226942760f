// Solids that are not convex, each in its own way.
#pragma once

#include <algorithm>
#include <set>
#include <tuple>

#include "geometry/mesh_samples.h"
#include "test_support.h"

namespace rigor::test {

struct Point2 {
    double x, y;
};

/// A flat outline, anticlockwise, pulled up from z = 0; `triangles` fill it.
inline TriangleSoup extruded(const std::vector<Point2>& outline,
                             const std::vector<Corners>& triangles, double height) {
    TriangleSoup soup;
    const auto n = static_cast<std::uint32_t>(outline.size());
    for (const double z : {0.0, height}) {
        for (const Point2& p : outline) soup.vertices.push_back({p.x, p.y, z});
    }
    for (const Corners& t : triangles) {
        soup.triangles.push_back({t[0], t[2], t[1]});
        soup.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t j = (i + 1) % n;
        soup.triangles.push_back({i, j, j + n});
        soup.triangles.push_back({i, j + n, i + n});
    }
    return soup;
}

/// Two arms of 3 x 1 x 1 that share a corner cube.
inline TriangleSoup l_mesh() {
    return extruded({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}},
                    {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, 1);
}

/// A block of 3 x 3 x 1 with a groove of width 1 and depth 2.
inline TriangleSoup u_mesh() {
    return extruded({{0, 0}, {3, 0}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}},
                    {{0, 5, 7}, {0, 1, 4}, {0, 4, 5}, {1, 2, 4}, {2, 3, 4}, {5, 6, 7}}, 1);
}

/// Two bars of 3 x 1 x 1 across each other.
inline TriangleSoup plus_mesh() {
    return extruded({{1, 0},
                     {2, 0},
                     {2, 1},
                     {3, 1},
                     {3, 2},
                     {2, 2},
                     {2, 3},
                     {1, 3},
                     {1, 2},
                     {0, 2},
                     {0, 1},
                     {1, 1}},
                    {{0, 1, 2},
                     {0, 2, 11},
                     {2, 3, 4},
                     {2, 4, 5},
                     {5, 6, 7},
                     {5, 7, 8},
                     {8, 9, 10},
                     {8, 10, 11},
                     {11, 2, 5},
                     {11, 5, 8}},
                    1);
}

/// Steps of 1 x 1, 2 wide.
inline TriangleSoup stairs_mesh(int steps) {
    std::vector<Point2> outline{{static_cast<double>(steps), 0}};
    for (int i = steps; i > 0; --i) {
        outline.push_back({static_cast<double>(i), static_cast<double>(steps - i + 1)});
        outline.push_back({static_cast<double>(i - 1), static_cast<double>(steps - i + 1)});
    }
    outline.push_back({0, 0});
    const auto last = static_cast<std::uint32_t>(outline.size() - 1);
    std::vector<Corners> fan;
    for (std::uint32_t i = 0; i + 1 < last; ++i) fan.push_back({last, i, i + 1});
    return extruded(outline, fan, 2);
}

/// A mug without a handle, 0.1 m tall, with a wall of 4 mm.
inline TriangleSoup cup_mesh() {
    return lathe_mesh({{0, 0},
                       {0.030, 0},
                       {0.037, 0.025},
                       {0.040, 0.060},
                       {0.040, 0.100},
                       {0.036, 0.100},
                       {0.036, 0.060},
                       {0.033, 0.027},
                       {0.027, 0.005},
                       {0, 0.005}},
                      32);
}

/// A ball with hills and hollows.
inline TriangleSoup bumpy_mesh(int rings, int around) {
    TriangleSoup soup = ball_mesh(rings, around);
    for (Vec3d& v : soup.vertices) {
        v = v * (1 + 0.1 * (sin_cos(6 * v.x).sin * sin_cos(6 * v.y).sin + sin_cos(6 * v.z).sin));
    }
    return soup;
}

/// The boundary of some cells of a grid: those of which is_filled(x, y, z).
template <class IsFilled>
TriangleSoup cells_mesh(int size, const IsFilled& is_filled) {
    TriangleSoup soup;
    const auto filled = [&](int x, int y, int z) {
        return std::min({x, y, z}) >= 0 && std::max({x, y, z}) < size && is_filled(x, y, z);
    };
    // The quads of a unit box in the order of box_mesh: -z +z -y +y -x +x.
    constexpr int kSides[6][3] = {{0, 0, -1}, {0, 0, 1},  {0, -1, 0},
                                  {0, 1, 0},  {-1, 0, 0}, {1, 0, 0}};
    for (int i = 0; i < size * size * size; ++i) {
        const int x = i % size, y = i / size % size, z = i / size / size;
        if (!filled(x, y, z)) continue;
        TriangleSoup box = box_mesh({1, 1, 1}, {x + 0.5, y + 0.5, z + 0.5});
        std::vector<Corners> kept;
        for (std::size_t side = 0; side < 6; ++side) {
            const int* s = kSides[side];
            if (filled(x + s[0], y + s[1], z + s[2])) continue;
            kept.push_back(box.triangles[2 * side]);
            kept.push_back(box.triangles[2 * side + 1]);
        }
        box.triangles = kept;
        append(soup, box);
    }
    return soup;
}

} // namespace rigor::test
