#include "collide/separating_axis_choice.h"

namespace rigor {
namespace {

// Two boxes ---------------------------------------------------------------------------------------

/// The edge of a box along an axis that is farthest along a direction.
template <class S>
Feature box_edge_along(int axis, const Vec3<S>& d) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return Feature(FeatureKind::edge, static_cast<std::uint32_t>(4 * axis + (d[u] > S(0) ? 1 : 0) +
                                                                 (d[v] > S(0) ? 2 : 0)));
}

template <class S>
Feature box_face(int axis, bool positive) {
    return Feature(FeatureKind::face, static_cast<std::uint32_t>(2 * axis + (positive ? 0 : 1)));
}

template <class S>
void try_box_faces(const Vec3<S>& half_a, const Vec3<S>& half_b, const Placement<S>& b_in_a,
                   const Mat3<S>& size, Choice<S>& choice) {
    const Vec3<S> along_b = b_in_a.local_direction(b_in_a.offset);
    const Vec3<S> reach_b = size * half_b;
    const Vec3<S> reach_a = transpose_multiply(size, half_a);
    for (int i = 0; i < 3; ++i) {
        const S d = b_in_a.offset[i], s = std::abs(d) - half_a[i] - reach_b[i];
        if (!choice.may_win_as_face(s)) continue;
        SeparatingAxis<S> axis{AxisKind::face_a, box_face<S>(i, !(d < S(0))), {}, {}, s};
        axis.normal[i] = d < S(0) ? S(-1) : S(1);
        choice.consider(axis);
    }
    for (int j = 0; j < 3; ++j) {
        const S d = along_b[j], s = std::abs(d) - half_b[j] - reach_a[j];
        if (!choice.may_win_as_face(s)) continue;
        const Vec3<S>& column = b_in_a.turn.column(j);
        choice.consider(
            {AxisKind::face_b, {}, box_face<S>(j, d < S(0)), d < S(0) ? -column : column, s});
    }
}

template <class S>
void try_box_edges(const Vec3<S>& half_a, const Vec3<S>& half_b, const Placement<S>& b_in_a,
                   const Mat3<S>& size, Choice<S>& choice) {
    // Unrolled, so that all these indices are constants.
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
#pragma GCC unroll 3
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const Vec3<S>& column = b_in_a.turn.column(j);
            // e_i x column has the components -column[i2] at i1 and column[i1] at i2.
            const S sine_squared = column[i1] * column[i1] + column[i2] * column[i2];
            if (!(sine_squared > kParallel<S>)) continue;
            const S d = b_in_a.offset[i2] * column[i1] - b_in_a.offset[i1] * column[i2];
            const S reach = half_a[i1] * size(i2, j) + half_a[i2] * size(i1, j) +
                            half_b[j1] * size(i, j2) + half_b[j2] * size(i, j1);
            const S room = std::abs(d) - reach;
            if (!choice.may_win_as_edges(room, sine_squared)) continue;
            const S per_length = S(1) / std::sqrt(sine_squared);
            const S s = room * per_length;
            if (!choice.may_win_as_edges(s)) continue;
            Vec3<S> n;
            const S scale = d < S(0) ? -per_length : per_length;
            n[i1] = -column[i2] * scale;
            n[i2] = column[i1] * scale;
            choice.consider({AxisKind::edges, box_edge_along(i, n),
                             box_edge_along(j, -b_in_a.local_direction(n)), n, s});
        }
    }
}

// A triangle and a box, in the frame of the box
// -----------------------------------------------------

template <class S>
struct LocalTriangle {
    LocalTriangle(const Triangle<S>& t, const Placement<S>& b_in_a) : normal_a(normal(t)) {
        const auto local = [&](const Vec3<S>& p) {
            return b_in_a.local_direction(p - b_in_a.offset);
        };
        corners = {local(t.a), local(t.b), local(t.c)};
    }

    std::array<Vec3<S>, 3> corners;
    Vec3<S> normal_a; ///< in the triangle's own frame
};

template <class S>
void try_triangle_faces(const LocalTriangle<S>& t, const Vec3<S>& half, const Placement<S>& b_in_a,
                        Choice<S>& choice) {
    const Vec3<S> n = b_in_a.local_direction(t.normal_a);
    const S height = -dot(n, t.corners[0]);
    const bool behind = height < S(0);
    choice.consider({AxisKind::face_a,
                     Feature(FeatureKind::face, behind ? 1 : 0),
                     {},
                     behind ? -t.normal_a : t.normal_a,
                     std::abs(height) - dot(abs(n), half)});
    const Vec3<S> lo = min(min(t.corners[0], t.corners[1]), t.corners[2]);
    const Vec3<S> hi = max(max(t.corners[0], t.corners[1]), t.corners[2]);
    for (int j = 0; j < 3; ++j) {
        const bool above = lo[j] >= -hi[j];
        const S s = (above ? lo[j] : -hi[j]) - half[j];
        const Vec3<S>& column = b_in_a.turn.column(j);
        choice.consider({AxisKind::face_b, {}, box_face<S>(j, above), above ? -column : column, s});
    }
}

/// Only the directions in which an edge is the farthest of the triangle.
template <class S>
void try_triangle_edges(const LocalTriangle<S>& t, const Vec3<S>& half, const Placement<S>& b_in_a,
                        Choice<S>& choice) {
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3<S>&p = t.corners[i], &third = t.corners[(i + 2) % 3];
        const Vec3<S> d = t.corners[(i + 1) % 3] - p;
        const S parallel = kParallel<S> * length_squared(d);
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            // e_j x d has the components -d[j2] at j1 and d[j1] at j2.
            const S squared = d[j1] * d[j1] + d[j2] * d[j2];
            if (!(squared > parallel)) continue;
            const S at = d[j1] * p[j2] - d[j2] * p[j1];
            const bool flip = d[j1] * third[j2] - d[j2] * third[j1] > at;
            const S reach = std::abs(d[j1]) * half[j2] + std::abs(d[j2]) * half[j1];
            const S room = (flip ? at : -at) - reach;
            if (!choice.may_win_as_edges(room, squared)) continue;
            const S per_length = S(1) / std::sqrt(squared), s = room * per_length;
            if (!choice.may_win_as_edges(s)) continue;
            const S scale = flip ? -per_length : per_length;
            Vec3<S> n;
            n[j1] = -d[j2] * scale;
            n[j2] = d[j1] * scale;
            choice.consider({AxisKind::edges,
                             Feature(FeatureKind::edge, static_cast<std::uint32_t>(i)),
                             box_edge_along(j, -n), b_in_a.direction(n), s});
        }
    }
}

} // namespace

template <class S>
SeparatingAxis<S> find_box_axis(const Core<S>& a, const Core<S>& b, const Placement<S>& b_in_a,
                                const ContactSettings<S>& wanted, const SeparatingAxis<S>& guess) {
    Choice<S> choice(guess, wanted);
    const Mat3<S> size{abs(b_in_a.turn.cx), abs(b_in_a.turn.cy), abs(b_in_a.turn.cz)};
    try_box_faces(a.size, b.size, b_in_a, size, choice);
    if (!choice.is_apart()) try_box_edges(a.size, b.size, b_in_a, size, choice);
    return choice.best();
}

template <class S>
SeparatingAxis<S> find_triangle_box_axis(const Core<S>& a, const Core<S>& b,
                                         const Placement<S>& b_in_a,
                                         const ContactSettings<S>& wanted,
                                         const SeparatingAxis<S>& guess) {
    Choice<S> choice(guess, wanted);
    const LocalTriangle<S> triangle(a.triangle, b_in_a);
    try_triangle_faces(triangle, b.size, b_in_a, choice);
    if (!choice.is_apart()) try_triangle_edges(triangle, b.size, b_in_a, choice);
    return choice.best();
}

#define RIGOR_INSTANTIATE(S)                                                                       \
    template SeparatingAxis<S> find_box_axis(const Core<S>&, const Core<S>&, const Placement<S>&,  \
                                             const ContactSettings<S>&, const SeparatingAxis<S>&); \
    template SeparatingAxis<S> find_triangle_box_axis(                                             \
        const Core<S>&, const Core<S>&, const Placement<S>&, const ContactSettings<S>&,            \
        const SeparatingAxis<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
