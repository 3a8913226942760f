#include "fast/turning_kernels.h"

#include "dynamics/symplectic_rotation.h"
#include "rigor/mat.h"
#include "simd/clones.h"
#include "simd/lanes.h"

namespace rigor::fast {
namespace {

using D = Lanes4d;
using Row = TurningGroup::Row;

inline D load(const Row& row) {
    return D::load(row.data());
}
inline Vec3<D> load(const TurningGroup::Vector& v) {
    return {load(v[0]), load(v[1]), load(v[2])};
}
inline Quat<D> load(const TurningGroup::Quaternion& q) {
    return {load(q[0]), load(q[1]), load(q[2]), load(q[3])};
}
inline void store(const Vec3<D>& v, TurningGroup::Vector& to) {
    v.x.store(to[0].data());
    v.y.store(to[1].data());
    v.z.store(to[2].data());
}
inline void store(const Quat<D>& q, TurningGroup::Quaternion& to) {
    q.w.store(to[0].data());
    q.x.store(to[1].data());
    q.y.store(to[2].data());
    q.z.store(to[3].data());
}

inline Vec3<D> absorb(TurningGroup& group, const Quat<D>& q) {
    const Vec3<D> change = load(group.w) - load(group.rate);
    const Vec3<D> impulse =
        rotate(q, multiply(load(group.moments), inverse_rotate(q, change)));
    const Vec3<D> l = load(group.l) + multiply(load(group.free), impulse);
    store(l, group.l);
    return l;
}

inline Quat<D> rotated(const TurningGroup& group, const Quat<D>& q, const Vec3<D>& l, D h) {
    return symplectic_rotation<SmallAngles>(load(group.inv_moments), q, l, h);
}

/// asin(s)/s by z = s²: to 1e-10 at the largest angle of turns_little.
inline D arc_sine_ratio(D z) {
    return D(1.0) +
           z * (D(1.0 / 6) +
                z * (D(3.0 / 40) +
                     z * (D(5.0 / 112) +
                          z * (D(35.0 / 1152) + z * (D(63.0 / 2816) + z * D(231.0 / 13312))))));
}

} // namespace

RIGOR_AVX2_CLONES void absorb_impulses(TurningGroup& group) {
    absorb(group, load(group.q));
}

RIGOR_AVX2_CLONES void predict_rotation(TurningGroup& group, double h) {
    const Quat<D> q = load(group.q);
    const Vec3<D> l = absorb(group, q);
    const Quat<D> next = rotated(group, q, l, D(h));
    store(next, group.next);
    const Quat<D> turn = next * conjugate(q);
    const Vec3<D> v{turn.x, turn.y, turn.z};
    store(v * (arc_sine_ratio(dot(v, v)) * D(2 / h)), group.w);
}

RIGOR_AVX2_CLONES void rotate_freely(TurningGroup& group, double h) {
    const Quat<D> q = load(group.q);
    const Vec3<D> l = absorb(group, q);
    store(rotated(group, q, l, D(h)), group.next);
}

RIGOR_AVX2_CLONES void compute_state(const TurningGroup& group, TurningState& state) {
    const Quat<D> q = load(group.q);
    store(q * conjugate(load(group.start)), state.turn);
    const Mat3<D> axes = to_matrix(q);
    const Vec3<D> i = load(group.inv_moments), l = load(group.l);
    const Vec3<D> x = axes.cx * i.x, y = axes.cy * i.y, z = axes.cz * i.z;
    store(x * dot(axes.cx, l) + y * dot(axes.cy, l) + z * dot(axes.cz, l), state.w);
    const auto entry = [&](auto component, auto other, Row& to) {
        (component(x) * other(axes.cx) + component(y) * other(axes.cy) +
         component(z) * other(axes.cz))
            .store(to.data());
    };
    const auto first = [](const Vec3<D>& v) { return v.x; };
    const auto second = [](const Vec3<D>& v) { return v.y; };
    const auto third = [](const Vec3<D>& v) { return v.z; };
    entry(first, first, state.inv_inertia[0]);
    entry(second, second, state.inv_inertia[1]);
    entry(third, third, state.inv_inertia[2]);
    entry(first, second, state.inv_inertia[3]);
    entry(first, third, state.inv_inertia[4]);
    entry(second, third, state.inv_inertia[5]);
}

bool turns_little(const TurningGroup& group, std::size_t lane, double h) {
    constexpr double kMaxAngle = 0.6; // rad
    const TurningGroup::Vector& l = group.l;
    const double squared =
        l[0][lane] * l[0][lane] + l[1][lane] * l[1][lane] + l[2][lane] * l[2][lane];
    const double rate = group.max_inv_moment[lane] * h;
    return squared * rate * rate < kMaxAngle * kMaxAngle; // false for NaN
}

} // namespace rigor::fast
