// Conservative advancement of a gap that is the minimum of many smooth functions of time.
//
// Let f(t) be the minimum of functions g(t), each with g' >= -v (v: closing speed) and g" <= c (c:
// curvature). Then
//
//     f(t + s)   >= f(t) - v s                                                       (1)
//     f(t + s h) >= (1 - s) f(t) + s f(t + h) - c h²/2 s (1 - s) ,  0 <= s <= 1 .    (2)
//
// (2) holds since a function with g" <= c is above its chord less that bow, and g >= f at both
// ends. (1) is the classic step of conservative advancement; where things turn it is poor, because
// most points are slower than the fastest one. (2) is exact where nothing turns.
#pragma once

#include <algorithm>
#include <cmath>

namespace rigor {

/// Gaps that decide.
template <class S>
struct ImpactGaps {
    S hit{};              ///< near enough to be an impact
    S target{};           ///< less than hit: what advancing aims at and does not pass
    bool own = false;     ///< come from the gap at the start, and rounding does not raise them
    bool to_rest = false; ///< at the end, the last plane is followed until rounding is left
};

/// A stretch of the motion.
template <class S>
struct Stretch {
    S begin = S(0), end = S(1);
};

/// The first s in [0, 1] at which (1 - s) f0 + s f1 - bow s (1 - s) falls to 0; 1 if none.
template <class S>
S first_zero(S f0, S f1, S bow) {
    const S b = f1 - f0 - bow;
    const S discriminant = b * b - S(4) * bow * f0;
    if (b >= S(0) || discriminant < S(0)) return S(1);
    return std::min(S(1), S(2) * f0 / (std::sqrt(discriminant) - b));
}

/// A time up to which f is proved to stay above `gaps.target`, given f at the beginning. It is the
/// end of the stretch, or one where f is nearer to the target than to `hit`, unless there are too
/// many steps.
///
/// Each step is as long as its bow may eat half of what is left. Near the end, where f falls at
/// the speed v, a step comes within a factor 1 - curvature h/(2 v) of the root, and h goes with the
/// square root of what is left: it closes in faster than by any fixed factor.
template <class S, class Gap>
S advance_conservatively(const Gap& f, S now, S closing_speed, S curvature,
                         const Stretch<S>& stretch, const ImpactGaps<S>& gaps) {
    constexpr int kMaxSteps = 64;
    const S enough = S(0.5) * (gaps.hit - gaps.target);
    S t = stretch.begin, left = now - gaps.target;
    for (int i = 0; i < kMaxSteps && left > S(0); ++i) {
        const S rest = stretch.end - t;
        if (left >= closing_speed * rest) return stretch.end;
        const S h =
            curvature * rest * rest > S(4) * left ? std::sqrt(S(4) * left / curvature) : rest;
        const S left_then = f(t + h) - gaps.target;
        const S s = first_zero(left, left_then, S(0.5) * curvature * h * h);
        const S step = std::max(s * h, left / closing_speed);
        if (!(step < rest)) return stretch.end;
        t += step;
        left = step == h ? left_then : f(t) - gaps.target;
        if (left < enough) break;
    }
    return t;
}

} // namespace rigor
