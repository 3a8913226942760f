#include "collide/separating_axis.h"

#include "collide/polyhedron.h"
#include "math/tolerances.h"

namespace rigor {
namespace {

/// The square of the sine below which two edges count as parallel: their cross product would be
/// rounding. The faces beside them separate as well then, but for as little.
template <class S>
constexpr S kParallel = sizeof(S) == sizeof(double) ? S(1e-16) : S(1e-6);

template <class S>
Placement<S> inverse(const Placement<S>& b_in_a) {
    return {transpose(b_in_a.turn), -transpose_multiply(b_in_a.turn, b_in_a.offset)};
}

template <class S>
S score(const SeparatingAxis<S>& axis, S tolerance, bool remembered) {
    const S as_face = axis.kind == AxisKind::edges ? S(0) : tolerance;
    return axis.separation + as_face + (remembered ? tolerance : S(0));
}

/// Keeps the best axis met.
template <class S>
class Choice {
  public:
    Choice(const SeparatingAxis<S>& guess, const ContactSettings<S>& wanted)
        : best_(guess), tolerance_(wanted.tolerance), margin_(wanted.margin) {
        score_ = score(guess, tolerance_, true);
    }

    const SeparatingAxis<S>& best() const { return best_; }
    bool is_apart() const { return best_.separation > margin_; }

    /// Whether a face that separates by no more than `separation` is still of interest.
    bool may_win_as_face(S separation) const { return separation + tolerance_ > score_; }
    bool may_win_as_edges(S separation) const { return separation > score_; }
    /// No edges are of interest that separate by less.
    S least_for_edges() const { return score_; }

    void consider(const SeparatingAxis<S>& axis) {
        const S s = score(axis, tolerance_, false);
        // What separates by more than the margin ends the search, whatever was remembered.
        if (!(s > score_) && !(axis.separation > margin_)) return;
        best_ = axis;
        score_ = s;
    }

  private:
    SeparatingAxis<S> best_;
    S tolerance_, margin_, score_;
};

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
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const Vec3<S>& column = b_in_a.turn.column(j);
            // e_i x column has the components -column[i2] at i1 and column[i1] at i2.
            const S sine_squared = column[i1] * column[i1] + column[i2] * column[i2];
            if (!(sine_squared > kParallel<S>)) continue;
            const S d = b_in_a.offset[i2] * column[i1] - b_in_a.offset[i1] * column[i2];
            const S reach = half_a[i1] * size(i2, j) + half_a[i2] * size(i1, j) +
                            half_b[j1] * size(i, j2) + half_b[j2] * size(i, j1);
            const S per_length = S(1) / std::sqrt(sine_squared);
            const S s = (std::abs(d) - reach) * per_length;
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

template <class S>
SeparatingAxis<S> between_boxes(const Core<S>& a, const Core<S>& b, const Placement<S>& b_in_a,
                                Choice<S>& choice) {
    const Mat3<S> size{abs(b_in_a.turn.cx), abs(b_in_a.turn.cy), abs(b_in_a.turn.cz)};
    try_box_faces(a.size, b.size, b_in_a, size, choice);
    if (!choice.is_apart()) try_box_edges(a.size, b.size, b_in_a, size, choice);
    return choice.best();
}

// Any two -----------------------------------------------------------------------------------------

/// How far the other is above a face.
template <class S>
S over_face(const Plane<S>& plane, Polyhedron<S>& other, const Placement<S>& place) {
    const Vec3<S> low = other.support(-place.local_direction(plane.normal));
    return dot(plane.normal, place.point(low)) - plane.offset;
}

template <class S>
void try_faces(const Polyhedron<S>& p, Polyhedron<S>& other, const Placement<S>& place,
               AxisKind kind, const Placement<S>& b_in_a, Choice<S>& choice) {
    const Vec3<S> center = place.point(other.center());
    for (std::uint32_t f = 0; f < p.face_count(); ++f) {
        const Plane<S>& plane = p.plane(f);
        const S most = dot(plane.normal, center) - plane.offset - other.inner_radius();
        if (!choice.may_win_as_face(most)) continue;
        const S s = over_face(plane, other, place);
        if (!choice.may_win_as_face(s)) continue;
        const Feature face(FeatureKind::face, f);
        if (kind == AxisKind::face_a) {
            choice.consider({kind, face, {}, plane.normal, s});
        } else {
            choice.consider({kind, {}, face, -b_in_a.direction(plane.normal), s});
        }
        if (choice.is_apart()) return;
    }
}

/// An edge, in A's frame.
template <class S>
struct EdgeRow {
    Vec3<S> p, d;        ///< a point of it, and its whole length
    Vec3<S> left, right; ///< normals of the faces beside it
    std::uint32_t number = 0;
};

template <class S>
using EdgeRows = InlineVector<EdgeRow<S>, 64>;

template <class S>
Aabb<S> bounds_of(const Aabb<S>& box, const Placement<S>& place) {
    const Vec3<S> middle = place.point((box.lo + box.hi) * S(0.5));
    const Vec3<S> half = (box.hi - box.lo) * S(0.5);
    const Vec3<S> reach =
        abs(place.turn.cx) * half.x + abs(place.turn.cy) * half.y + abs(place.turn.cz) * half.z;
    return {middle - reach, middle + reach};
}

/// Two edges that separate by s touch once one solid is moved by s. So each of them is within |s|
/// of the other solid, and all others can be left out.
template <class S>
EdgeRows<S> edges_near(const Polyhedron<S>& p, const Aabb<S>& near) {
    EdgeRows<S> rows;
    for (std::uint32_t e = 0; e < p.edge_count(); ++e) {
        const EdgeIndex index = p.edge(e);
        const Vec3<S>&v0 = p.vertex(index.v0), &v1 = p.vertex(index.v1);
        if (!overlap(Aabb<S>{min(v0, v1), max(v0, v1)}, near)) continue;
        rows.push_back(
            {v0, v1 - v0, p.plane(index.left).normal, p.plane(index.right).normal, index.number});
    }
    return rows;
}

template <class S>
void place_rows(EdgeRows<S>& rows, const Placement<S>& place) {
    for (EdgeRow<S>& row : rows) {
        row.p = place.point(row.p);
        row.d = place.direction(row.d);
        row.left = place.direction(row.left);
        row.right = place.direction(row.right);
    }
}

/// Whether the arc between the normals of A's edge crosses that between the negated normals of B's:
/// then the two edges span a face of the difference.
template <class S>
bool make_a_face(const EdgeRow<S>& a, const EdgeRow<S>& b) {
    const S left_b = -dot(b.left, a.d), right_b = -dot(b.right, a.d);
    const S left_a = dot(a.left, b.d), right_a = dot(a.right, b.d);
    return left_b * right_b < S(0) && left_a * right_a < S(0) && left_b * right_a > S(0);
}

template <class S>
SeparatingAxis<S> across_edges(const EdgeRow<S>& a, const EdgeRow<S>& b) {
    SeparatingAxis<S> axis{AxisKind::edges, Feature(FeatureKind::edge, a.number),
                           Feature(FeatureKind::edge, b.number), cross(a.d, b.d)};
    const S squared = length_squared(axis.normal);
    if (!(squared > kParallel<S> * length_squared(a.d) * length_squared(b.d))) return {};
    const bool outward = dot(axis.normal, a.left + a.right) > S(0);
    axis.normal = axis.normal * ((outward ? S(1) : S(-1)) / std::sqrt(squared));
    axis.separation = dot(axis.normal, b.p - a.p);
    return axis;
}

template <class S>
void try_edges(const Polyhedron<S>& a, const Polyhedron<S>& b, const Placement<S>& b_in_a, S margin,
               Choice<S>& choice) {
    const S reach = std::max(-choice.least_for_edges(), S(0)) + margin;
    const Placement<S> a_in_b = inverse(b_in_a);
    const EdgeRows<S> rows_a = edges_near(a, expand(bounds_of(b.bounds(), b_in_a), reach));
    EdgeRows<S> rows_b = edges_near(b, expand(bounds_of(a.bounds(), a_in_b), reach));
    place_rows(rows_b, b_in_a);
    for (const EdgeRow<S>& row_a : rows_a) {
        for (const EdgeRow<S>& row_b : rows_b) {
            if (!make_a_face(row_a, row_b)) continue;
            const SeparatingAxis<S> axis = across_edges(row_a, row_b);
            if (choice.may_win_as_edges(axis.separation)) choice.consider(axis);
        }
    }
}

/// The two rows of an edge by its number as a feature: two for a triangle, which has each twice.
template <class S>
EdgeRows<S> rows_of(const Core<S>& core, std::uint32_t number) {
    const Polyhedron<S> p(core);
    EdgeRows<S> rows;
    const auto add = [&](const EdgeIndex& index) {
        const Vec3<S>&v0 = p.vertex(index.v0), &v1 = p.vertex(index.v1);
        rows.push_back(
            {v0, v1 - v0, p.plane(index.left).normal, p.plane(index.right).normal, number});
    };
    if (core.kind == CoreKind::hull) {
        const Hull<S>& hull = *core.hull;
        const HalfEdge& h = hull.half_edges[number];
        const HalfEdge& twin = hull.half_edges[h.twin];
        add({h.origin, twin.origin, h.face, twin.face, number});
        return rows;
    }
    add(p.edge(number));
    if (core.kind == CoreKind::triangle) add(p.edge(number + 3));
    return rows;
}

template <class S>
SeparatingAxis<S> same_edges(const Core<S>& a, const Core<S>& b, const Placement<S>& b_in_a,
                             const ContactMemory<S>& memory) {
    const EdgeRows<S> rows_a = rows_of(a, memory.a.index());
    EdgeRows<S> rows_b = rows_of(b, memory.b.index());
    place_rows(rows_b, b_in_a);
    for (const EdgeRow<S>& row_a : rows_a) {
        for (const EdgeRow<S>& row_b : rows_b) {
            if (make_a_face(row_a, row_b)) return across_edges(row_a, row_b);
        }
    }
    return {};
}

} // namespace

template <class S>
SeparatingAxis<S> find_separating_axis(const Core<S>& a, const Core<S>& b,
                                       const Placement<S>& b_in_a, const ContactSettings<S>& wanted,
                                       const SeparatingAxis<S>& guess) {
    Choice<S> choice(guess, wanted);
    if (a.kind == CoreKind::box && b.kind == CoreKind::box)
        return between_boxes(a, b, b_in_a, choice);
    Polyhedron<S> p(a), q(b);
    try_faces(p, q, b_in_a, AxisKind::face_a, b_in_a, choice);
    if (!choice.is_apart()) {
        try_faces(q, p, inverse(b_in_a), AxisKind::face_b, b_in_a, choice);
    }
    if (!choice.is_apart()) try_edges(p, q, b_in_a, wanted.margin, choice);
    return choice.best();
}

template <class S>
SeparatingAxis<S> same_axis(const Core<S>& a, const Core<S>& b, const Placement<S>& b_in_a,
                            const ContactMemory<S>& memory) {
    if (memory.kind == AxisKind::edges) return same_edges(a, b, b_in_a, memory);
    Polyhedron<S> p(a), q(b);
    SeparatingAxis<S> axis{memory.kind, memory.a, memory.b, {}};
    if (memory.kind == AxisKind::face_a) {
        const Plane<S>& plane = p.plane(memory.a.index());
        axis.normal = plane.normal;
        axis.separation = over_face(plane, q, b_in_a);
    } else {
        const Plane<S>& plane = q.plane(memory.b.index());
        axis.normal = -b_in_a.direction(plane.normal);
        axis.separation = over_face(plane, p, inverse(b_in_a));
    }
    return axis;
}

#define RIGOR_INSTANTIATE(S)                                                                  \
    template SeparatingAxis<S> find_separating_axis(                                          \
        const Core<S>&, const Core<S>&, const Placement<S>&, const ContactSettings<S>&,       \
        const SeparatingAxis<S>&);                                                            \
    template SeparatingAxis<S> same_axis(const Core<S>&, const Core<S>&, const Placement<S>&, \
                                         const ContactMemory<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
