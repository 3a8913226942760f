// A ring as a closed triangle mesh.
#pragma once

#include <cmath>

#include "rigor/shape.h"

namespace rigor::test {

/// About z: `sides` around, `tube_sides` around its tube.
inline TriangleSoup ring_mesh(double radius, double tube, std::uint32_t sides,
                              std::uint32_t tube_sides) {
    constexpr double kTurn = 2 * 3.14159265358979323846;
    TriangleSoup soup;
    for (std::uint32_t i = 0; i < sides; ++i)
        for (std::uint32_t j = 0; j < tube_sides; ++j) {
            const double u = kTurn * i / sides, v = kTurn * j / tube_sides;
            const double r = radius + tube * std::cos(v);
            soup.vertices.push_back({r * std::cos(u), r * std::sin(u), tube * std::sin(v)});
            const std::uint32_t next_i = (i + 1) % sides, next_j = (j + 1) % tube_sides;
            const std::uint32_t a = i * tube_sides + j, b = i * tube_sides + next_j,
                                c = next_i * tube_sides + next_j, d = next_i * tube_sides + j;
            soup.triangles.push_back({a, d, c});
            soup.triangles.push_back({a, c, b});
        }
    return soup;
}

} // namespace rigor::test
