// One step of free rotation by splitting: symplectic, cheap, and exact for symmetric bodies.
#pragma once

#include "math/small_rotation.h"
#include "math/trig.h"
#include "model/body_store.h"

namespace rigor {

/// Sines, cosines and rotations of small angles, for doubles and lanes alike.
struct SmallAngles {
    template <class T>
    static SinCos<T> sin_cos(T angle) {
        return detail::sin_cos_small(angle);
    }
    template <class T>
    static Quat<T> turn(const Vec3<T>& v) {
        return small_rotation(v, length_squared(v) * T(0.25));
    }
};

/// The same for angles of any size.
struct AnyAngles {
    static SinCos<double> sin_cos(double angle) { return rigor::sin_cos(angle); }
    static Quatd turn(const Vec3d& v) { return from_rotation_vector(v); }
};

/// The energy of a free body, with the moments relative to the intermediate one I_z,
///
///     H = |L|²/(2 I_z) + ½ (1/I_x - 1/I_z) L_x² + ½ (1/I_y - 1/I_z) L_y² ,
///
/// is a sum of three parts each of which alone is a steady rotation: about L in the world, about
/// the body's axis x, and about its axis y. Rotating by them one after the other, in the order x/2,
/// y, x/2, is a second-order symplectic step [Touma and Wisdom 1994]: L keeps its bits, and the
/// energy oscillates about its true value without drift. The first part commutes with the rest, as
/// it depends on |L| only. For a ball the last two vanish, for a symmetric body one of them does:
/// then the step is exact.
///
/// q takes principal axes to world; the z axis is that of the intermediate moment.
template <class Angles, class T>
Quat<T> symplectic_rotation(const Vec3<T>& inv_moments, const Quat<T>& q, const Vec3<T>& l, T dt) {
    const T rate_x = T(0.5) * dt * (inv_moments.x - inv_moments.z);
    const T rate_y = dt * (inv_moments.y - inv_moments.z);
    const Vec3<T> local = inverse_rotate(q, l);

    // Half angles s, c; in the body L rotates back by the whole angle: sin = 2sc, cos = 1 - 2s².
    const SinCos<T> h1 = Angles::sin_cos(T(0.5) * rate_x * local.x);
    const T sin1 = T(2) * h1.sin * h1.cos, cos1 = T(1) - T(2) * h1.sin * h1.sin;
    const T ly = cos1 * local.y + sin1 * local.z;
    const T lz = cos1 * local.z - sin1 * local.y;

    const SinCos<T> h2 = Angles::sin_cos(T(0.5) * rate_y * ly);
    const T sin2 = T(2) * h2.sin * h2.cos, cos2 = T(1) - T(2) * h2.sin * h2.sin;
    const T lx = cos2 * local.x - sin2 * lz;

    const SinCos<T> h3 = Angles::sin_cos(T(0.5) * rate_x * lx);

    // (c1 + s1 i)(c2 + s2 j)(c3 + s3 i).
    const Quat<T> turn{
        h2.cos * (h1.cos * h3.cos - h1.sin * h3.sin), h2.cos * (h1.cos * h3.sin + h1.sin * h3.cos),
        h2.sin * (h1.cos * h3.cos + h1.sin * h3.sin), h2.sin * (h1.sin * h3.cos - h1.cos * h3.sin)};
    return correct_drift(Angles::turn(l * (dt * inv_moments.z)) * (q * turn));
}

/// Whether no angle of the step can be too large for SmallAngles: |L| bounds every component.
inline bool is_small_step(const Vec3d& inv_moments, const Vec3d& l, double dt) {
    const Vec3d& i = inv_moments;
    const double rate = std::max({std::abs(i.x - i.z), std::abs(i.y - i.z), std::abs(i.z)});
    return length_squared(l) * (rate * rate) * (dt * dt) <= 4 * kSmallRotation;
}

/// A cyclic permutation of a body's axes that puts the intermediate moment last, so that the frame
/// stays right-handed; world axes are permuted alike, so that nothing else changes.
class MiddleLast {
  public:
    explicit MiddleLast(std::int64_t middle) : middle_(middle) {}

    Vec3d enter(const Vec3d& v) const {
        if (middle_ == 0) return {v.y, v.z, v.x};
        if (middle_ == 1) return {v.z, v.x, v.y};
        return v;
    }
    Vec3d leave(const Vec3d& v) const {
        if (middle_ == 0) return {v.z, v.x, v.y};
        if (middle_ == 1) return {v.y, v.z, v.x};
        return v;
    }

  private:
    std::int64_t middle_;
};

inline Quatd symplectic_rotation(const BodyInertia& inertia, const Quatd& q, const Vec3d& l,
                                 double dt) {
    const MiddleLast order(inertia.middle);
    const Vec3d inv_moments = order.enter(inertia.inv_moments);
    const Vec3d momentum = order.enter(l);
    const Quatd start = Quatd::from_parts(q.w, order.enter(q.vec()));
    const Quatd end = is_small_step(inv_moments, momentum, dt)
                          ? symplectic_rotation<SmallAngles>(inv_moments, start, momentum, dt)
                          : symplectic_rotation<AnyAngles>(inv_moments, start, momentum, dt);
    return Quatd::from_parts(end.w, order.leave(end.vec()));
}

} // namespace rigor
