// A box moving along a line, against boxes that stand still.
#pragma once

#include <algorithm>
#include <cmath>

#include "broadphase/proxy.h"

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

/// When a moving box meets standing ones: never later than it really does.
class SweptBox {
  public:
    explicit SweptBox(const BoxCast& cast)
        : box_(cast.box),
          inverse_{inverse(cast.direction.x), inverse(cast.direction.y),
                   inverse(cast.direction.z)} {}

    /// The t of the first touch, or infinity when it comes after max_t or never.
    double enter(const Aabbf& other, double max_t) const {
        double near = 0, far = max_t;
        for (int i = 0; i < 3; ++i) {
            const double to_lo = static_cast<double>(other.lo[i]) - box_.hi[i];
            const double to_hi = static_cast<double>(other.hi[i]) - box_.lo[i];
            if (inverse_[i] == 0) {
                if (to_lo > 0 || to_hi < 0) return Aabb<double>::kInfinity;
                continue;
            }
            const double t0 = to_lo * inverse_[i], t1 = to_hi * inverse_[i];
            // Three roundings of half an ulp each, on either side [Ize 2013].
            near = std::max(near, std::min(t0, t1) * (1 - kSlack));
            far = std::min(far, std::max(t0, t1) * (1 + kSlack));
        }
        return near <= far ? near : Aabb<double>::kInfinity;
    }

  private:
    static constexpr double kSlack = 4 * std::numeric_limits<double>::epsilon();

    // 0 stands for a direction so small that its inverse is no number: along this axis the
    // box does not move.
    static double inverse(double d) {
        const double i = 1 / d;
        return std::isfinite(i) ? i : 0;
    }

    Aabb<double> box_;
    Vec3d inverse_;
};

/// The square of the distance from a point to a box, 0 inside, and never more than it really
/// is: one rounding in each difference, three in the squares and their sum.
inline double distance_squared_below(const Aabbf& box, const Vec3d& p) {
    constexpr double slack = 8 * std::numeric_limits<double>::epsilon();
    const Aabb<double> wide = widen(box);
    return length_squared(max(max(wide.lo - p, p - wide.hi), Vec3d{})) * (1 - slack);
}

} // namespace rigor
