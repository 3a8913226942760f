#include "collide/separating_axis.h"

#include "collide/inline_storage.h"
#include "collide/polyhedron.h"
#include "collide/separating_axis_choice.h"

namespace rigor {
namespace {

/// The height of the other above a face.
template <class S>
S over_face(const Plane<S>& plane, const Core<S>& other, const Transform<S>& place,
            std::uint32_t& hint) {
    const Vec3<S> low = support(other, -place.local_direction(plane.normal), hint);
    return dot(plane.normal, place.point(low)) - plane.offset;
}

using NearFaces = InlineVector<std::uint32_t, 64>;

/// The faces that a common point is below by at most `max_depth`.
template <class S>
void list_near(const Polyhedron<S>& p, const S* below, S max_depth, NearFaces& near) {
    const std::uint32_t count = p.plane_count();
    for (std::uint32_t f = 0; f < count; ++f) {
        if (!(below[f] > max_depth)) near.push_back(f);
    }
}

/// The faces of one of the two against the other, which is placed in its frame.
template <class S>
class FaceSearch {
  public:
    FaceSearch(const Polyhedron<S>& p, const typename CommonPoint<S>::Depths& depths, S error,
               const Core<S>& other, const Transform<S>& place, AxisKind kind,
               const Transform<S>& b_in_a, Choice<S>& choice)
        : p_(p),
          depths_(depths),
          error_(error),
          other_(other),
          place_(place),
          kind_(kind),
          b_in_a_(b_in_a),
          choice_(choice) {}

    /// After the face nearest to the common point most others are culled.
    void test_nearest() { test_face(depths_.nearest, p_.plane(depths_.nearest)); }

    void test_others(const NearFaces& near) {
        S least = least_below();
        for (const std::uint32_t f : near) {
            if (!(depths_.below[f] < least) || f == depths_.nearest || f >= p_.face_count())
                continue;
            // The separation is at most the height of the lowest point so far.
            const Plane<S>& plane = p_.plane(f);
            if (!choice_.may_win_as_face(dot(plane.normal, low_) - plane.offset)) continue;
            test_face(f, plane);
            least = least_below();
        }
    }

    /// A point of the other, below the first face tested; in the frame of this one.
    const Vec3<S>& low() const { return low_; }

  private:
    /// Only faces that the common point is less below may win.
    S least_below() const { return error_ - choice_.least_for_faces(); }

    void test_face(std::uint32_t f, const Plane<S>& plane) {
        low_ = place_.point(support(other_, -place_.local_direction(plane.normal), hint_));
        const S s = dot(plane.normal, low_) - plane.offset;
        if (!choice_.may_win_as_face(s)) return;
        const Feature face(FeatureKind::face, f);
        if (kind_ == AxisKind::face_a) {
            choice_.consider({kind_, face, {}, plane.normal, s});
        } else {
            choice_.consider({kind_, {}, face, -b_in_a_.direction(plane.normal), s});
        }
    }

    const Polyhedron<S>& p_;
    const typename CommonPoint<S>::Depths& depths_;
    S error_;
    const Core<S>& other_;
    const Transform<S>& place_;
    AxisKind kind_;
    const Transform<S>& b_in_a_;
    Choice<S>& choice_;
    std::uint32_t hint_ = 0;
    Vec3<S> low_;
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

/// The edges of faces that a common point is below by at most `max_depth`; of these, only the edges
/// of a face that `low`, a point of the other, is also below by at most that. The planes of both
/// faces pass through the edge.
template <class S>
void edges_near(const Polyhedron<S>& p, const NearFaces& near, const S* below, const Vec3<S>& low,
                S max_depth, EdgeRows<S>& rows) {
    const auto is_near = [&](std::uint32_t face) { return !(below[face] > max_depth); };
    p.visit_edges(near, is_near, [&](const EdgeIndex& index) {
        const Vec3<S>&v0 = p.vertex(index.v0), &v1 = p.vertex(index.v1);
        const Vec3<S>&left = p.plane(index.left).normal, &right = p.plane(index.right).normal;
        const Vec3<S> up = v0 - low;
        if (dot(left, up) > max_depth && dot(right, up) > max_depth) return;
        rows.push_back({v0, v1 - v0, left, right, index.number});
    });
}

template <class S>
void place_rows(EdgeRows<S>& rows, const Transform<S>& place) {
    for (EdgeRow<S>& row : rows) {
        row.p = place.point(row.p);
        row.d = place.direction(row.d);
        row.left = place.direction(row.left);
        row.right = place.direction(row.right);
    }
}

/// Whether the arc between the normals of A's edge crosses that between the negated normals of B's
/// (Gauss map): then the two edges form a face of the difference.
template <class S>
bool make_a_face(const EdgeRow<S>& a, const EdgeRow<S>& b) {
    const S left_b = -dot(b.left, a.d), right_b = -dot(b.right, a.d);
    if (!(left_b * right_b < S(0))) return false;
    const S left_a = dot(a.left, b.d), right_a = dot(a.right, b.d);
    return left_a * right_a < S(0) && left_b * right_a > S(0);
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
void try_edges(EdgeRows<S>& rows_a, EdgeRows<S>& rows_b, const Transform<S>& b_in_a,
               Choice<S>& choice) {
    place_rows(rows_b, b_in_a);
    for (const EdgeRow<S>& row_a : rows_a) {
        for (const EdgeRow<S>& row_b : rows_b) {
            if (!make_a_face(row_a, row_b)) continue;
            const SeparatingAxis<S> axis = across_edges(row_a, row_b);
            if (choice.may_win_as_edges(axis.separation)) choice.consider(axis);
        }
    }
}

/// The two rows of an edge by its feature number: two for a triangle, which has each edge twice.
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
SeparatingAxis<S> same_edges(const Core<S>& a, const Core<S>& b, const Transform<S>& b_in_a,
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

/// The depths of a point below planes; the least of them, and its index.
template <class S, class PlaneAt>
std::uint32_t measure_below(const Vec3<S>& point, std::uint32_t count, PlaneAt&& plane_at,
                            S* below) {
    std::uint32_t nearest = 0;
    S least = std::numeric_limits<S>::infinity();
    for (std::uint32_t f = 0; f < count; ++f) {
        const Plane<S>& plane = plane_at(f);
        below[f] = plane.offset - dot(plane.normal, point);
        if (!(below[f] < least)) continue;
        nearest = f;
        least = below[f];
    }
    return nearest;
}

template <class S>
void measure(const Polyhedron<S>& p, const Vec3<S>& point, typename CommonPoint<S>::Depths& out) {
    const std::uint32_t count = p.plane_count();
    S* below = array_for(count, out.storage);
    if (const Hull<S>* hull = p.hull()) {
        const HullFace<S>* faces = hull->faces.data();
        const auto plane_at = [&](std::uint32_t f) -> const Plane<S>& { return faces[f].plane; };
        out.nearest = measure_below(point, count, plane_at, below);
    } else {
        const auto plane_at = [&](std::uint32_t f) -> const Plane<S>& { return p.plane(f); };
        out.nearest = measure_below(point, count, plane_at, below);
    }
    out.lowest = below[out.nearest];
    // The sides of a triangle are no faces.
    if (out.nearest >= p.face_count()) out.nearest = below[1] < below[0] ? 1 : 0;
    out.below = below;
}

} // namespace

template <class S>
CommonPoint<S>::CommonPoint(const Core<S>& core_a, const Core<S>& core_b,
                            const Transform<S>& b_in_a, const Vec3<S>& point, S error_of_point)
    : error(error_of_point) {
    measure(Polyhedron<S>(core_a), point, a);
    measure(Polyhedron<S>(core_b), b_in_a.local_point(point), b);
}

template <class S>
SeparatingAxis<S> find_separating_axis(const Core<S>& a, const Core<S>& b,
                                       const Transform<S>& b_in_a, const ContactSettings<S>& wanted,
                                       const CommonPoint<S>& common,
                                       const SeparatingAxis<S>& guess) {
    Choice<S> choice(guess, wanted);
    const Polyhedron<S> p(a), q(b);
    const Transform<S> a_in_b = inverse(b_in_a);
    FaceSearch<S> faces_a(p, common.a, common.error, b, b_in_a, AxisKind::face_a, b_in_a, choice);
    FaceSearch<S> faces_b(q, common.b, common.error, a, a_in_b, AxisKind::face_b, b_in_a, choice);
    faces_a.test_nearest();
    faces_b.test_nearest();
    const Vec3<S> low_b = faces_a.low(), low_a = faces_b.low();
    // The features that may still win, as a face or an edge.
    const S max_depth = std::max(-choice.least_for_faces(), S(0)) + common.error;
    NearFaces near_a, near_b;
    list_near(p, common.a.below, max_depth, near_a);
    list_near(q, common.b.below, max_depth, near_b);
    faces_a.test_others(near_a);
    faces_b.test_others(near_b);
    const S edge_reach = std::max(-choice.least_for_edges(), S(0)) + common.error;
    EdgeRows<S> rows_a, rows_b;
    edges_near(p, near_a, common.a.below, low_b, edge_reach, rows_a);
    edges_near(q, near_b, common.b.below, low_a, edge_reach, rows_b);
    try_edges(rows_a, rows_b, b_in_a, choice);
    return choice.best();
}

template <class S>
SeparatingAxis<S> same_axis(const Core<S>& a, const Core<S>& b, const Transform<S>& b_in_a,
                            const ContactMemory<S>& memory) {
    if (memory.kind == AxisKind::edges) return same_edges(a, b, b_in_a, memory);
    if (a.kind == CoreKind::box && b.kind == CoreKind::box)
        return same_box_face(a, b, b_in_a, memory);
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
        const Core<S>&, const Core<S>&, const Transform<S>&, const ContactSettings<S>&,       \
        const CommonPoint<S>&, const SeparatingAxis<S>&);                                     \
    template SeparatingAxis<S> same_axis(const Core<S>&, const Core<S>&, const Transform<S>&, \
                                         const ContactMemory<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
