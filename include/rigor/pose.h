// Poses: a position and an orientation.
#pragma once

#include "rigor/quat.h"

namespace rigor {

/// Takes a point of the local frame to p + q x q*.
template <class S>
struct Pose {
    Vec3<S> p;
    Quat<S> q;

    /// The point b takes x to, taken on by a.
    friend constexpr Pose operator*(const Pose& a, const Pose& b) {
        return {a.p + rotate(a.q, b.p), a.q * b.q};
    }
    friend constexpr bool operator==(const Pose&, const Pose&) = default;
};

using Posed = Pose<double>;
using Posef = Pose<float>;

template <class To, class From>
constexpr Pose<To> cast(const Pose<From>& pose) {
    return {cast<To>(pose.p), cast<To>(pose.q)};
}

template <class S>
constexpr Vec3<S> transform(const Pose<S>& pose, const Vec3<S>& local) {
    return pose.p + rotate(pose.q, local);
}

template <class S>
constexpr Vec3<S> inverse_transform(const Pose<S>& pose, const Vec3<S>& world) {
    return inverse_rotate(pose.q, world - pose.p);
}

template <class S>
constexpr Pose<S> inverse(const Pose<S>& pose) {
    const Quat<S> q = conjugate(pose.q);
    return {rotate(q, -pose.p), q};
}

template <class S>
bool is_finite(const Pose<S>& pose) {
    return is_finite(pose.p) && is_finite(pose.q);
}

/// The pose of B as seen from A: the one place where world coordinates, always
/// double, become the working precision S. Two bodies that nearly touch are close
/// together wherever they are, so a float keeps its full resolution here even when
/// the world positions are a million meters from the origin.
template <class S>
Pose<S> relative_pose(const Pose<double>& a, const Pose<double>& b) {
    const Quat<double> inverse_a = conjugate(a.q);
    return {cast<S>(rotate(inverse_a, b.p - a.p)), cast<S>(inverse_a * b.q)};
}

} // namespace rigor
