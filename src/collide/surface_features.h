// Vertices and edges of triangle surfaces: one interface for meshes and height fields.
//
// Edge e of a triangle runs from its corner e to the next one.
#pragma once

#include <array>

#include "geometry/height_field.h"
#include "geometry/mesh.h"

namespace rigor {

/// The triangle across edge e of triangle t, or kNone.
template <class S>
std::uint32_t across(const TriangleMesh<S>& mesh, std::uint32_t t, std::uint32_t e) {
    const std::uint32_t mate = mesh.mates[3 * t + e];
    return mate == kNone ? kNone : triangle_of(mate);
}

template <class S>
std::uint32_t across(const HeightField<S>& field, std::uint32_t t, std::uint32_t e) {
    const int cells = field.columns - 1;
    int i = static_cast<int>(t / 2) % cells, j = static_cast<int>(t / 2) / cells;
    const bool lower = t % 2 == 0;
    if (lower && e == 0) --j;
    if (lower && e == 1) ++i;
    if (!lower && e == 1) ++j;
    if (!lower && e == 2) --i;
    if (i < 0 || j < 0 || i >= cells || j >= field.rows - 1) return kNone;
    return static_cast<std::uint32_t>(2 * (j * cells + i) + (lower ? 1 : 0));
}

/// The numbers of a triangle's vertices.
template <class S>
std::array<std::uint32_t, 3> corners_of(const TriangleMesh<S>& mesh, std::uint32_t t) {
    return mesh.triangles[t];
}

template <class S>
std::array<std::uint32_t, 3> corners_of(const HeightField<S>& field, std::uint32_t t) {
    const auto columns = static_cast<std::uint32_t>(field.columns), cell = t / 2;
    const std::uint32_t first = cell / (columns - 1) * columns + cell % (columns - 1);
    const std::uint32_t last = first + columns + 1;
    if (t % 2 == 0) return {first, first + 1, last};
    return {first, last, first + columns};
}

template <class S>
const Vec3<S>& corner(const Triangle<S>& t, std::uint32_t k) {
    return k == 0 ? t.a : k == 1 ? t.b : t.c;
}

/// The corner of a triangle that is this vertex.
template <class Surface>
std::uint32_t corner_with(const Surface& surface, std::uint32_t t, std::uint32_t vertex) {
    const std::array<std::uint32_t, 3> corners = corners_of(surface, t);
    return corners[0] == vertex ? 0 : corners[1] == vertex ? 1 : 2;
}

/// Calls visit(t, k) for all triangles around corner k of triangle t, this one first.
template <class Surface, class Visit>
void visit_fan(const Surface& surface, std::uint32_t t, std::uint32_t k, Visit&& visit) {
    constexpr int kMost = 4096; // at a vertex of a mesh that is wrong
    const std::uint32_t vertex = corners_of(surface, t)[k];
    std::uint32_t at = t, c = k;
    for (int i = 0; i < kMost; ++i) {
        visit(at, c);
        at = across(surface, at, c);
        if (at == t) return;
        if (at == kNone) break;
        c = corner_with(surface, at, vertex);
    }
    at = t, c = k;
    for (int i = 0; i < kMost; ++i) { // a rim: the other way around
        at = across(surface, at, (c + 2) % 3);
        if (at == kNone || at == t) return;
        c = corner_with(surface, at, vertex);
        visit(at, c);
    }
}

/// The first triangle of those around a corner stands for the vertex where each is to count once.
template <class Surface>
bool is_first_at_corner(const Surface& surface, std::uint32_t t, std::uint32_t k) {
    bool first = true;
    visit_fan(surface, t, k, [&](std::uint32_t other, std::uint32_t) { first &= other >= t; });
    return first;
}

} // namespace rigor
