// Time of impact of a moving solid and a half-space, which may rotate as well.
//
// In the plane's frame the gap is the least height of the solid's points, so that its bounds follow
// from those of the points (conservative_advancement.h), and no other separating plane is needed.
#pragma once

#include "collide/conservative_advancement.h"
#include "collide/distance.h"
#include "collide/time_of_impact.h"
#include "collide/time_of_impact_motion.h"

namespace rigor {

template <class S>
Vec3<S> lowest_point(const Core<S>& core, const Vec3<S>& up) {
    std::uint32_t hint = 0;
    return support(core, -up, hint) - up * core.radius;
}
template <class S, class Surface>
Vec3<S> lowest_point(const Surface* surface, const Vec3<S>& up) {
    return support(*surface, -up);
}

template <class S>
S swing_of(const Core<S>& core, const PairMotion<S>& m) {
    return axis_radius_of_b(core, m);
}
template <class S, class Surface>
S swing_of(const Surface* surface, const PairMotion<S>& m) {
    return m.rotation_b == Vec3<S>{} ? S(0) : bounding_radius(*surface, m.center_b);
}

template <class S>
S radius_about(const Core<S>& core, const Vec3<S>& center) {
    return radius_from_center(core, center) + core.radius;
}
template <class S, class Surface>
S radius_about(const Surface* surface, const Vec3<S>& center) {
    return bounding_radius(*surface, center);
}

/// The plane is A. `Other` is a core or a pointer to a surface.
template <class S, class Other>
class PlaneSweep {
  public:
    PlaneSweep(const Plane<S>& plane, const Other& b, const PairMotion<S>& motion)
        : plane_(plane), b_(b), motion_(motion) {
        const S swing = swing_of(b, motion), radius = radius_about(b, motion.center_b);
        size_ = motion.farthest() + radius + std::abs(plane.offset);
        const Vec3<S> n = rotate(motion.qa, plane.normal);
        const S wa = length(motion.rotation_a), wb = length(motion.rotation_b);
        if (wa == S(0)) {
            const S directed = length(cross(motion.rotation_b, n)) * swing;
            closing_speed_ = directed - dot(n, motion.displacement);
            curvature_ = wb * directed;
        } else {
            closing_speed_ =
                length(motion.displacement) + wb * swing + wa * (motion.farthest() + radius);
            curvature_ = relative_acceleration_bound(motion, swing, radius);
        }
    }

    S rounding() const { return S(16) * kEpsilon<S> * size_; }

    Distance<S> measure(S t) const {
        const Pose<S> b_in_a = motion_.b_in_a(t);
        Distance<S> d;
        d.normal = plane_.normal;
        d.point_b = transform(b_in_a, lowest_point(b_, inverse_rotate(b_in_a.q, plane_.normal)));
        d.distance = height_over(plane_, d.point_b);
        d.point_a = d.point_b - d.normal * d.distance;
        return d;
    }

    TimeOfImpact<S> first_impact(const Interval<S>& interval, ImpactGaps<S> gaps,
                                 int max_iterations) const {
        gaps = clear_of_rounding(gaps);
        TimeOfImpact<S> answer;
        answer.tolerance = gaps.hit;
        Distance<S> d = measure(interval.begin);
        S t = interval.begin;
        while (d.distance > gaps.hit) {
            const auto height = [&](S time) { return measure(time).distance; };
            const S next = advance_conservatively(height, d.distance, closing_speed_, curvature_,
                                                  {t, interval.end}, gaps);
            ++answer.iterations;
            if (!(next < interval.end)) return answer;
            answer.converged = next > t && answer.iterations < max_iterations;
            if (!answer.converged) break;
            t = next;
            d = measure(t);
        }
        answer.state = ToiStatus::hit;
        answer.t = t;
        answer.distance = d;
        return answer;
    }

  private:
    ImpactGaps<S> clear_of_rounding(const ImpactGaps<S>& gaps) const {
        if (gaps.own) return gaps;
        const S hit = gaps.to_rest ? S(2) * rounding() : std::max(gaps.hit, S(4) * rounding());
        return {hit, S(0.5) * hit, false, gaps.to_rest};
    }

    const Plane<S>& plane_;
    const Other& b_;
    const PairMotion<S>& motion_;
    S size_{}, closing_speed_{}, curvature_{};
};

} // namespace rigor
