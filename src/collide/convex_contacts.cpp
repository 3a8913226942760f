#include "collide/convex_contacts.h"

#include "collide/convex_distance.h"
#include "collide/gjk.h"
#include "collide/manifold_builder.h"

namespace rigor {
namespace {

/// Upper bound of the displacement of points of B, as seen from A, between the two poses.
template <class S>
S motion_between(const Pose<S>& first, const Pose<S>& second, const Core<S>& b) {
    const Quat<S> turn = conjugate(first.q) * second.q;
    const S sine = length(Vec3<S>{turn.x, turn.y, turn.z}); // of half the angle
    constexpr S kDiagonal = S(1.7321);
    return length(second.p - first.p) + S(2) * sine * kDiagonal * extent(b);
}

/// One contact query of two cores.
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
        nearest_first(measured());
    }

  private:
    /// Initial points for GJK: the support points along the normal of the last query.
    DistanceCache<S> start() const {
        DistanceCache<S> points;
        const Vec3<S>& n = memory_.direction;
        if (n == Vec3<S>{}) return points;
        std::uint32_t hint_a = 0, hint_b = 0;
        points.points_a[0] = support(a_, n, hint_a);
        points.points_b[0] = support(b_, -place_.local_direction(n), hint_b);
        points.count = 1;
        return points;
    }

    Distance<S> measured() const {
        DistanceCache<S> points = start();
        return convex_distance<S>(a_, b_, pose_, &points, wanted_.margin);
    }

    /// Whether the separating direction of the last query still separates.
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
        const bool was_known = guess.kind != AxisKind::none;
        const bool hardly_moved =
            was_known && motion_between(memory_.pose, pose_, b_) <= wanted_.tolerance;
        // A separating face and points equally near prove each other.
        const bool apart_by_face =
            was_known && guess.kind != AxisKind::edges && guess.separation > S(0);
        if ((hardly_moved || apart_by_face) && build(guess)) return;
        builder_.clear();
        if (b_.kind == CoreKind::box && a_.kind == CoreKind::box)
            return separate_by(find_box_axis<S>, guess);
        if (b_.kind == CoreKind::box && a_.kind == CoreKind::triangle)
            return separate_by(find_triangle_box_axis<S>, guess);
        if (was_known && !(guess.separation > S(0))) {
            const CommonPoint<S> common(a_, b_, place_, builder_.last_middle(), S(0));
            if (common.is_inside()) return separate(guess, common);
        }
        apart_or_not(guess);
    }

    ContactSettings<S> between_cores(S tolerance) const { return {core_margin_, tolerance}; }

    template <class Find>
    void separate_by(Find&& find, const SeparatingAxis<S>& guess) {
        build_from_axis(find(a_, b_, place_, between_cores(wanted_.tolerance), guess),
                        [&] { return find(a_, b_, place_, between_cores(S(0)), {}); });
    }

    void separate(const SeparatingAxis<S>& guess, const CommonPoint<S>& common) {
        const auto find = [&](S tolerance, const SeparatingAxis<S>& first) {
            return find_separating_axis(a_, b_, place_, between_cores(tolerance), common, first);
        };
        build_from_axis(find(wanted_.tolerance, guess), [&] { return find(S(0), {}); });
    }

    /// By SAT; and by GJK when they are apart and the axis is not the direction of the closest
    /// points.
    template <class WithoutPreference>
    void build_from_axis(SeparatingAxis<S> axis, WithoutPreference&& without_preference) {
        remember(axis);
        if (axis.separation > core_margin_ || build(axis)) return;
        if (!(axis.separation > S(0))) {
            // A face was preferred, and is not where they touch: now without preference.
            axis = without_preference();
            remember(axis);
            if (build(axis)) return;
        }
        nearest_first(measured());
    }

    /// GJK first: most pairs do not touch.
    void apart_or_not(const SeparatingAxis<S>& guess) {
        CorePair<S> pair(a_, b_, pose_);
        const S unit = pair.unit();
        Simplex<S> first;
        if (const DistanceCache<S> points = start(); points.count > 0)
            first.add(pair.difference(points.points_a[0], points.points_b[0]));
        const Gjk<S> near = gjk(pair, first, core_margin_ / unit);
        if (near.overlap) {
            return separate(guess, CommonPoint<S>(a_, b_, place_, point_on_a(near.simplex) * unit,
                                                  S(4) * kConverged<S> * unit));
        }
        Distance<S> d;
        d.normal = near.v / -near.distance;
        d.distance = near.distance * unit - a_.radius - b_.radius;
        d.point_a = point_on_a(near.simplex) * unit + d.normal * a_.radius;
        d.point_b = pair.from_b(local_point_on_b(near.simplex)) * unit - d.normal * b_.radius;
        nearest_first(d);
    }

    /// The manifold of an axis; false when the solids may be nearer elsewhere.
    bool build(const SeparatingAxis<S>& axis) {
        if (axis.kind == AxisKind::edges) {
            return over_flat_face(axis.normal, axis.separation) || builder_.across_edges(axis) ||
                   !(axis.separation > S(0));
        }
        const bool found = axis.kind == AxisKind::face_a ? builder_.over_face_of_a(axis.a.index())
                                                         : builder_.over_face_of_b(axis.b.index());
        return found && reaches(axis.separation);
    }

    /// Whether the points over a face are as near as the separation across the face. If not, an
    /// edge of the face is nearer than its interior.
    bool reaches(S separation) const {
        return builder_.least_separation() <= separation + S(2) * wanted_.tolerance;
    }

    /// The separation of the other solid from the plane of a polygon, less the radii.
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

    /// The manifold over a face nearly parallel to two touching edges, if it is as deep as they
    /// are. One that reaches beyond the face (a ridge under a plank) makes the face a worse axis
    /// than the edges by more than the tolerance, but they carry the load at both ends of their
    /// overlap.
    bool over_flat_face(const Vec3<S>& normal, S separation) {
        if (!(wanted_.flat_cosine < S(1)) || a_.kind == CoreKind::triangle ||
            b_.kind == CoreKind::triangle)
            return false;
        FacePolygon<S> face_a, face_b;
        face_along(a_, normal, face_a);
        face_along(b_, -place_.local_direction(normal), face_b);
        const Vec3<S> out_of_b = -place_.direction(face_b.normal);
        const S cosine_a = dot(face_a.normal, normal), cosine_b = dot(out_of_b, normal);
        if (!(std::max(cosine_a, cosine_b) > wanted_.flat_cosine)) return false;
        const bool found = cosine_a >= cosine_b ? builder_.over_polygon_of_a(face_a, face_a.normal)
                                                : builder_.over_polygon_of_b(face_b, out_of_b);
        return found &&
               std::abs(builder_.least_separation() - separation) <= S(2) * wanted_.tolerance;
    }

    /// From the closest points: a face along the normal that separates as well, to the tolerance,
    /// becomes the reference; else edges or vertices touch.
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
        const S across_a = face_a.is_face() ? over_polygon_of_a(face_a) : lowest;
        const S across_b = face_b.is_face() ? over_polygon_of_b(face_b) : lowest;
        const S score_a = across_a + (was_a ? bonus : S(0));
        const S score_b = across_b + (was_b ? bonus : S(0));
        if (std::max(score_a, score_b) >= core_distance - bonus) {
            const bool use_a = score_a >= score_b;
            axis.kind = use_a ? AxisKind::face_a : AxisKind::face_b;
            axis.a = axis.b = Feature(FeatureKind::face, use_a ? face_a.face : face_b.face);
            axis.normal = use_a ? face_a.normal : -place_.direction(face_b.normal);
            remember(axis);
            const bool found = use_a ? builder_.over_polygon_of_a(face_a, axis.normal)
                                     : builder_.over_polygon_of_b(face_b, axis.normal);
            // A depth is rounded relative to the larger solid, which may be many times the other.
            if (found && reaches(std::max(core_distance, use_a ? across_a : across_b))) return;
        }
        memory_ = {AxisKind::none, {}, {}, d.normal, pose_};
        if (over_flat_face(d.normal, core_distance)) return;
        builder_.along_normal(d.normal, d.point_a - d.normal * a_.radius,
                              d.point_b + d.normal * b_.radius);
    }

    const Core<S>&a_, &b_;
    const Pose<S>& pose_;
    Transform<S> place_;
    const ContactSettings<S>& wanted_;
    ContactMemory<S>& memory_;
    ManifoldBuilder<S> builder_;
    S core_margin_{};
};

template <class S>
void between_spheres(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                     const ContactSettings<S>& wanted, Manifold<S>& manifold) {
    const S between = length(b_in_a.p), separation = between - a.radius - b.radius;
    manifold.count = separation <= wanted.margin ? 1 : 0;
    if (manifold.count == 0) return;
    // For two with the same center any direction separates; one along z would lift in most worlds.
    manifold.normal = between > S(0) ? normalize(b_in_a.p) : Vec3<S>{S(1), S(0), S(0)};
    const Feature only(FeatureKind::vertex, 0);
    manifold.points[0] = {manifold.normal * a.radius, separation, only, only};
}

/// Upper bound of the coordinates and radii of the two.
template <class S>
S max_extent(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a) {
    return std::max({extent(a), extent(b), a.radius, b.radius, max_component(abs(b_in_a.p))});
}

/// Whether products of a few lengths of this size neither overflow nor underflow.
template <class S>
bool is_usual(S size) {
    constexpr S kLarge = sizeof(S) == sizeof(double) ? S(1e60) : S(1e6);
    return size < kLarge && size > S(1) / kLarge;
}

/// A core in other units, with a hull of its own.
template <class S>
struct ScaledCore {
    ScaledCore(const Core<S>& original, S factor) : core(original) {
        core.size *= factor;
        core.radius *= factor;
        core.triangle = {core.triangle.a * factor, core.triangle.b * factor,
                         core.triangle.c * factor};
        if (core.kind != CoreKind::hull) return;
        hull = *original.hull;
        for (Vec3<S>& v : hull.vertices) v *= factor;
        for (HullFace<S>& face : hull.faces) face.plane.offset *= factor;
        hull.center *= factor;
        hull.inner_radius *= factor;
        core.hull = &hull;
    }
    ScaledCore(const ScaledCore&) = delete;
    ScaledCore& operator=(const ScaledCore&) = delete;

    Hull<S> hull;
    Core<S> core;
};

template <class S>
void scale(Manifold<S>& manifold, S factor) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(manifold.count); ++i) {
        manifold.points[i].point_a *= factor;
        manifold.points[i].separation *= factor;
    }
}

/// The same query in units of the size of the solids: slow, for rare extreme sizes.
template <class S>
void in_own_units(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                  const ContactSettings<S>& wanted, ContactMemory<S>& memory,
                  Manifold<S>& manifold) {
    const int limit = std::numeric_limits<S>::max_exponent - 2;
    const int exponent = std::clamp(exponent_above(max_extent(a, b, b_in_a)), -limit, limit);
    const S unit = power_of_two<S>(exponent), per_unit = power_of_two<S>(-exponent);
    const ScaledCore<S> x(a, per_unit), y(b, per_unit);
    const Pose<S> pose{b_in_a.p * per_unit, b_in_a.q};
    // A margin beyond all sizes is effectively infinite, but finite.
    const auto in_units = [&](S length) { return std::min(length * per_unit, S(1e6)); };
    const ContactSettings<S> scaled{in_units(wanted.margin), in_units(wanted.tolerance),
                                    wanted.flat_cosine};
    memory.pose.p *= per_unit;
    scale(manifold, per_unit);
    ConvexContacts<S>(x.core, y.core, pose, scaled, memory, manifold).run();
    memory.pose.p *= unit;
    scale(manifold, unit);
}

} // namespace

template <class S>
void convex_contacts(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                     const ContactSettings<S>& wanted, ContactMemory<S>& memory,
                     Manifold<S>& manifold) {
    if (!is_usual(max_extent(a, b, b_in_a)))
        return in_own_units(a, b, b_in_a, wanted, memory, manifold);
    if (a.kind == CoreKind::point && b.kind == CoreKind::point)
        return between_spheres(a, b, b_in_a, wanted, manifold);
    ConvexContacts<S>(a, b, b_in_a, wanted, memory, manifold).run();
}

template <class S>
void contacts_along(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a,
                    const Vec3<S>& normal, const ContactSettings<S>& wanted,
                    Manifold<S>& manifold) {
    const Transform<S> place{to_matrix(b_in_a.q), b_in_a.p};
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
    const Transform<S> place{to_matrix(b_in_a.q), b_in_a.p};
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
