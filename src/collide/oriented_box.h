// Oriented bounding box (OBB), for early rejection.
#pragma once

#include "collide/placement.h"
#include "geometry/query_types.h"
#include "geometry/triangle.h"

namespace rigor {

template <class S>
class OrientedBox {
  public:
    /// `box` in the frame that is placed.
    OrientedBox(const Aabb<S>& box, const Placement<S>& place) : axes_(place.turn) {
        const Vec3<S> middle = place.point((box.lo + box.hi) * S(0.5));
        half_ = (box.hi - box.lo) * S(0.5);
        middle_ = middle;
        size_ = {abs(axes_.cx), abs(axes_.cy), abs(axes_.cz)};
        const Vec3<S> half_extent = size_ * half_;
        bounds_ = {middle - half_extent, middle + half_extent};
    }

    /// Its axis-aligned bounds.
    const Aabb<S>& bounds() const { return bounds_; }

    /// Whether an axis of either box separates them.
    bool misses(const Aabb<S>& box) const {
        if (!overlap(box, bounds_)) return true;
        const Vec3<S> d = (box.lo + box.hi) * S(0.5) - middle_, e = (box.hi - box.lo) * S(0.5);
        return misses_along(axes_.cx, size_.cx, half_.x, d, e) ||
               misses_along(axes_.cy, size_.cy, half_.y, d, e) ||
               misses_along(axes_.cz, size_.cz, half_.z, d, e);
    }

    /// Whether one of its axes separates it from a triangle.
    bool misses(const Triangle<S>& t) const {
        const Vec3<S> a = t.a - middle_, b = t.b - middle_, c = t.c - middle_;
        return misses_along(axes_.cx, half_.x, a, b, c) ||
               misses_along(axes_.cy, half_.y, a, b, c) || misses_along(axes_.cz, half_.z, a, b, c);
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

    Mat3<S> axes_, size_; ///< its axes, and the absolute values of their components
    Vec3<S> middle_, half_;
    Aabb<S> bounds_;
};

} // namespace rigor
