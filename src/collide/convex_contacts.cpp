#include "collide/convex_contacts.h"

#include "collide/convex_distance.h"
#include "collide/gjk.h"
#include "collide/manifold_builder.h"

namespace rigor {
namespace {

/// No point of B has moved by more, seen from A, between the two poses.
template <class S>
S motion_between(const Pose<S>& first, const Pose<S>& second, const Core<S>& b) {
    const Quat<S> turn = conjugate(first.q) * second.q;
    const S sine = length(Vec3<S>{turn.x, turn.y, turn.z}); // of half the angle
    constexpr S kDiagonal = S(1.7321);
    return length(second.p - first.p) + S(2) * sine * kDiagonal * extent(b);
}

/// One question about two cores.
template <class S>
class ConvexContacts {
  public:
    ConvexContacts(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                   const ContactSettings<S>& wanted, ContactMemory<S>& memory,
                   Manifold<S>& manifold)
        : a_(a),
          b_(b),
          pose_(b_in_a),
          place_{to_matrix(b_in_a.q), b_in_a.p},
          wanted_(wanted),
          memory_(memory),
          builder_(a, b, place_, wanted, manifold) {
        core_margin_ = wanted.margin + a.radius + b.radius;
    }

    void run() {
        if (still_apart()) return;
        if (is_polyhedron(a_) && is_polyhedron(b_)) return between_polyhedra();
        nearest_first(convex_distance<S>(a_, b_, pose_, nullptr, wanted_.margin));
    }

  private:
    /// Whether the direction that kept them apart last time still does.
    bool still_apart() {
        if (memory_.kind != AxisKind::direction) return false;
        std::uint32_t hint_a = 0, hint_b = 0;
        const Vec3<S>& n = memory_.direction;
        const Vec3<S> top = support(a_, n, hint_a);
        const Vec3<S> low = place_.point(support(b_, -place_.local_direction(n), hint_b));
        return dot(n, low - top) > core_margin_;
    }

    void remember(const SeparatingAxis<S>& axis) {
        memory_ = {axis.kind, axis.a, axis.b, axis.normal, pose_};
    }

    void between_polyhedra() {
        SeparatingAxis<S> guess;
        if (memory_.kind > AxisKind::direction) guess = same_axis(a_, b_, place_, memory_);
        if (guess.separation > core_margin_) return;
        const bool hardly_moved = guess.kind != AxisKind::none &&
                                  motion_between(memory_.pose, pose_, b_) <= wanted_.tolerance;
        if (hardly_moved && build(guess)) return;
        const bool boxes = a_.kind == CoreKind::box && b_.kind == CoreKind::box;
        const bool overlapped = guess.kind != AxisKind::none && guess.separation <= S(0);
        if (!boxes && !overlapped) return apart_or_not(guess);
        separate(guess);
    }

    /// By axes; and by GJK when they are apart and the axis is not where they are nearest.
    void separate(const SeparatingAxis<S>& guess) {
        const ContactSettings<S> cores{core_margin_, wanted_.tolerance};
        SeparatingAxis<S> axis = find_separating_axis(a_, b_, place_, cores, guess);
        remember(axis);
        if (axis.separation > core_margin_ || build(axis)) return;
        if (!(axis.separation > S(0))) {
            // A face was preferred, and is not where they touch: now without preference.
            axis = find_separating_axis(a_, b_, place_, ContactSettings<S>{core_margin_, S(0)});
            remember(axis);
            if (build(axis)) return;
        }
        nearest_first(convex_distance<S>(a_, b_, pose_, nullptr, wanted_.margin));
    }

    /// GJK first: most pairs that are asked about do not touch.
    void apart_or_not(const SeparatingAxis<S>& guess) {
        CorePair<S> pair(a_, b_, pose_);
        const S unit = pair.unit();
        const Gjk<S> near = gjk(pair, Simplex<S>{}, core_margin_ / unit);
        if (near.overlap) return separate(guess);
        Distance<S> d;
        d.normal = near.v / -near.distance;
        d.distance = near.distance * unit - a_.radius - b_.radius;
        d.point_a = point_on_a(near.simplex) * unit + d.normal * a_.radius;
        d.point_b = pair.from_b(local_point_on_b(near.simplex)) * unit - d.normal * b_.radius;
        nearest_first(d);
    }

    /// The points of an axis; false when the solids may be nearer elsewhere.
    bool build(const SeparatingAxis<S>& axis) {
        if (axis.kind == AxisKind::edges) {
            return builder_.across_edges(axis) || !(axis.separation > S(0));
        }
        const bool found = axis.kind == AxisKind::face_a ? builder_.over_face_of_a(axis.a.index())
                                                         : builder_.over_face_of_b(axis.b.index());
        return found && reaches(axis.separation);
    }

    /// Whether what lies over a face is as near as the face is from all of the other solid. If not,
    /// an edge of the face is nearer than its inside.
    bool reaches(S separation) const {
        return builder_.least_separation() <= separation + S(2) * wanted_.tolerance;
    }

    /// How far the other solid is above the plane of a polygon, less the radii.
    S over_polygon_of_a(const FacePolygon<S>& polygon) const {
        std::uint32_t hint = 0;
        const Vec3<S> low =
            place_.point(support(b_, -place_.local_direction(polygon.normal), hint));
        return dot(polygon.normal, low - polygon.corners[0].p);
    }
    S over_polygon_of_b(const FacePolygon<S>& polygon) const {
        std::uint32_t hint = 0;
        const Vec3<S> low = support(a_, -place_.direction(polygon.normal), hint);
        return dot(polygon.normal,
                   place_.local_direction(low - place_.offset) - polygon.corners[0].p);
    }

    /// From the nearest points: a face along the normal that separates as well, to the tolerance,
    /// is taken for the reference; else edges or vertices touch.
    void nearest_first(const Distance<S>& d) {
        SeparatingAxis<S> axis{AxisKind::direction, {}, {}, d.normal, d.distance};
        if (d.distance > wanted_.margin) return remember(axis);
        const bool was_a = memory_.kind == AxisKind::face_a,
                   was_b = memory_.kind == AxisKind::face_b;
        const S core_distance = d.distance + a_.radius + b_.radius;
        FacePolygon<S> face_a, face_b;
        face_along(a_, d.normal, face_a);
        face_along(b_, -place_.local_direction(d.normal), face_b);
        const S lowest = -std::numeric_limits<S>::infinity(), bonus = wanted_.tolerance;
        const S score_a =
            face_a.is_face() ? over_polygon_of_a(face_a) + (was_a ? bonus : S(0)) : lowest;
        const S score_b =
            face_b.is_face() ? over_polygon_of_b(face_b) + (was_b ? bonus : S(0)) : lowest;
        if (std::max(score_a, score_b) >= core_distance - bonus) {
            const bool use_a = score_a >= score_b;
            axis.kind = use_a ? AxisKind::face_a : AxisKind::face_b;
            axis.a = axis.b = Feature(FeatureKind::face, use_a ? face_a.face : face_b.face);
            axis.normal = use_a ? face_a.normal : -place_.direction(face_b.normal);
            remember(axis);
            const bool found = use_a ? builder_.over_polygon_of_a(face_a, axis.normal)
                                     : builder_.over_polygon_of_b(face_b, axis.normal);
            if (found && reaches(core_distance)) return;
        }
        memory_.kind = AxisKind::none;
        builder_.along_normal(d.normal, d.point_a - d.normal * a_.radius,
                              d.point_b + d.normal * b_.radius);
    }

    const Core<S>&a_, &b_;
    const Pose<S>& pose_;
    Placement<S> place_;
    const ContactSettings<S>& wanted_;
    ContactMemory<S>& memory_;
    ManifoldBuilder<S> builder_;
    S core_margin_{};
};

} // namespace

template <class S>
void convex_contacts(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                     const ContactSettings<S>& wanted, ContactMemory<S>& memory,
                     Manifold<S>& manifold) {
    ConvexContacts<S>(a, b, b_in_a, wanted, memory, manifold).run();
}

template <class S>
void contacts_along(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                    const Vec3<S>& normal, const ContactSettings<S>& wanted,
                    Manifold<S>& manifold) {
    const Placement<S> place{to_matrix(b_in_a.q), b_in_a.p};
    ManifoldBuilder<S> builder(a, b, place, wanted, manifold);
    FacePolygon<S> face;
    face_along(a, normal, face);
    if (face.is_face()) {
        builder.over_polygon_of_a(face, normal);
        return;
    }
    face_along(b, -place.local_direction(normal), face);
    if (face.is_face()) builder.over_polygon_of_b(face, normal);
}

template <class S>
void plane_contacts(const Plane<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                    const ContactSettings<S>& wanted, Manifold<S>& manifold) {
    const Placement<S> place{to_matrix(b_in_a.q), b_in_a.p};
    const Core<S> nothing{};
    ManifoldBuilder<S>(nothing, b, place, wanted, manifold).over_plane(a);
}

#define RIGOR_INSTANTIATE(S)                                                                     \
    template void convex_contacts(const Core<S>&, const Core<S>&, const Pose<S>&,                \
                                  const ContactSettings<S>&, ContactMemory<S>&, Manifold<S>&);   \
    template void contacts_along(const Core<S>&, const Core<S>&, const Pose<S>&, const Vec3<S>&, \
                                 const ContactSettings<S>&, Manifold<S>&);                       \
    template void plane_contacts(const Plane<S>&, const Core<S>&, const Pose<S>&,                \
                                 const ContactSettings<S>&, Manifold<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
