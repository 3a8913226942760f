// Conversions between quaternions, matrices, rotation vectors and Euler angles.

#include "rigor/rotation.h"

#include <limits>

#include "math/eigen3.h"
#include "math/small_rotation.h"
#include "math/trig.h"

namespace rigor {

template <class S>
Quat<S> from_axis_angle(const Vec3<S>& axis, S angle) {
    const SinCos<S> half = sin_cos(angle / S(2));
    return Quat<S>::from_parts(half.cos, axis * half.sin);
}

template <class S>
Quat<S> from_rotation_vector(const Vec3<S>& v) {
    const S square = length_squared(v) / S(4);
    if (static_cast<double>(square) <= kSmallRotation) {
        return small_rotation(v, static_cast<double>(square));
    }
    // The length relative to the largest component: the squares of huge ones would overflow.
    const S largest = max_component(abs(v));
    const SinCos<S> half = sin_cos(largest / S(2) * length(v / largest));
    return Quat<S>::from_parts(half.cos, normalize(v) * half.sin);
}

template <class S>
Vec3<S> to_rotation_vector(const Quat<S>& q) {
    const S sign = std::signbit(q.w) ? S(-1) : S(1);
    const Vec3<S> v = q.vec() * sign;
    const S w = q.w * sign, square = length_squared(v);
    // 2 atan(s/w) / s with s = |v|; near zero 2/w (1 - (s/w)²/3), which needs no s.
    if (square <= std::numeric_limits<S>::epsilon() * w * w)
        return v * (S(2) / w * (S(1) - square / (S(3) * w * w)));
    const S s = std::sqrt(square);
    return v * (S(2) * atan2(s, w) / s);
}

// Four formulas for the same quaternion; the one that divides by its largest component is exact to
// rounding [Shepperd 1978].
template <class S>
Quat<S> from_matrix(const Mat3<S>& r) {
    const S xx = r(0, 0), yy = r(1, 1), zz = r(2, 2), trace = xx + yy + zz;
    Quat<S> q;
    if (trace >= std::max({xx, yy, zz})) {
        q = {S(1) + trace, r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
    } else if (xx >= yy && xx >= zz) {
        q = {r(2, 1) - r(1, 2), S(1) + xx - yy - zz, r(0, 1) + r(1, 0), r(0, 2) + r(2, 0)};
    } else if (yy >= zz) {
        q = {r(0, 2) - r(2, 0), r(0, 1) + r(1, 0), S(1) + yy - zz - xx, r(1, 2) + r(2, 1)};
    } else {
        q = {r(1, 0) - r(0, 1), r(0, 2) + r(2, 0), r(1, 2) + r(2, 1), S(1) + zz - xx - yy};
    }
    q = normalize(q);
    return q.w < S(0) ? -q : q;
}

// The product of the three rotations, with sums and differences of angles instead of products of
// their sines.
template <class S>
Quat<S> from_euler_zxz(const EulerZxz<S>& angles) {
    const SinCos<S> sum = sin_cos((angles.phi + angles.psi) / S(2));
    const SinCos<S> difference = sin_cos((angles.phi - angles.psi) / S(2));
    const SinCos<S> tilt = sin_cos(angles.theta / S(2));
    return {tilt.cos * sum.cos, tilt.sin * difference.cos, tilt.sin * difference.sin,
            tilt.cos * sum.sin};
}

namespace {

// Wraps into [-pi, pi], for |angle| <= 3 pi.
template <class S>
S wrap(S angle) {
    if (angle > kPi<S>) return angle - S(2) * kPi<S>;
    if (angle < -kPi<S>) return angle + S(2) * kPi<S>;
    return angle;
}

} // namespace

template <class S>
EulerZxz<S> to_euler_zxz(const Quat<S>& q) {
    const S sine = std::sqrt(q.x * q.x + q.y * q.y), cosine = std::sqrt(q.w * q.w + q.z * q.z);
    const S nothing = S(2) * std::numeric_limits<S>::epsilon();
    if (sine <= nothing) return {wrap(S(2) * atan2(q.z, q.w)), S(0), S(0)};
    if (cosine <= nothing) return {wrap(S(2) * atan2(q.y, q.x)), kPi<S>, S(0)};
    const S half_sum = atan2(q.z, q.w), half_difference = atan2(q.y, q.x);
    return {wrap(half_sum + half_difference), S(2) * atan2(sine, cosine),
            wrap(half_sum - half_difference)};
}

template <class S>
Quat<S> slerp(const Quat<S>& a, const Quat<S>& b, S t) {
    const Quat<S> end = dot(a, b) < S(0) ? -b : b;
    // The angle between two unit vectors, to full precision also when they are nearly equal.
    const S angle = S(2) * atan2(length(end + -a), length(end + a));
    const S sine = sin(angle);
    if (sine == S(0)) return a;
    return a * (sin((S(1) - t) * angle) / sine) + end * (sin(t * angle) / sine);
}

template <class S>
Quat<S> rotation_between(const Vec3<S>& from, const Vec3<S>& to) {
    const S cosine = dot(from, to);
    if (cosine > S(-0.5)) {
        const Vec3<S> middle = normalize(from + to);
        return Quat<S>::from_parts(dot(from, middle), cross(from, middle));
    }
    // Nearly opposite: the half-way vector is lost in rounding, and any axis perpendicular to
    // `from` is within the uncertainty of the true one.
    const S uncertain = S(8) * std::numeric_limits<S>::epsilon();
    const Vec3<S> aside = to - from * cosine;
    const Vec3<S> across = length(aside) > uncertain ? normalize(aside) : perpendicular(from);
    const Vec3<S> axis = normalize(cross(from, across));
    return normalize(Quat<S>::from_parts(length(from + to), axis * length(from - to)));
}

namespace {

template <class S>
S square_norm(const Mat3<S>& a) {
    return length_squared(a.cx) + length_squared(a.cy) + length_squared(a.cz);
}

// The transposed inverse, for det != 0.
template <class S>
Mat3<S> inverse_transpose(const Mat3<S>& a, S det) {
    return Mat3<S>{cross(a.cy, a.cz), cross(a.cz, a.cx), cross(a.cx, a.cy)} * (S(1) / det);
}

// The nearest rotation to a matrix that may be singular or a reflection: with a = U Σ Vᵀ the
// two largest singular directions are matched and the third follows by handedness
// [Kabsch 1978].
template <class S>
Mat3<S> nearest_rotation(const Mat3<S>& a) {
    const S scale = std::sqrt(square_norm(a));
    if (!(scale > S(0)) || !std::isfinite(scale)) return {};
    const Mat3<S> unit = a * (S(1) / scale);
    const Mat3<S> v = eigen(Sym3<S>::from(transpose(unit) * unit)).vectors;
    const Vec3<S> uz = normalize(unit * v.cz);
    const Vec3<S> aside = unit * v.cy - uz * dot(uz, unit * v.cy);
    const bool has_second = length(aside) > S(8) * std::numeric_limits<S>::epsilon();
    const Vec3<S> uy = has_second ? normalize(aside) : perpendicular(uz);
    return Mat3<S>{cross(uy, uz), uy, uz} * transpose(v);
}

} // namespace

template <class S>
Mat3<S> correct_drift(const Mat3<S>& r) {
    Mat3<S> x = r;
    for (int iteration = 0; iteration < 12; ++iteration) {
        const S det = determinant(x);
        if (!(det > S(0.1)) || !(det < S(10))) return nearest_rotation(r);
        const Mat3<S> next = (x + inverse_transpose(x, det)) * S(0.5);
        const S change = square_norm(next - x);
        x = next;
        // Quadratic convergence: the next change would be about the square of this one.
        if (change <= std::numeric_limits<S>::epsilon()) return x;
    }
    return nearest_rotation(r);
}

#define RIGOR_INSTANTIATE(S)                                           \
    template Quat<S> from_axis_angle(const Vec3<S>&, S);               \
    template Quat<S> from_rotation_vector(const Vec3<S>&);             \
    template Vec3<S> to_rotation_vector(const Quat<S>&);               \
    template Quat<S> from_matrix(const Mat3<S>&);                      \
    template Quat<S> from_euler_zxz(const EulerZxz<S>&);               \
    template EulerZxz<S> to_euler_zxz(const Quat<S>&);                 \
    template Quat<S> slerp(const Quat<S>&, const Quat<S>&, S);         \
    template Quat<S> rotation_between(const Vec3<S>&, const Vec3<S>&); \
    template Mat3<S> correct_drift(const Mat3<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
