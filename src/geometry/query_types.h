// Queries on one solid and their results, all in the solid's own frame.
#pragma once

#include <cstdint>
#include <limits>

#include "rigor/vec.h"

namespace rigor {

/// An axis-aligned box; empty by default.
template <class S>
struct Aabb {
    Vec3<S> lo{kInfinity, kInfinity, kInfinity};
    Vec3<S> hi{-kInfinity, -kInfinity, -kInfinity};

    static constexpr S kInfinity = std::numeric_limits<S>::infinity();
    friend constexpr bool operator==(const Aabb&, const Aabb&) = default;
};

template <class S>
constexpr Aabb<S> join(const Aabb<S>& a, const Aabb<S>& b) {
    return {min(a.lo, b.lo), max(a.hi, b.hi)};
}

template <class S>
constexpr Aabb<S> join(const Aabb<S>& a, const Vec3<S>& p) {
    return {min(a.lo, p), max(a.hi, p)};
}

template <class S>
constexpr Aabb<S> expand(const Aabb<S>& a, S margin) {
    const Vec3<S> m{margin, margin, margin};
    return {a.lo - m, a.hi + m};
}

/// Touching counts.
template <class S>
constexpr bool overlap(const Aabb<S>& a, const Aabb<S>& b) {
    return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
           a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

template <class S>
constexpr bool contains(const Aabb<S>& outer, const Aabb<S>& inner) {
    return outer.lo.x <= inner.lo.x && inner.hi.x <= outer.hi.x && outer.lo.y <= inner.lo.y &&
           inner.hi.y <= outer.hi.y && outer.lo.z <= inner.lo.z && inner.hi.z <= outer.hi.z;
}

/// The points origin + t direction, 0 <= t <= max_t. The direction need not be a unit.
template <class S>
struct Ray {
    Vec3<S> origin;
    Vec3<S> direction;
    S max_t = std::numeric_limits<S>::infinity();
};

/// The first hit of a ray on a solid. A ray that starts inside hits at once: t = 0, `inside` is
/// set, and the normal points back along the ray.
template <class S>
struct RayHit {
    S t{};
    Vec3<S> normal;            ///< unit, outward
    std::uint32_t feature = 0; ///< face of a hull, triangle of a mesh, child of a compound
    bool inside = false;
};

/// The point of a surface nearest to a given one.
template <class S>
struct SurfacePoint {
    Vec3<S> point;
    Vec3<S> normal; ///< unit, outward
    S distance{};   ///< negative when the given point is inside
    std::uint32_t feature = 0;
};

} // namespace rigor
