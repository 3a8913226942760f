// Meshes with known answers, shared by the tests of meshes and by the gallery.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "math/trig.h"
#include "rigor/math.h"
#include "rigor/shape.h"

namespace rigor::test {

using Corners = std::array<std::uint32_t, 3>;

inline void append(TriangleSoup& soup, const TriangleSoup& other) {
    const auto offset = static_cast<std::uint32_t>(soup.vertices.size());
    soup.vertices.insert(soup.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const Corners& t : other.triangles) {
        soup.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
    }
}

inline TriangleSoup inside_out(TriangleSoup soup) {
    for (Corners& t : soup.triangles) std::swap(t[1], t[2]);
    return soup;
}

inline TriangleSoup moved(TriangleSoup soup, const Posed& pose) {
    for (Vec3d& v : soup.vertices) v = transform(pose, v);
    return soup;
}

/// Every triangle with corners of its own, as in an STL file.
inline TriangleSoup torn(const TriangleSoup& soup) {
    TriangleSoup result;
    for (const Corners& t : soup.triangles) {
        const auto n = static_cast<std::uint32_t>(result.vertices.size());
        for (const std::uint32_t v : t) result.vertices.push_back(soup.vertices[v]);
        result.triangles.push_back({n, n + 1, n + 2});
    }
    return result;
}

inline TriangleSoup box_mesh(const Vec3d& size, const Vec3d& center = {}) {
    TriangleSoup soup;
    for (int i = 0; i < 8; ++i) {
        const Vec3d corner{i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5};
        soup.vertices.push_back(center + multiply(corner, size));
    }
    soup.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return soup;
}

/// A sheet of n x n squares of this width, at z = 0, from the origin along x and y.
inline TriangleSoup sheet_mesh(int n, double width) {
    TriangleSoup soup;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) soup.vertices.push_back({width * i, width * j, 0});
    const auto at = [n](int i, int j) { return static_cast<std::uint32_t>(j * (n + 1) + i); };
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            soup.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            soup.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return soup;
}

/// The square pyramid of [Baber 2006, figure 8], with its Triangle[5] corrected.
inline TriangleSoup pyramid_mesh() {
    return {{{0, 0, 0}, {5, 0, 0}, {5, 5, 0}, {0, 5, 0}, {2.5, 2.5, 4}},
            {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}};
}

inline TriangleSoup cube_with_hole_mesh() {
    TriangleSoup soup = box_mesh({2, 2, 2});
    append(soup, inside_out(box_mesh({1, 1, 1})));
    return soup;
}

/// About z; `major` is the radius of the ring, `minor` that of the tube.
inline TriangleSoup torus_mesh(double major, double minor, int around, int across) {
    TriangleSoup soup;
    for (int i = 0; i < around; ++i) {
        const SinCos<double> a = sin_cos(2 * kPi<double> * i / around);
        for (int j = 0; j < across; ++j) {
            const SinCos<double> b = sin_cos(2 * kPi<double> * j / across);
            const double r = major + minor * b.cos;
            soup.vertices.push_back({r * a.cos, r * a.sin, minor * b.sin});
        }
    }
    const auto at = [&](int i, int j) {
        return static_cast<std::uint32_t>((i % around) * across + j % across);
    };
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            soup.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            soup.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return soup;
}

/// A corner of the outline of a turned solid.
struct ProfilePoint {
    double r, z;
};

/// The outline turned about z. It begins and ends on the axis and runs upward outside.
inline TriangleSoup lathe_mesh(const std::vector<ProfilePoint>& profile, int around) {
    TriangleSoup soup;
    const auto count = static_cast<std::uint32_t>(around);
    const auto rings = static_cast<std::uint32_t>(profile.size() - 2);
    soup.vertices.push_back({0, 0, profile.front().z});
    for (std::uint32_t k = 1; k <= rings; ++k) {
        for (int i = 0; i < around; ++i) {
            const SinCos<double> a = sin_cos(2 * kPi<double> * i / around);
            soup.vertices.push_back({profile[k].r * a.cos, profile[k].r * a.sin, profile[k].z});
        }
    }
    soup.vertices.push_back({0, 0, profile.back().z});
    const auto at = [&](std::uint32_t ring, std::uint32_t i) {
        return 1 + ring * count + i % count;
    };
    const std::uint32_t top = 1 + rings * count;
    for (std::uint32_t i = 0; i < count; ++i) {
        soup.triangles.push_back({0, at(0, i + 1), at(0, i)});
        for (std::uint32_t k = 0; k + 1 < rings; ++k) {
            soup.triangles.push_back({at(k, i), at(k, i + 1), at(k + 1, i + 1)});
            soup.triangles.push_back({at(k, i), at(k + 1, i + 1), at(k + 1, i)});
        }
        soup.triangles.push_back({top, at(rings - 1, i), at(rings - 1, i + 1)});
    }
    return soup;
}

/// A pawn of garden chess, 0.6 m tall: base, neck, collar and head.
inline std::vector<ProfilePoint> pawn_profile() {
    return {{0, 0},        {0.160, 0},    {0.160, 0.05}, {0.135, 0.09},
            {0.140, 0.12}, {0.090, 0.18}, {0.062, 0.28}, {0.055, 0.38},
            {0.100, 0.40}, {0.100, 0.42}, {0.060, 0.44}, {0.094, 0.48},
            {0.105, 0.52}, {0.090, 0.56}, {0.050, 0.59}, {0, 0.6}};
}

inline TriangleSoup pawn_mesh() {
    return lathe_mesh(pawn_profile(), 24);
}

/// The unit ball with its corners on the sphere.
inline TriangleSoup ball_mesh(int rings, int around) {
    std::vector<ProfilePoint> profile{{0, -1}};
    for (int k = 1; k < rings; ++k) {
        const SinCos<double> a = sin_cos(kPi<double> * k / rings);
        profile.push_back({a.sin, -a.cos});
    }
    profile.push_back({0, 1});
    return lathe_mesh(profile, around);
}

} // namespace rigor::test
