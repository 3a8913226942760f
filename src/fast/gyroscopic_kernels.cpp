#include "fast/gyroscopic_kernels.h"

#include "dynamics/symplectic_rotation.h"
#include "rigor/mat.h"
#include "simd/clones.h"
#include "simd/lanes.h"

namespace rigor::fast {
namespace {

using D = Lanes4d;

template <class Row>
inline D load(const Row& row) {
    return D::load(row.data());
}
template <class Row>
inline Vec3<D> load(const std::array<Row, 3>& v) {
    return {load(v[0]), load(v[1]), load(v[2])};
}
inline Quat<D> load(const GyroscopicGroup::Quaternion& q) {
    return {load(q[0]), load(q[1]), load(q[2]), load(q[3])};
}
template <class Row>
inline void store(const Vec3<D>& v, std::array<Row, 3>& to) {
    v.x.store(to[0].data());
    v.y.store(to[1].data());
    v.z.store(to[2].data());
}
template <class Row>
inline void store(const Quat<D>& q, std::array<Row, 4>& to) {
    q.w.store(to[0].data());
    q.x.store(to[1].data());
    q.y.store(to[2].data());
    q.z.store(to[3].data());
}

inline Vec3<D> absorb(GyroscopicGroup& group, const Quat<D>& q) {
    const Vec3<D> change = load(group.w) - load(group.rate);
    const Vec3<D> impulse = rotate(q, multiply(load(group.moments), inverse_rotate(q, change)));
    const Vec3<D> l = load(group.l) + multiply(load(group.free), impulse);
    store(l, group.l);
    return l;
}

inline Quat<D> rotated(GyroscopicGroup& group, const Quat<D>& q, const Vec3<D>& l, D h) {
    const Vec3<D> inv_moments = load(group.inv_moments);
    const Vec3<D> w = multiply(inv_moments, inverse_rotate(q, l)) * h;
    const D precession = h * inv_moments.z;
    (dot(w, w) + dot(l, l) * precession * precession).store(group.squared_turn.data());
    return symplectic_rotation<SmallAngles>(inv_moments, q, l, h);
}

/// asin(s)/s by z = s²: to 1e-9 for half of kMaxTurn.
inline D arc_sine_ratio(D z) {
    return D(1.0) +
           z * (D(1.0 / 6) +
                z * (D(3.0 / 40) +
                     z * (D(5.0 / 112) +
                          z * (D(35.0 / 1152) + z * (D(63.0 / 2816) + z * D(231.0 / 13312))))));
}

} // namespace

RIGOR_AVX2_CLONES void absorb_impulses(GyroscopicGroup& group) {
    absorb(group, load(group.q));
}

RIGOR_AVX2_CLONES void predict_rate(GyroscopicGroup& group, double h) {
    const Quat<D> q = load(group.q);
    const Vec3<D> l = absorb(group, q);
    const Quat<D> turn = rotated(group, q, l, D(h)) * conjugate(q);
    const Vec3<D> v{turn.x, turn.y, turn.z};
    store(v * (arc_sine_ratio(dot(v, v)) * D(2 / h)), group.rate);
}

RIGOR_AVX2_CLONES void rotate_freely(GyroscopicGroup& group, double h) {
    const Quat<D> q = load(group.q);
    const Vec3<D> l = absorb(group, q);
    store(rotated(group, q, l, D(h)), group.next);
}

RIGOR_AVX2_CLONES void update_state(GyroscopicGroup& group) {
    const Quat<D> q = load(group.q);
    store(q * conjugate(load(group.start)), group.turn);
    const Mat3<D> axes = to_matrix(q);
    const Vec3<D> i = load(group.inv_moments), l = load(group.l);
    const Vec3<D> x = axes.cx * i.x, y = axes.cy * i.y, z = axes.cz * i.z;
    store(x * dot(axes.cx, l) + y * dot(axes.cy, l) + z * dot(axes.cz, l), group.rate);
    const auto entry = [&](const auto& row, const auto& column, GyroscopicGroup::FloatRow& to) {
        (row(x) * column(axes.cx) + row(y) * column(axes.cy) + row(z) * column(axes.cz))
            .store(to.data());
    };
    const auto first = [](const Vec3<D>& v) { return v.x; };
    const auto second = [](const Vec3<D>& v) { return v.y; };
    const auto third = [](const Vec3<D>& v) { return v.z; };
    entry(first, first, group.inv_inertia[0]);
    entry(second, second, group.inv_inertia[1]);
    entry(third, third, group.inv_inertia[2]);
    entry(first, second, group.inv_inertia[3]);
    entry(first, third, group.inv_inertia[4]);
    entry(second, third, group.inv_inertia[5]);
}

} // namespace rigor::fast
