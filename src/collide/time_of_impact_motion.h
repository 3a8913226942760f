// The relative motion of two solids, as seen from the center of the first.
//
// Only relative translation matters, so A's center stays at the origin and B's moves by the
// difference of both; the axes are the world's. Both rotate about their centers at constant rates.
#pragma once

#include <algorithm>
#include <cmath>

#include "collide/core.h"
#include "geometry/motion_bounds.h"
#include "math/tolerances.h"

namespace rigor {

template <class S>
struct PairMotion {
    Quat<S> qa, qb;                 ///< orientations at the start
    Vec3<S> center_a, center_b;     ///< in their own frames
    Vec3<S> offset;                 ///< from A's center to B's at the start
    Vec3<S> displacement;           ///< of B's center relative to A's
    Vec3<S> rotation_a, rotation_b; ///< rotation vectors

    PairMotion(const Motion<S>& a, const Motion<S>& b)
        : qa(a.start.q),
          qb(b.start.q),
          center_a(a.local_center),
          center_b(b.local_center),
          offset((b.start.p - a.start.p) + rotate(b.start.q, b.local_center) -
                 rotate(a.start.q, a.local_center)),
          displacement(b.displacement - a.displacement),
          rotation_a(a.rotation),
          rotation_b(b.rotation) {}

    Quat<S> orientation_a(S t) const { return turned(rotation_a, t, qa); }
    Quat<S> orientation_b(S t) const { return turned(rotation_b, t, qb); }

    Pose<S> b_in_a(S t) const {
        const Quat<S> a = orientation_a(t), b = orientation_b(t);
        const Vec3<S> origin_b = offset + displacement * t - rotate(b, center_b);
        return {center_a + inverse_rotate(a, origin_b), conjugate(a) * b};
    }

    /// The largest distance of the centers.
    S farthest() const { return std::max(length(offset), length(offset + displacement)); }

  private:
    static Quat<S> turned(const Vec3<S>& turn, S t, const Quat<S>& q) {
        return turn == Vec3<S>{} ? q : from_rotation_vector(turn * t) * q;
    }
};

template <class S>
PairMotion<S> mirror(const PairMotion<S>& m) {
    PairMotion<S> other = m;
    std::swap(other.qa, other.qb);
    std::swap(other.center_a, other.center_b);
    std::swap(other.rotation_a, other.rotation_b);
    other.offset = -m.offset;
    other.displacement = -m.displacement;
    return other;
}

/// Calls visit(point, rim) such that circles of the radii `rim` about these points, normal to z,
/// have the core as their hull.
template <class S, class Visit>
void visit_corners(const Core<S>& core, Visit&& visit) {
    const Vec3<S>& size = core.size;
    switch (core.kind) {
        case CoreKind::point:
            return visit(Vec3<S>{}, S(0));
        case CoreKind::segment:
        case CoreKind::cylinder:
            visit(Vec3<S>{S(0), S(0), -size.z}, size.x);
            return visit(Vec3<S>{S(0), S(0), size.z}, size.x);
        case CoreKind::cone:
            visit(Vec3<S>{S(0), S(0), size.y}, size.x);
            return visit(Vec3<S>{S(0), S(0), size.z}, S(0));
        case CoreKind::triangle:
            visit(core.triangle.a, S(0));
            visit(core.triangle.b, S(0));
            return visit(core.triangle.c, S(0));
        case CoreKind::box:
            for (int i = 0; i < 8; ++i) {
                visit(Vec3<S>{i & 1 ? size.x : -size.x, i & 2 ? size.y : -size.y,
                              i & 4 ? size.z : -size.z},
                      S(0));
            }
            return;
        case CoreKind::hull:
            for (const Vec3<S>& v : core.hull->vertices) visit(v, S(0));
    }
}

/// The largest distance of points of a core from a center.
template <class S>
S radius_from_center(const Core<S>& core, const Vec3<S>& center) {
    S radius = S(0);
    visit_corners(core, [&](const Vec3<S>& point, S rim) {
        radius = std::max(radius, length(point - center) + rim);
    });
    return radius;
}

/// The largest distance from the rotation axis; 0 without rotation. Of the core alone: a ball is
/// invariant under rotation. So is a circle under rotation about its own axis, which is why a
/// spinning wheel does not count as rotating.
template <class S>
S radius_from_axis(const Core<S>& core, const Vec3<S>& center, const Vec3<S>& local_turn) {
    if (local_turn == Vec3<S>{}) return S(0);
    const Vec3<S> axis = normalize(local_turn);
    const bool about_z = std::abs(axis.x) + std::abs(axis.y) <= S(4) * kEpsilon<S>;
    S radius = S(0);
    visit_corners(core, [&](const Vec3<S>& point, S rim) {
        const S across = length(cross(axis, point - center)) + (about_z ? S(0) : rim);
        radius = std::max(radius, across);
    });
    return radius;
}
template <class S>
S axis_radius_of_a(const Core<S>& a, const PairMotion<S>& m) {
    return radius_from_axis(a, m.center_a, inverse_rotate(m.qa, m.rotation_a));
}
template <class S>
S axis_radius_of_b(const Core<S>& b, const PairMotion<S>& m) {
    return radius_from_axis(b, m.center_b, inverse_rotate(m.qb, m.rotation_b));
}

/// A bound on the second derivative of every point of B in the rotating frame of A:
///
///     x = R_A^T (c + r_B),   |x"| <= w_A² |c + r_B| + 2 w_A |c' + w_B x r_B| + w_B² r_B ,
///
/// where `radius` is the largest |r_B|. So between two times h apart a point deviates from the
/// segment between its ends by at most |x"| h²/8 .
template <class S>
S relative_acceleration_bound(const PairMotion<S>& m, S from_axis, S radius) {
    const S wa = length(m.rotation_a), wb = length(m.rotation_b), swing = wb * from_axis;
    S bend = wb * swing;
    if (wa > S(0))
        bend += wa * (wa * (m.farthest() + radius) + S(2) * (length(m.displacement) + swing));
    return bend;
}

} // namespace rigor
