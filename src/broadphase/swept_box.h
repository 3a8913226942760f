// Swept box: a box moving along a line, against static boxes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "broadphase/overlap.h"

namespace rigor {

/// The box at time t is `box` + t `direction`, 0 <= t <= max_t. A ray is the cast of a point.
struct BoxCast {
    Aabb<double> box;
    Vec3d direction;
    double max_t = Aabb<double>::kInfinity;
};

inline BoxCast box_cast(const Ray<double>& ray) {
    return {{ray.origin, ray.origin}, ray.direction, ray.max_t};
}

/// The time at which a moving box touches static ones: never later than the exact one.
///
/// Branchless. An axis without motion counts as a motion of 1e-300, which is negligible for any
/// time, and the box is enlarged by a rounding error there: a box that it touches all the time is
/// hit at the beginning.
class SweptBox {
  public:
    explicit SweptBox(const BoxCast& cast) : box_(cast.box) {
        for (int i = 0; i < 3; ++i) {
            inverse_[i] = 1 / cast.direction[i];
            if (std::isfinite(inverse_[i]) && std::abs(inverse_[i]) < kStill) continue;
            inverse_[i] = kStill;
            box_.lo[i] -= thickness(box_.lo[i]);
            box_.hi[i] += thickness(box_.hi[i]);
        }
    }

    /// The t of the first touch, or infinity when it is after max_t or never.
    double enter(const Aabbf& other, double max_t) const {
        double near = 0, far = max_t;
        for (int i = 0; i < 3; ++i) {
            const double t0 = (static_cast<double>(other.lo[i]) - box_.hi[i]) * inverse_[i];
            const double t1 = (static_cast<double>(other.hi[i]) - box_.lo[i]) * inverse_[i];
            near = std::max(near, std::min(t0, t1));
            far = std::min(far, std::max(t0, t1));
        }
        near *= 1 - kSlack;
        return near <= far * (1 + kSlack) ? near : Aabb<double>::kInfinity;
    }

    /// The same for two boxes, in half the time.
    std::array<double, 2> enter(const BoxRows& a, const BoxRows& b, double max_t) const;

  private:
    // Three rounding errors of half an ulp each, on either side [Ize 2013].
    static constexpr double kSlack = 4 * std::numeric_limits<double>::epsilon();
    static constexpr double kStill = 1e300;

    static double thickness(double x) { return std::max(1e-30, kSlack * std::abs(x)); }

    Aabb<double> box_;
    Vec3d inverse_;
};

inline std::array<double, 2> SweptBox::enter(const BoxRows& a, const BoxRows& b,
                                             double max_t) const {
#if defined(__SSE2__)
    const __m128 a_lo = _mm_loadu_ps(&a.lo.x), b_lo = _mm_loadu_ps(&b.lo.x);
    const __m128 a_hi = _mm_loadu_ps(&a.hi.x), b_hi = _mm_loadu_ps(&b.hi.x);
    const __m128 lo_xy = _mm_unpacklo_ps(a_lo, b_lo), hi_xy = _mm_unpacklo_ps(a_hi, b_hi);
    __m128d near = _mm_setzero_pd(), far = _mm_set1_pd(max_t);
    const auto clip = [&](int axis, __m128 lo, __m128 hi) { // the lower halves: of a and of b
        const __m128d inverse = _mm_set1_pd(inverse_[axis]);
        const __m128d to_lo = _mm_sub_pd(_mm_cvtps_pd(lo), _mm_set1_pd(box_.hi[axis]));
        const __m128d to_hi = _mm_sub_pd(_mm_cvtps_pd(hi), _mm_set1_pd(box_.lo[axis]));
        const __m128d t0 = _mm_mul_pd(to_lo, inverse), t1 = _mm_mul_pd(to_hi, inverse);
        near = _mm_max_pd(near, _mm_min_pd(t0, t1));
        far = _mm_min_pd(far, _mm_max_pd(t0, t1));
    };
    clip(0, lo_xy, hi_xy);
    clip(1, _mm_movehl_ps(lo_xy, lo_xy), _mm_movehl_ps(hi_xy, hi_xy));
    clip(2, _mm_unpackhi_ps(a_lo, b_lo), _mm_unpackhi_ps(a_hi, b_hi));
    near = _mm_mul_pd(near, _mm_set1_pd(1 - kSlack));
    const __m128d hit = _mm_cmple_pd(near, _mm_mul_pd(far, _mm_set1_pd(1 + kSlack)));
    const __m128d never = _mm_set1_pd(Aabb<double>::kInfinity);
    std::array<double, 2> t;
    _mm_storeu_pd(t.data(), _mm_or_pd(_mm_and_pd(hit, near), _mm_andnot_pd(hit, never)));
    return t;
#else
    return {enter(a.box(), max_t), enter(b.box(), max_t)};
#endif
}

/// The squared distance from a point to a box, 0 inside, and never more than the exact one: one
/// rounding in each difference, three in the squares and their sum.
inline double distance_squared_below(const Aabbf& box, const Vec3d& p) {
    constexpr double slack = 8 * std::numeric_limits<double>::epsilon();
    const Aabb<double> wide = widen(box);
    return length_squared(max(max(wide.lo - p, p - wide.hi), Vec3d{})) * (1 - slack);
}

} // namespace rigor
