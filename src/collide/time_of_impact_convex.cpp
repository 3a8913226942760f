#include "collide/time_of_impact_convex.h"

#include "collide/gjk.h"

namespace rigor {
namespace {

template <class S>
S height(const Core<S>& core, const Vec3<S>& direction, const Vec3<S>& center) {
    std::uint32_t hint = 0;
    return dot(direction, support(core, direction, hint) - center) + core.radius;
}

} // namespace

template <class S>
S rounding_gap(const Core<S>& a, const Core<S>& b, S away) {
    return S(16) * kEpsilon<S> * (away + S(2) * (extent(a) + extent(b)) + a.radius + b.radius);
}

// GJK treats sharp cores nearer than kTouching of their size as touching, and knows planes between
// curved ones to kConverged. Half of the tolerance, which is the target, must be above that.
template <class S>
ImpactGaps<S> raise_gaps(const ImpactGaps<S>& gaps, const Core<S>& a, const Core<S>& b, S away) {
    const S size = extent(a) + extent(b);
    const S sharp = std::max(S(8) * kTouching<S> * size - a.radius - b.radius, S(0));
    const S curved = is_curved(a) || is_curved(b) ? S(2) * kConverged<S> * size : S(0);
    const S least = std::max(sharp, curved) + S(4) * rounding_gap(a, b, away);
    if (gaps.own || gaps.hit >= least) return gaps;
    return {least, S(0.5) * least, false, gaps.to_rest};
}

template <class S>
ConvexSweep<S>::ConvexSweep(const Core<S>& a, const Core<S>& b, const PairMotion<S>& motion,
                            S axis_radius_a, S axis_radius_b)
    : a_(a), b_(b), motion_(motion), axis_radius_a_(axis_radius_a), axis_radius_b_(axis_radius_b) {
    speed_ = length(motion.displacement) + length(motion.rotation_a) * axis_radius_a +
             length(motion.rotation_b) * axis_radius_b;
}

/// Separation of the cores along n at the time t.
template <class S>
S ConvexSweep<S>::separation(const Vec3<S>& n, S t) const {
    const Vec3<S> in_a = inverse_rotate(motion_.orientation_a(t), n);
    const Vec3<S> in_b = inverse_rotate(motion_.orientation_b(t), -n);
    return dot(n, motion_.offset + motion_.displacement * t) - height(a_, in_a, motion_.center_a) -
           height(b_, in_b, motion_.center_b);
}

template <class S>
S ConvexSweep<S>::follow_plane(const Plane& plane, S end, const ImpactGaps<S>& gaps) const {
    const S swing_a = length(cross(motion_.rotation_a, plane.n)) * axis_radius_a_;
    const S swing_b = length(cross(motion_.rotation_b, plane.n)) * axis_radius_b_;
    const S closing_speed = swing_a + swing_b - dot(plane.n, motion_.displacement);
    const S curvature = length(motion_.rotation_a) * swing_a + length(motion_.rotation_b) * swing_b;
    const auto separation_at = [&](S t) { return separation(plane.n, t); };
    return advance_conservatively(separation_at, plane.separation, closing_speed, curvature,
                                  Interval<S>{plane.t, end}, gaps);
}

// The error of the direction between sharp solids is the rounding error over their distance, so
// near contact its plane has a smaller separation than the true one. But the direction found when
// they were farther apart, rotated with either body, is often the normal of the same face.
template <class S>
auto ConvexSweep<S>::best_plane(const Distance<S>& d, S t, const Plane& last) const -> Plane {
    const Quat<S> qa = motion_.orientation_a(t), qb = motion_.orientation_b(t);
    Plane best{rotate(qa, d.normal), S(0), t};
    best.separation = separation(best.n, t);
    if (best.separation > S(0.9) * d.distance || last.n == Vec3<S>{}) return best;
    const Vec3<S> with_a = rotate(qa, inverse_rotate(motion_.orientation_a(last.t), last.n));
    const Vec3<S> with_b = rotate(qb, inverse_rotate(motion_.orientation_b(last.t), last.n));
    for (const Vec3<S>& n : {last.n, with_a, with_b}) {
        const S r = separation(n, t);
        if (r > best.separation) best = {n, r, t};
    }
    return best;
}

/// Follows the last plane down to rounding; if it never gets there, it was no hit.
template <class S>
void ConvexSweep<S>::come_to_rest(TimeOfImpact<S>& answer, const Plane& plane, S end) const {
    const S least = rounding_gap(a_, b_, length(motion_.offset + motion_.displacement * answer.t));
    if (!(plane.separation > S(2) * least)) return;
    const S t = follow_plane(plane, end, {S(2) * least, least, false, false});
    const S separation_then = separation(plane.n, t);
    if (t == end && separation_then > S(2) * least) answer.state = ToiStatus::apart;
    Distance<S>& d = answer.distance;
    // Tangential rather than normal motion: the closest points have changed.
    if (speed_ * (t - answer.t) > S(4) * plane.separation) d.point_a = measure(t, nullptr).point_a;
    answer.t = t;
    d.distance = separation_then;
    d.point_b = d.point_a + d.normal * d.distance;
}

template <class S>
TimeOfImpact<S> ConvexSweep<S>::first_impact(const Interval<S>& interval, const ImpactGaps<S>& gaps,
                                             int max_iterations, DistanceCache<S>* cache,
                                             const Distance<S>* first,
                                             std::span<const Vec3<S>> guesses) const {
    DistanceCache<S> own;
    if (!cache) cache = &own;
    TimeOfImpact<S> answer;
    answer.tolerance = gaps.hit;
    Plane plane{};
    S t = interval.begin;
    for (const Vec3<S>& guess : guesses) {
        plane = {guess, separation(guess, t), t};
        t = follow_plane(plane, interval.end, gaps);
        if (!(t < interval.end)) return answer;
    }
    Distance<S> d = first && t == interval.begin ? *first : measure(t, cache);
    answer.state = ToiStatus::hit;
    answer.iterations = 1;
    while (true) {
        plane = best_plane(d, t, plane);
        answer.t = t;
        answer.distance = d;
        if (d.distance <= gaps.hit) break;
        const S next = std::max(follow_plane(plane, interval.end, gaps),
                                t + (d.distance - gaps.target) / speed_);
        if (!(next < interval.end)) {
            answer.state = ToiStatus::apart;
            break;
        }
        answer.converged = next > t && answer.iterations < max_iterations;
        if (!answer.converged) break;
        d = measure(next, cache);
        ++answer.iterations;
        answer.converged = d.distance > S(0); // it is proved to be: else this is rounding
        if (!answer.converged) break;
        t = next;
    }
    // The direction with the largest separation is the better one for the two points as well.
    answer.distance.normal = inverse_rotate(motion_.orientation_a(answer.t), plane.n);
    if (answer.state == ToiStatus::hit && gaps.to_rest) come_to_rest(answer, plane, interval.end);
    if (answer.state == ToiStatus::apart) {
        answer.t = S(1);
        answer.distance = {};
    }
    return answer;
}

#define RIGOR_INSTANTIATE(S)                                                                    \
    template S rounding_gap(const Core<S>&, const Core<S>&, S);                                 \
    template ImpactGaps<S> raise_gaps(const ImpactGaps<S>&, const Core<S>&, const Core<S>&, S); \
    template class ConvexSweep<S>;
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
