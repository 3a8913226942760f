// Conservative advancement of a gap that is the minimum of many smooth functions of time.
//
// Let f(t) be the minimum of functions g(t), each with g' >= -v (v: closing speed) and g" <= c (c:
// curvature). Then
//
//     f(t + s)   >= f(t) - v s                                                       (1)
//     f(t + s h) >= (1 - s) f(t) + s f(t + h) - c h²/2 s (1 - s) ,  0 <= s <= 1 .    (2)
//
// (2) holds since a function with g" <= c is above its chord less that parabola, and g >= f at both
// ends. (1) is the classic step of conservative advancement; it is loose for rotating solids,
// because most points are slower than the fastest one. (2) is exact without rotation.
#pragma once

#include <algorithm>
#include <cmath>

namespace rigor {

/// Gap thresholds.
template <class S>
struct ImpactGaps {
    S hit{};          ///< the gap of an impact
    S target{};       ///< less than hit: advancing aims at it and does not pass it
    bool own = false; ///< derived from the gap at the start, and not raised to the rounding error
    bool to_rest = false; ///< at the end, the last plane is followed down to rounding
};

/// A time interval of the motion.
template <class S>
struct Interval {
    S begin = S(0), end = S(1);
};

/// The first s in [0, 1] at which (1 - s) f0 + s f1 - bow s (1 - s) decreases to 0; 1 if none.
template <class S>
S first_zero(S f0, S f1, S bow) {
    const S b = f1 - f0 - bow;
    const S discriminant = b * b - S(4) * bow * f0;
    if (b >= S(0) || discriminant < S(0)) return S(1);
    return std::min(S(1), S(2) * f0 / (std::sqrt(discriminant) - b));
}

/// A time up to which f is proved to stay above `gaps.target`, given f at the beginning. It is the
/// end of the interval, or one where f is nearer to the target than to `hit`, unless there are too
/// many steps.
///
/// The length of a step is such that its parabola takes at most half of the remaining gap. Near the
/// end, where f decreases at the speed v, a step comes within a factor 1 - curvature h/(2 v) of the
/// root, and h is proportional to the square root of the remaining gap: convergence is superlinear.
template <class S, class Gap>
S advance_conservatively(const Gap& f, S now, S closing_speed, S curvature,
                         const Interval<S>& interval, const ImpactGaps<S>& gaps) {
    constexpr int kMaxSteps = 64;
    const S enough = S(0.5) * (gaps.hit - gaps.target);
    S t = interval.begin, left = now - gaps.target;
    for (int i = 0; i < kMaxSteps && left > S(0); ++i) {
        const S rest = interval.end - t;
        if (left >= closing_speed * rest) return interval.end;
        const S h =
            curvature * rest * rest > S(4) * left ? std::sqrt(S(4) * left / curvature) : rest;
        const S left_then = f(t + h) - gaps.target;
        const S s = first_zero(left, left_then, S(0.5) * curvature * h * h);
        const S step = std::max(s * h, left / closing_speed);
        if (!(step < rest)) return interval.end;
        t += step;
        left = step == h ? left_then : f(t) - gaps.target;
        if (left < enough) break;
    }
    return t;
}

} // namespace rigor
