// Oriented bounding box (OBB), for early rejection.
#pragma once

#include <array>

#include "collide/transform.h"
#include "geometry/query_types.h"
#include "geometry/triangle.h"

namespace rigor {

template <class S>
class OrientedBox {
  public:
    /// `box` in the frame that is placed.
    OrientedBox(const Aabb<S>& box, const Transform<S>& place) : axes_(place.turn) {
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

    /// Whether one of the 15 axes of the separating axis theorem separates two [Gottschalk 1996].
    bool misses(const OrientedBox& other) const {
        const Vec3<S> d = other.middle_ - middle_;
        const Mat3<S> turn = transpose(axes_) * other.axes_;
        const std::array<Vec3<S>, 3> own{axes_.cx, axes_.cy, axes_.cz};
        const std::array<Vec3<S>, 3> others{other.axes_.cx, other.axes_.cy, other.axes_.cz};
        const std::array<Vec3<S>, 3> columns{turn.cx, turn.cy, turn.cz};
        for (int i = 0; i < 3; ++i) {
            const Vec3<S> row{columns[0][i], columns[1][i], columns[2][i]};
            const auto at = static_cast<std::size_t>(i);
            if (std::abs(dot(own[at], d)) > half_[i] + dot(abs(row), other.half_)) return true;
            if (std::abs(dot(others[at], d)) > other.half_[i] + dot(abs(columns[at]), half_))
                return true;
        }
        for (const Vec3<S>& a : own)
            for (const Vec3<S>& b : others)
                if (misses_across(other, cross(a, b), d)) return true;
        return false;
    }

    /// Whether one of its axes separates it from a triangle.
    bool misses(const Triangle<S>& t) const {
        const Vec3<S> a = t.a - middle_, b = t.b - middle_, c = t.c - middle_;
        return misses_along(axes_.cx, half_.x, a, b, c) ||
               misses_along(axes_.cy, half_.y, a, b, c) || misses_along(axes_.cz, half_.z, a, b, c);
    }

  private:
    /// Along the cross product of two axes. That of parallel ones is rounding and separates nothing
    /// that their own axes do not.
    bool misses_across(const OrientedBox& other, const Vec3<S>& axis, const Vec3<S>& d) const {
        constexpr S kParallel = sizeof(S) == sizeof(double) ? S(1e-12) : S(1e-5);
        if (length_squared(axis) < kParallel) return false;
        const auto reach = [&](const OrientedBox& box) {
            return std::abs(dot(axis, box.axes_.cx)) * box.half_.x +
                   std::abs(dot(axis, box.axes_.cy)) * box.half_.y +
                   std::abs(dot(axis, box.axes_.cz)) * box.half_.z;
        };
        return std::abs(dot(axis, d)) > reach(*this) + reach(other);
    }
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
