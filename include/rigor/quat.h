// Quaternions [w, x, y, z]; a unit quaternion is a rotation from body to world.
#pragma once

#include "rigor/mat.h"
#include "rigor/vec.h"

namespace rigor {

template <class S>
struct Quat {
    S w{1}, x{}, y{}, z{};

    static constexpr Quat identity() { return {}; }
    static constexpr Quat from_parts(S scalar, const Vec3<S>& v) { return {scalar, v.x, v.y, v.z}; }

    constexpr Vec3<S> vec() const { return {x, y, z}; }

    /// Turning by b, then by a.
    friend constexpr Quat operator*(const Quat& a, const Quat& b) {
        return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    }
    friend constexpr Quat operator+(const Quat& a, const Quat& b) {
        return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend constexpr Quat operator*(const Quat& q, S s) {
        return {q.w * s, q.x * s, q.y * s, q.z * s};
    }
    friend constexpr Quat operator-(const Quat& q) { return {-q.w, -q.x, -q.y, -q.z}; }
    friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

using Quatd = Quat<double>;
using Quatf = Quat<float>;

template <class To, class From>
constexpr Quat<To> cast(const Quat<From>& q) {
    return {static_cast<To>(q.w), static_cast<To>(q.x), static_cast<To>(q.y), static_cast<To>(q.z)};
}

template <class S>
constexpr S dot(const Quat<S>& a, const Quat<S>& b) {
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class S>
S length(const Quat<S>& q) {
    return std::sqrt(dot(q, q));
}

/// The inverse of a unit quaternion.
template <class S>
constexpr Quat<S> conjugate(const Quat<S>& q) {
    return {q.w, -q.x, -q.y, -q.z};
}

/// The unit quaternion along q; the identity when q is zero.
template <class S>
Quat<S> normalize(const Quat<S>& q) {
    const S norm = length(q);
    return norm > S(0) ? q * (S(1) / norm) : Quat<S>{};
}

/// q v q*: the vector v turned by the unit quaternion q.
template <class S>
constexpr Vec3<S> rotate(const Quat<S>& q, const Vec3<S>& v) {
    const Vec3<S> t = cross(q.vec(), v) * S(2);
    return v + t * q.w + cross(q.vec(), t);
}

/// q* v q: turned back, from world axes to body axes.
template <class S>
constexpr Vec3<S> inverse_rotate(const Quat<S>& q, const Vec3<S>& v) {
    return rotate(conjugate(q), v);
}

template <class S>
bool is_finite(const Quat<S>& q) {
    return std::isfinite(q.w) && is_finite(q.vec());
}

} // namespace rigor
