// The vertices, edges and faces of a box, numbered as in core_faces.h.
#pragma once

#include <array>
#include <cstdint>

#include "collide/polygon_clip.h"
#include "rigor/vec.h"

namespace rigor {

constexpr std::uint32_t bit(std::uint32_t vertex, int axis) {
    return vertex >> axis & 1u;
}

template <class S>
Vec3<S> box_vertex(const Vec3<S>& half, std::uint32_t vertex) {
    return {bit(vertex, 0) ? half.x : -half.x, bit(vertex, 1) ? half.y : -half.y,
            bit(vertex, 2) ? half.z : -half.z};
}

constexpr std::uint32_t box_edge(std::uint32_t vertex, int axis) {
    return 4 * static_cast<std::uint32_t>(axis) + bit(vertex, (axis + 1) % 3) +
           2 * bit(vertex, (axis + 2) % 3);
}

/// The four vertices of a face, counterclockwise seen from outside, and the edges between them.
///
/// With x and y the two axes after the face's own, or these in reverse order for a face toward the
/// negative axis, the vertices are (+, +), (-, +), (-, -), (+, -).
constexpr std::array<SideNames, 4> box_face_corners(std::uint32_t face) {
    const int axis = static_cast<int>(face / 2), u = (axis + 1) % 3, v = (axis + 2) % 3;
    const bool positive = face % 2 == 0;
    const std::uint32_t base = positive ? 1u << axis : 0u;
    const int x = positive ? u : v, y = positive ? v : u;
    const std::uint32_t bx = 1u << x, by = 1u << y;
    const std::array<std::uint32_t, 4> turn{base | bx | by, base | by, base, base | bx};
    std::array<SideNames, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) corners[i] = {turn[i], box_edge(turn[i], i % 2 ? y : x)};
    return corners;
}

inline constexpr std::array<std::array<SideNames, 4>, 6> kBoxFaces{
    {box_face_corners(0), box_face_corners(1), box_face_corners(2), box_face_corners(3),
     box_face_corners(4), box_face_corners(5)}};

template <class S>
Vec3<S> box_normal(std::uint32_t face) {
    Vec3<S> normal;
    normal[static_cast<int>(face / 2)] = face % 2 == 0 ? S(1) : S(-1);
    return normal;
}

/// The face whose normal is most parallel to a direction.
template <class S>
std::uint32_t box_face_along(const Vec3<S>& d) {
    const Vec3<S> size = abs(d);
    const int axis = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
    return static_cast<std::uint32_t>(2 * axis + (d[axis] < S(0) ? 1 : 0));
}

} // namespace rigor
