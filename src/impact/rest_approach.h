// End of sliding, where slip converges to rest along a ray.
//
// Steps in s never reach rest, which is at s = infinity. But the remaining impulse and work are
// smooth functions of u_T alone, in coordinates along and across the ray.
#pragma once

#include <algorithm>
#include <optional>

#include "impact/path_point.h"
#include "impact/sliding.h"

namespace rigor::contact_dynamics {

/// The segment from the present point until sliding comes to rest, known only at its ends s = 0 and
/// s = 1. In between u_z is monotone.
struct RestApproach {
    PathPoint first, last;

    PathPoint start() const { return first; }
    PathPoint end() const { return last; }
    PathPoint at(double s) const { return s < last.s ? first : last; }

    std::optional<double> find_work(const PathPoint&, const PathPoint&, double due) const {
        return at_end_if(due <= last.work);
    }
    std::optional<double> find_impulse(const PathPoint&, const PathPoint&, double due) const {
        return at_end_if(due <= last.p.z);
    }
    std::optional<double> find_velocity(const PathPoint&, const PathPoint&, double velocity) const {
        return at_end_if(velocity <= std::max(first.u, last.u));
    }

  private:
    std::optional<double> at_end_if(bool reached) const {
        return reached ? std::optional(last.s) : std::nullopt;
    }
};

/// A ray that leads to rest and to which sliding turns. Once found nearby, it stays the same until
/// rest.
class RestRay {
  public:
    static std::optional<RestRay> near(const SlidingContact& contact, const Vec3d& u);

    /// Estimate as if sliding were on the ray already.
    RestApproach estimate(const Vec3d& u) const;
    /// Nothing when the ray is too far away for `tolerance`, relative to |u_T|, or when u_z is not
    /// monotone until rest.
    std::optional<RestApproach> approach(const Vec3d& u, double tolerance) const;

  private:
    RestRay(const SlidingContact& contact, const Vec2& c);
    RestApproach complete(const Vec3d& u, double p, double b) const;
    Vec2 seen(const Vec2& a) const { return {dot(a, c_), dot(a, left_)}; }

    const SlidingContact* contact_;
    Vec2 c_, left_;
    Sym2 n_; ///< mu M along and across the ray; across, h is n_.xy
    double h_ = 0;
    Vec2 t_; ///< M⁻¹h
    double rate_ = 0;
};

} // namespace rigor::contact_dynamics
