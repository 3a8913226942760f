// Conversions between representations of a rotation: quaternion, matrix, axis and angle,
// rotation vector, and the Euler angles of [Baber 2006, figure 12].
//
// Defined for float and double. Sines and cosines are our own (src/math/trig.h), so the same
// angle gives the same bits on every machine.
#pragma once

#include "rigor/export.h"
#include "rigor/quat.h"

namespace rigor {

/// Turning by `angle` about the unit vector `axis`.
template <class S>
RIGOR_API Quat<S> from_axis_angle(const Vec3<S>& axis, S angle);

/// Turning about v by |v| radians: the exponential map. Zero turns nothing.
template <class S>
RIGOR_API Quat<S> from_rotation_vector(const Vec3<S>& v);

/// The rotation vector of the shorter way round, of length at most pi.
template <class S>
RIGOR_API Vec3<S> to_rotation_vector(const Quat<S>& q);

/// The matrix R with R v = rotate(q, v).
template <class S>
constexpr Mat3<S> to_matrix(const Quat<S>& q) {
    const S xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const S xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const S wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{S(1) - S(2) * (yy + zz), S(2) * (xy + wz), S(2) * (xz - wy)},
            {S(2) * (xy - wz), S(1) - S(2) * (xx + zz), S(2) * (yz + wx)},
            {S(2) * (xz + wy), S(2) * (yz - wx), S(1) - S(2) * (xx + yy)}};
}

/// The quaternion of a rotation matrix, with w >= 0.
template <class S>
RIGOR_API Quat<S> from_matrix(const Mat3<S>& r);

/// Euler angles z-x'-z'': turn by phi about z, by theta about the new x, by psi about the
/// newest z. R = Rz(phi) Rx(theta) Rz(psi), body to world.
template <class S>
struct EulerZxz {
    S phi{}, theta{}, psi{};
};

template <class S>
RIGOR_API Quat<S> from_euler_zxz(const EulerZxz<S>& angles);

/// theta in [0, pi]. When theta is 0 or pi only phi + psi or phi - psi is defined; psi is
/// then 0.
template <class S>
RIGOR_API EulerZxz<S> to_euler_zxz(const Quat<S>& q);

/// The shorter great arc from a (t = 0) to b (t = 1), at constant angular speed.
template <class S>
RIGOR_API Quat<S> slerp(const Quat<S>& a, const Quat<S>& b, S t);

/// The shortest rotation that takes the unit vector `from` to the unit vector `to`.
template <class S>
RIGOR_API Quat<S> rotation_between(const Vec3<S>& from, const Vec3<S>& to);

/// The derivative of q for a body turning at w (world axes): half w times q.
template <class S>
constexpr Quat<S> derivative(const Quat<S>& q, const Vec3<S>& w) {
    return Quat<S>::from_parts(S(0), w) * q * S(0.5);
}

/// Takes the drift of rounding out of a quaternion that is nearly a unit: one Newton step,
/// without a square root, which squares the distance from 1.
template <class S>
constexpr Quat<S> correct_drift(const Quat<S>& q) {
    return q * ((S(3) - dot(q, q)) * S(0.5));
}

/// The rotation matrix nearest to r, a matrix that has drifted from being one: the polar
/// factor, by Newton's iteration [Higham 1986].
template <class S>
RIGOR_API Mat3<S> correct_drift(const Mat3<S>& r);

} // namespace rigor
