// The motions of two solids, seen from the center of the first.
//
// Only relative translation counts, so A's center stays at the origin and B's moves by the
// difference of both; the axes are the world's. Both turn about their centers at constant rates.
#pragma once

#include <algorithm>
#include <cmath>

#include "collide/core.h"
#include "geometry/motion_bounds.h"
#include "math/tolerances.h"

namespace rigor {

template <class S>
struct PairMotion {
    Quat<S> qa, qb;             ///< orientations at the start
    Vec3<S> center_a, center_b; ///< in their own frames
    Vec3<S> offset;             ///< from A's center to B's at the start
    Vec3<S> way;                ///< how far B's center gets, seen from A's
    Vec3<S> turn_a, turn_b;     ///< rotation vectors

    PairMotion(const Motion<S>& a, const Motion<S>& b)
        : qa(a.start.q),
          qb(b.start.q),
          center_a(a.local_center),
          center_b(b.local_center),
          offset((b.start.p - a.start.p) + rotate(b.start.q, b.local_center) -
                 rotate(a.start.q, a.local_center)),
          way(b.displacement - a.displacement),
          turn_a(a.rotation),
          turn_b(b.rotation) {}

    Quat<S> orientation_a(S t) const { return turned(turn_a, t, qa); }
    Quat<S> orientation_b(S t) const { return turned(turn_b, t, qb); }

    Pose<S> b_in_a(S t) const {
        const Quat<S> a = orientation_a(t), b = orientation_b(t);
        const Vec3<S> origin_b = offset + way * t - rotate(b, center_b);
        return {center_a + inverse_rotate(a, origin_b), conjugate(a) * b};
    }

    /// The centers are never farther apart.
    S farthest() const { return std::max(length(offset), length(offset + way)); }

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
    std::swap(other.turn_a, other.turn_b);
    other.offset = -m.offset;
    other.way = -m.way;
    return other;
}

/// Calls visit(point, rim) so that circles of the radii `rim` about these points, across z, have
/// the core as their hull.
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
S reach_from_center(const Core<S>& core, const Vec3<S>& center) {
    S reach = S(0);
    visit_corners(core, [&](const Vec3<S>& point, S rim) {
        reach = std::max(reach, length(point - center) + rim);
    });
    return reach;
}

/// The largest distance from the axis it turns about; 0 when it does not turn. Of the core alone:
/// a ball looks the same however it turns. So does a circle that turns about its own axis, which
/// is why a wheel does not count as turning.
template <class S>
S reach_from_axis(const Core<S>& core, const Vec3<S>& center, const Vec3<S>& local_turn) {
    if (local_turn == Vec3<S>{}) return S(0);
    const Vec3<S> axis = normalize(local_turn);
    const bool about_z = std::abs(axis.x) + std::abs(axis.y) <= S(4) * kEpsilon<S>;
    S reach = S(0);
    visit_corners(core, [&](const Vec3<S>& point, S rim) {
        const S across = length(cross(axis, point - center)) + (about_z ? S(0) : rim);
        reach = std::max(reach, across);
    });
    return reach;
}
template <class S>
S reach_of_a(const Core<S>& a, const PairMotion<S>& m) {
    return reach_from_axis(a, m.center_a, inverse_rotate(m.qa, m.turn_a));
}
template <class S>
S reach_of_b(const Core<S>& b, const PairMotion<S>& m) {
    return reach_from_axis(b, m.center_b, inverse_rotate(m.qb, m.turn_b));
}

/// A bound on the second derivative of every point of B in the frame of A, a frame that turns:
///
///     x = R_A^T (c + r_B),   |x"| <= w_A² |c + r_B| + 2 w_A |c' + w_B x r_B| + w_B² r_B ,
///
/// where `radius` is the largest |r_B|. So between two times h apart a point leaves the segment
/// between its ends by at most |x"| h²/8 .
template <class S>
S relative_bend(const PairMotion<S>& m, S from_axis, S radius) {
    const S wa = length(m.turn_a), wb = length(m.turn_b), swing = wb * from_axis;
    S bend = wb * swing;
    if (wa > S(0)) bend += wa * (wa * (m.farthest() + radius) + S(2) * (length(m.way) + swing));
    return bend;
}

} // namespace rigor
