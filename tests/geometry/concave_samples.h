// Concave closed meshes made of a grid of cells.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "geometry/mesh_samples.h"

namespace rigor::test {

/// The surface of the cells (i, j, k) of a grid that `is_solid` chooses; the lists are the planes
/// between the cells.
inline TriangleSoup grid_mesh(const std::vector<double>& xs, const std::vector<double>& ys,
                              const std::vector<double>& zs,
                              const std::function<bool(int, int, int)>& is_solid) {
    const int nx = static_cast<int>(xs.size()) - 1, ny = static_cast<int>(ys.size()) - 1,
              nz = static_cast<int>(zs.size()) - 1;
    TriangleSoup soup;
    std::map<std::array<int, 3>, std::uint32_t> known;
    const auto vertex = [&](int i, int j, int k) {
        const auto [at, is_new] =
            known.try_emplace({i, j, k}, static_cast<std::uint32_t>(soup.vertices.size()));
        if (is_new)
            soup.vertices.push_back({xs[static_cast<std::size_t>(i)],
                                     ys[static_cast<std::size_t>(j)],
                                     zs[static_cast<std::size_t>(k)]});
        return at->second;
    };
    const auto solid = [&](int i, int j, int k) {
        return i >= 0 && i < nx && j >= 0 && j < ny && k >= 0 && k < nz && is_solid(i, j, k);
    };
    // Of each side of a cell: where it leads, and its corners counterclockwise seen from there.
    struct Side {
        std::array<int, 3> to;
        std::array<std::array<int, 3>, 4> corners;
    };
    static const std::array<Side, 6> sides{
        {{{-1, 0, 0}, {{{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0}}}},
         {{1, 0, 0}, {{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}}}},
         {{0, -1, 0}, {{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}}},
         {{0, 1, 0}, {{{0, 1, 0}, {0, 1, 1}, {1, 1, 1}, {1, 1, 0}}}},
         {{0, 0, -1}, {{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}}},
         {{0, 0, 1}, {{{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}}}}};
    for (int i = 0; i < nx; ++i)
        for (int j = 0; j < ny; ++j)
            for (int k = 0; k < nz; ++k)
                for (const Side& side : sides) {
                    if (!solid(i, j, k) || solid(i + side.to[0], j + side.to[1], k + side.to[2]))
                        continue;
                    std::array<std::uint32_t, 4> v{};
                    for (std::size_t c = 0; c < 4; ++c)
                        v[c] = vertex(i + side.corners[c][0], j + side.corners[c][1],
                                      k + side.corners[c][2]);
                    soup.triangles.push_back({v[0], v[1], v[2]});
                    soup.triangles.push_back({v[0], v[2], v[3]});
                }
    return soup;
}

/// Two by two meters in x and z less the upper right quarter, one meter deep along y.
inline TriangleSoup corner_mesh() {
    return grid_mesh({0, 1, 2}, {0, 1}, {0, 1, 2},
                     [](int i, int, int k) { return i == 0 || k == 0; });
}

/// A channel along y, open at the top, 0.8 m wide inside.
inline TriangleSoup channel_mesh() {
    return grid_mesh({-0.8, -0.4, 0.4, 0.8}, {-0.5, 0.5}, {0, 0.4, 1},
                     [](int i, int, int k) { return k == 0 || i != 1; });
}

/// A table on four legs.
inline TriangleSoup table_mesh() {
    return grid_mesh({-1, -0.8, 0.8, 1}, {-0.6, -0.45, 0.45, 0.6}, {0, 0.7, 0.8},
                     [](int i, int j, int k) { return k == 1 || (i != 1 && j != 1); });
}

} // namespace rigor::test
