// A box with axes of its own, to tell in a few operations what it cannot touch.
#pragma once

#include "collide/placement.h"
#include "geometry/query_types.h"
#include "geometry/triangle.h"

namespace rigor {

template <class S>
class OrientedBox {
  public:
    /// `box` in the frame that is placed.
    OrientedBox(const Aabb<S>& box, const Placement<S>& place) : turn_(place.turn) {
        const Vec3<S> middle = place.point((box.lo + box.hi) * S(0.5));
        half_ = (box.hi - box.lo) * S(0.5);
        middle_ = middle;
        size_ = {abs(turn_.cx), abs(turn_.cy), abs(turn_.cz)};
        const Vec3<S> reach = size_ * half_;
        bounds_ = {middle - reach, middle + reach};
    }

    /// Around all of it.
    const Aabb<S>& bounds() const { return bounds_; }

    /// Whether a box lies beside this one along an axis of either.
    bool misses(const Aabb<S>& box) const {
        if (!overlap(box, bounds_)) return true;
        const Vec3<S> d = (box.lo + box.hi) * S(0.5) - middle_, e = (box.hi - box.lo) * S(0.5);
        return misses_along(turn_.cx, size_.cx, half_.x, d, e) ||
               misses_along(turn_.cy, size_.cy, half_.y, d, e) ||
               misses_along(turn_.cz, size_.cz, half_.z, d, e);
    }

    /// Whether a triangle lies beside it along one of its axes.
    bool misses(const Triangle<S>& t) const {
        const Vec3<S> a = t.a - middle_, b = t.b - middle_, c = t.c - middle_;
        return misses_along(turn_.cx, half_.x, a, b, c) ||
               misses_along(turn_.cy, half_.y, a, b, c) || misses_along(turn_.cz, half_.z, a, b, c);
    }

  private:
    static bool misses_along(const Vec3<S>& axis, const Vec3<S>& size, S half, const Vec3<S>& d,
                             const Vec3<S>& e) {
        return std::abs(dot(axis, d)) > half + dot(size, e);
    }
    static bool misses_along(const Vec3<S>& axis, S half, const Vec3<S>& a, const Vec3<S>& b,
                             const Vec3<S>& c) {
        const S x = dot(axis, a), y = dot(axis, b), z = dot(axis, c);
        return std::min(std::min(x, y), z) > half || std::max(std::max(x, y), z) < -half;
    }

    Mat3<S> turn_, size_; ///< its axes, and the sizes of their components
    Vec3<S> middle_, half_;
    Aabb<S> bounds_;
};

} // namespace rigor
