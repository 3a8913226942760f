#include "collide/separating_axis.h"

#include "collide/polyhedron.h"
#include "collide/room.h"
#include "collide/separating_axis_choice.h"

namespace rigor {
namespace {

/// How far the other is above a face.
template <class S>
S over_face(const Plane<S>& plane, const Core<S>& other, const Placement<S>& place,
            std::uint32_t& hint) {
    const Vec3<S> low = support(other, -place.local_direction(plane.normal), hint);
    return dot(plane.normal, place.point(low)) - plane.offset;
}

/// The faces of one of the two against the other, which is placed in its frame.
template <class S>
class FaceSearch {
  public:
    FaceSearch(const Polyhedron<S>& p, const Core<S>& other, const Placement<S>& place,
               AxisKind kind, const Placement<S>& b_in_a, Choice<S>& choice)
        : p_(p), other_(other), place_(place), kind_(kind), b_in_a_(b_in_a), choice_(choice) {}

    /// Begins with the face nearest to the common point: after that most others cannot win.
    void run(const typename CommonPoint<S>::Depths& depths, S error) {
        look_at(depths.nearest);
        for (std::uint32_t f = 0; f < p_.face_count(); ++f) {
            if (f != depths.nearest && choice_.may_win_as_face(error - depths.below[f])) look_at(f);
        }
    }

  private:
    void look_at(std::uint32_t f) {
        const Plane<S>& plane = p_.plane(f);
        const S s = over_face(plane, other_, place_, hint_);
        if (!choice_.may_win_as_face(s)) return;
        const Feature face(FeatureKind::face, f);
        if (kind_ == AxisKind::face_a) {
            choice_.consider({kind_, face, {}, plane.normal, s});
        } else {
            choice_.consider({kind_, {}, face, -b_in_a_.direction(plane.normal), s});
        }
    }

    const Polyhedron<S>& p_;
    const Core<S>& other_;
    const Placement<S>& place_;
    AxisKind kind_;
    const Placement<S>& b_in_a_;
    Choice<S>& choice_;
    std::uint32_t hint_ = 0;
};

/// An edge, in A's frame.
template <class S>
struct EdgeRow {
    Vec3<S> p, d;        ///< a point of it, and its whole length
    Vec3<S> left, right; ///< normals of the faces beside it
    std::uint32_t number = 0;
};

template <class S>
using EdgeRows = InlineVector<EdgeRow<S>, 64>;

/// The edges of all faces that a common point is below by no more than `reach`.
template <class S>
void edges_near(const Polyhedron<S>& p, const S* below, S reach, EdgeRows<S>& rows) {
    const auto is_near = [&](std::uint32_t face) { return !(below[face] > reach); };
    p.visit_edges(is_near, [&](const EdgeIndex& index) {
        const Vec3<S>&v0 = p.vertex(index.v0), &v1 = p.vertex(index.v1);
        rows.push_back(
            {v0, v1 - v0, p.plane(index.left).normal, p.plane(index.right).normal, index.number});
    });
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
void try_edges(const Polyhedron<S>& a, const Polyhedron<S>& b, const Placement<S>& b_in_a,
               const CommonPoint<S>& common, Choice<S>& choice) {
    const S reach = std::max(-choice.least_for_edges(), S(0)) + common.error;
    EdgeRows<S> rows_a, rows_b;
    edges_near(a, common.a.below, reach, rows_a);
    edges_near(b, common.b.below, reach, rows_b);
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

template <class S>
void measure(const Core<S>& core, const Vec3<S>& point, typename CommonPoint<S>::Depths& out) {
    const Polyhedron<S> p(core);
    const std::uint32_t count = p.plane_count();
    S* below = room_for(count, out.room);
    for (std::uint32_t f = 0; f < count; ++f) {
        const Plane<S>& plane = p.plane(f);
        below[f] = plane.offset - dot(plane.normal, point);
    }
    out.lowest = below[0];
    for (std::uint32_t f = 1; f < count; ++f) {
        if (f < p.face_count() && below[f] < below[out.nearest]) out.nearest = f;
        out.lowest = std::min(out.lowest, below[f]);
    }
    out.below = below;
}

} // namespace

template <class S>
CommonPoint<S>::CommonPoint(const Core<S>& core_a, const Core<S>& core_b,
                            const Placement<S>& b_in_a, const Vec3<S>& point, S error_of_point)
    : error(error_of_point) {
    measure(core_a, point, a);
    measure(core_b, b_in_a.local_direction(point - b_in_a.offset), b);
}

template <class S>
SeparatingAxis<S> find_separating_axis(const Core<S>& a, const Core<S>& b,
                                       const Placement<S>& b_in_a, const ContactSettings<S>& wanted,
                                       const CommonPoint<S>& common,
                                       const SeparatingAxis<S>& guess) {
    Choice<S> choice(guess, wanted);
    const Polyhedron<S> p(a), q(b);
    const Placement<S> a_in_b = inverse(b_in_a);
    FaceSearch<S>(p, b, b_in_a, AxisKind::face_a, b_in_a, choice).run(common.a, common.error);
    FaceSearch<S>(q, a, a_in_b, AxisKind::face_b, b_in_a, choice).run(common.b, common.error);
    try_edges(p, q, b_in_a, common, choice);
    return choice.best();
}

template <class S>
SeparatingAxis<S> same_axis(const Core<S>& a, const Core<S>& b, const Placement<S>& b_in_a,
                            const ContactMemory<S>& memory) {
    if (memory.kind == AxisKind::edges) return same_edges(a, b, b_in_a, memory);
    SeparatingAxis<S> axis{memory.kind, memory.a, memory.b, {}};
    std::uint32_t hint = 0;
    if (memory.kind == AxisKind::face_a) {
        const Plane<S> plane = face_plane(a, memory.a.index());
        axis.normal = plane.normal;
        axis.separation = over_face(plane, b, b_in_a, hint);
    } else {
        const Plane<S> plane = face_plane(b, memory.b.index());
        axis.normal = -b_in_a.direction(plane.normal);
        axis.separation = over_face(plane, a, inverse(b_in_a), hint);
    }
    return axis;
}

#define RIGOR_INSTANTIATE(S)                                                                  \
    template struct CommonPoint<S>;                                                           \
    template SeparatingAxis<S> find_separating_axis(                                          \
        const Core<S>&, const Core<S>&, const Placement<S>&, const ContactSettings<S>&,       \
        const CommonPoint<S>&, const SeparatingAxis<S>&);                                     \
    template SeparatingAxis<S> same_axis(const Core<S>&, const Core<S>&, const Placement<S>&, \
                                         const ContactMemory<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
