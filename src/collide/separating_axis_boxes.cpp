// The separating axis test for two boxes.

#include "collide/box_features.h"
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

/// The face that separates best: 0 to 2 of A, 3 to 5 of B, in the order of their axes.
template <class S>
struct BestFace {
    int number = 0;
    S separation{};
};

template <class S>
BestFace<S> best_box_face(const Vec3<S>& half_a, const Vec3<S>& half_b, const Transform<S>& b_in_a,
                          const Mat3<S>& size) {
    const Vec3<S> room_a = abs(b_in_a.offset) - half_a - size * half_b;
    const Vec3<S> room_b =
        abs(b_in_a.local_direction(b_in_a.offset)) - half_b - transpose_multiply(size, half_a);
    BestFace<S> best{0, room_a.x};
    const auto consider = [&](int number, S gap) {
        best.number = gap > best.separation ? number : best.number;
        best.separation = gap > best.separation ? gap : best.separation;
    };
    consider(1, room_a.y);
    consider(2, room_a.z);
    consider(3, room_b.x);
    consider(4, room_b.y);
    consider(5, room_b.z);
    return best;
}

template <class S>
SeparatingAxis<S> across_box_face(const BestFace<S>& face, const Transform<S>& b_in_a) {
    const bool of_a = face.number < 3;
    const int i = of_a ? face.number : face.number - 3;
    const Vec3<S>& column = b_in_a.turn.column(i);
    const bool back = (of_a ? b_in_a.offset[i] : dot(column, b_in_a.offset)) < S(0);
    const S sign = back ? S(-1) : S(1);
    if (of_a) {
        const Feature feature = box_face<S>(i, !back);
        return {AxisKind::face_a, feature, {}, box_normal<S>(feature.index()), face.separation};
    }
    return {AxisKind::face_b, {}, box_face<S>(i, back), column * sign, face.separation};
}

/// The cross product of A's axis i and B's axis j as a separating axis.
template <class S>
SeparatingAxis<S> across_box_edges(int i, int j, const Transform<S>& b_in_a, S separation) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const Vec3<S>&column = b_in_a.turn.column(j), &offset = b_in_a.offset;
    const S along = offset[i2] * column[i1] - offset[i1] * column[i2];
    const S length = std::sqrt(column[i1] * column[i1] + column[i2] * column[i2]);
    const S scale = (along < S(0) ? S(-1) : S(1)) / length;
    Vec3<S> n;
    n[i1] = -column[i2] * scale;
    n[i2] = column[i1] * scale;
    return {AxisKind::edges, box_edge_along(i, n), box_edge_along(j, -b_in_a.local_direction(n)), n,
            separation};
}

/// Separations are compared by their squares, with the sign kept: no roots are needed, and
/// divisions only for axes that win.
template <class S>
struct BestEdges {
    int i = -1, j = 0; ///< axes of A and of B; none is better where i is -1
    S separation{};
};

template <class S>
BestEdges<S> best_box_edges(const Vec3<S>& half_a, const Vec3<S>& half_b,
                            const Transform<S>& b_in_a, const Mat3<S>& size, S least) {
    S best = least * std::abs(least);
    int best_i = -1, best_j = 0;
    // Unrolled, so that all these indices are constants.
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
#pragma GCC unroll 3
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const Vec3<S>& column = b_in_a.turn.column(j);
            // e_i x column has the components -column[i2] at i1 and column[i1] at i2.
            const S squared = column[i1] * column[i1] + column[i2] * column[i2];
            const S along = b_in_a.offset[i2] * column[i1] - b_in_a.offset[i1] * column[i2];
            const S half_width = half_a[i1] * size(i2, j) + half_a[i2] * size(i1, j) +
                                 half_b[j1] * size(i, j2) + half_b[j2] * size(i, j1);
            const S gap = std::abs(along) - half_width;
            if (!(gap * std::abs(gap) > best * squared) || !(squared > kParallel<S>)) continue;
            best = gap * std::abs(gap) / squared;
            best_i = i;
            best_j = j;
        }
    }
    return {best_i, best_j, std::copysign(std::sqrt(std::abs(best)), best)};
}

// A triangle and a box, in the frame of the box -------------------------------------------------

template <class S>
struct LocalTriangle {
    LocalTriangle(const Triangle<S>& t, const Transform<S>& b_in_a) : normal_a(normal(t)) {
        const auto local = [&](const Vec3<S>& p) {
            return b_in_a.local_direction(p - b_in_a.offset);
        };
        corners = {local(t.a), local(t.b), local(t.c)};
    }

    std::array<Vec3<S>, 3> corners;
    Vec3<S> normal_a; ///< in the triangle's own frame
};

template <class S>
void try_triangle_faces(const LocalTriangle<S>& t, const Vec3<S>& half, const Transform<S>& b_in_a,
                        Choice<S>& choice) {
    const Vec3<S> n = b_in_a.local_direction(t.normal_a);
    const S height = -dot(n, t.corners[0]);
    const S over_triangle = std::abs(height) - dot(abs(n), half);
    if (choice.may_win_as_face(over_triangle)) {
        const bool behind = height < S(0);
        choice.consider({AxisKind::face_a,
                         Feature(FeatureKind::face, behind ? 1 : 0),
                         {},
                         behind ? -t.normal_a : t.normal_a,
                         over_triangle});
    }
    const Vec3<S> lo = min(min(t.corners[0], t.corners[1]), t.corners[2]);
    const Vec3<S> hi = max(max(t.corners[0], t.corners[1]), t.corners[2]);
    const Vec3<S> gap = max(lo, -hi) - half;
    const int j = gap.x >= gap.y ? (gap.x >= gap.z ? 0 : 2) : (gap.y >= gap.z ? 1 : 2);
    if (!choice.may_win_as_face(gap[j])) return;
    const bool above = lo[j] >= -hi[j];
    const Vec3<S>& column = b_in_a.turn.column(j);
    choice.consider(
        {AxisKind::face_b, {}, box_face<S>(j, above), above ? -column : column, gap[j]});
}

/// The cross product of the box's axis j and the triangle's edge i, away from its third vertex.
template <class S>
SeparatingAxis<S> across_triangle_edge(const Vec3<S>& d, std::uint32_t i, int j, bool flip,
                                       const Transform<S>& b_in_a, S separation) {
    const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const S scale = (flip ? S(-1) : S(1)) / std::sqrt(d[j1] * d[j1] + d[j2] * d[j2]);
    Vec3<S> n;
    n[j1] = -d[j2] * scale;
    n[j2] = d[j1] * scale;
    return {AxisKind::edges, Feature(FeatureKind::edge, i), box_edge_along(j, -n),
            b_in_a.direction(n), separation};
}

/// Only directions in which an edge is the farthest feature of the triangle. Compared by squares,
/// as for two boxes.
template <class S>
void try_triangle_edges(const LocalTriangle<S>& t, const Vec3<S>& half, const Transform<S>& b_in_a,
                        Choice<S>& choice) {
    const S least = choice.least_for_edges();
    S best = least * std::abs(least);
    std::size_t best_i = 3;
    int best_j = 0;
    bool best_flip = false;
#pragma GCC unroll 3
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3<S>&p = t.corners[i], &third = t.corners[(i + 2) % 3];
        const Vec3<S> d = t.corners[(i + 1) % 3] - p;
        const S parallel = kParallel<S> * length_squared(d);
#pragma GCC unroll 3
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            // e_j x d has the components -d[j2] at j1 and d[j1] at j2.
            const S squared = d[j1] * d[j1] + d[j2] * d[j2];
            const S at = d[j1] * p[j2] - d[j2] * p[j1];
            const bool flip = d[j1] * third[j2] - d[j2] * third[j1] > at;
            const S half_width = std::abs(d[j1]) * half[j2] + std::abs(d[j2]) * half[j1];
            const S gap = (flip ? at : -at) - half_width;
            if (!(gap * std::abs(gap) > best * squared) || !(squared > parallel)) continue;
            best = gap * std::abs(gap) / squared;
            best_i = i;
            best_j = j;
            best_flip = flip;
        }
    }
    if (best_i == 3) return;
    const Vec3<S> d = t.corners[(best_i + 1) % 3] - t.corners[best_i];
    const S separation = std::copysign(std::sqrt(std::abs(best)), best);
    choice.consider(across_triangle_edge(d, static_cast<std::uint32_t>(best_i), best_j, best_flip,
                                         b_in_a, separation));
}

} // namespace

template <class S>
SeparatingAxis<S> find_box_axis(const Core<S>& a, const Core<S>& b, const Transform<S>& b_in_a,
                                const ContactSettings<S>& wanted, const SeparatingAxis<S>& guess) {
    const Mat3<S> size{abs(b_in_a.turn.cx), abs(b_in_a.turn.cy), abs(b_in_a.turn.cz)};
    const BestFace<S> face = best_box_face(a.size, b.size, b_in_a, size);
    if (face.separation > wanted.margin) return across_box_face(face, b_in_a);
    const S guess_score = score(guess, wanted.tolerance, true);
    const S face_score = face.separation + wanted.tolerance;
    const BestEdges<S> edges =
        best_box_edges(a.size, b.size, b_in_a, size, std::max(guess_score, face_score));
    if (edges.i >= 0) return across_box_edges(edges.i, edges.j, b_in_a, edges.separation);
    if (guess_score >= face_score) return guess;
    return across_box_face(face, b_in_a);
}

template <class S>
SeparatingAxis<S> same_box_face(const Core<S>& a, const Core<S>& b, const Transform<S>& b_in_a,
                                const ContactMemory<S>& memory) {
    const bool of_a = memory.kind == AxisKind::face_a;
    const std::uint32_t face = of_a ? memory.a.index() : memory.b.index();
    const int i = static_cast<int>(face / 2);
    const S sign = face % 2 == 0 ? S(1) : S(-1);
    const Vec3<S>& offset = b_in_a.offset;
    SeparatingAxis<S> axis{memory.kind, memory.a, memory.b, {}};
    if (of_a) {
        axis.normal[i] = sign;
        axis.separation = sign * offset[i] - a.size[i] - dot(abs(b_in_a.turn.row(i)), b.size);
    } else {
        const Vec3<S>& column = b_in_a.turn.column(i);
        axis.normal = column * -sign;
        axis.separation = dot(axis.normal, offset) - b.size[i] - dot(abs(column), a.size);
    }
    return axis;
}

template <class S>
SeparatingAxis<S> find_triangle_box_axis(const Core<S>& a, const Core<S>& b,
                                         const Transform<S>& b_in_a,
                                         const ContactSettings<S>& wanted,
                                         const SeparatingAxis<S>& guess) {
    Choice<S> choice(guess, wanted);
    const LocalTriangle<S> triangle(a.triangle, b_in_a);
    try_triangle_faces(triangle, b.size, b_in_a, choice);
    if (!choice.is_apart()) try_triangle_edges(triangle, b.size, b_in_a, choice);
    return choice.best();
}

#define RIGOR_INSTANTIATE(S)                                                                       \
    template SeparatingAxis<S> find_box_axis(const Core<S>&, const Core<S>&, const Transform<S>&,  \
                                             const ContactSettings<S>&, const SeparatingAxis<S>&); \
    template SeparatingAxis<S> same_box_face(const Core<S>&, const Core<S>&, const Transform<S>&,  \
                                             const ContactMemory<S>&);                             \
    template SeparatingAxis<S> find_triangle_box_axis(                                             \
        const Core<S>&, const Core<S>&, const Transform<S>&, const ContactSettings<S>&,            \
        const SeparatingAxis<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
