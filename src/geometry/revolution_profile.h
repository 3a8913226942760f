// Profiles of solids of revolution, in the half-plane through their axis: r is the distance from
// the z axis, z the height.
#pragma once

#include "geometry/convex.h"

namespace rigor {

template <class S>
struct ProfilePoint {
    S r{}, z{};
};

/// A point as its profile point and the unit direction away from the axis; x for a point on the
/// axis.
template <class S>
struct ProfileFrame {
    ProfilePoint<S> at;
    Vec3<S> outward;

    explicit ProfileFrame(const Vec3<S>& point)
        : outward(unit_or(Vec3<S>{point.x, point.y, S(0)}, Vec3<S>{S(1), S(0), S(0)})) {
        at = {dot(outward, point), point.z};
    }
    Vec3<S> lift(const ProfilePoint<S>& p) const {
        return outward * p.r + Vec3<S>{S(0), S(0), p.z};
    }
    /// `point` and the unit `normal` in the profile, as a surface point.
    SurfacePoint<S> lift(const ProfilePoint<S>& point, const ProfilePoint<S>& normal, S distance,
                         std::uint32_t feature = 0) const {
        return {lift(point), lift(normal), distance, feature};
    }
};

} // namespace rigor
