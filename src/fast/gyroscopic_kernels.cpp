#include "fast/gyroscopic_kernels.h"

#include <cstring>

#include "dynamics/symplectic_rotation.h"
#include "rigor/mat.h"
#include "simd/clones.h"
#include "simd/float_lanes.h"
#include "simd/lanes.h"

namespace rigor::fast {
namespace {

using D = Lanes4d;
using F = Lanes<4>;

constexpr std::size_t kWidth = GyroscopicGroup::kWidth;

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

/// Eight floats of each solver body as columns, and back. An unused lane has the static body, which
/// is not written.
template <class Record, class Row>
inline void gather(const GyroscopicGroup& group, const Record* records, const Row& row_of,
                   F* columns) {
    const float* rows[kWidth];
    for (std::size_t i = 0; i < kWidth; ++i) rows[i] = row_of(records[group.solver_body[i]]);
    RowTranspose<4>::load(rows, columns);
}
template <class Record, class Row>
inline void scatter(const F* columns, const GyroscopicGroup& group, const Row& row_of,
                    Record* records) {
    Record discarded;
    float* rows[kWidth];
    for (std::size_t i = 0; i < kWidth; ++i)
        rows[i] = row_of(group.solver_body[i] != 0 ? records[group.solver_body[i]] : discarded);
    RowTranspose<4>::store(columns, rows);
}
constexpr auto velocity_of = [](auto& body) { return body.velocity.data(); };
constexpr auto displacement_of = [](auto& body) { return body.displacement.data(); };

inline F load_floats(const GyroscopicGroup::FloatRow& row) {
    return F::load(row.data());
}
inline void read_velocities(GyroscopicGroup& group, const SolverBody* bodies, F* columns) {
    gather(group, bodies, velocity_of, columns);
    for (std::size_t k = 0; k < 3; ++k) columns[k + 3].store(group.w[k].data());
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

RIGOR_AVX2_CLONES void absorb_impulses(GyroscopicGroup& group, const SolverBody* bodies) {
    F columns[8];
    read_velocities(group, bodies, columns);
    absorb(group, load(group.q));
}

RIGOR_AVX2_CLONES void predict_rate(GyroscopicGroup& group, double h, SolverBody* bodies) {
    F columns[8];
    read_velocities(group, bodies, columns);
    const Quat<D> q = load(group.q);
    const Vec3<D> l = absorb(group, q);
    const Quat<D> next = rotated(group, q, l, D(h)), turn = next * conjugate(q);
    const Vec3<D> v{turn.x, turn.y, turn.z};
    store(v * (arc_sine_ratio(dot(v, v)) * D(2 / h)), group.rate);
    store(next, group.next);
    store(next * conjugate(load(group.start)), group.turn);
    for (std::size_t k = 0; k < 3; ++k) columns[k + 3] = load_floats(group.rate[k]);
    scatter(columns, group, velocity_of, bodies);
}

RIGOR_AVX2_CLONES void predict_displacements(GyroscopicGroup& group, double h,
                                             const SolverBody* bodies, SolverBody* ahead) {
    F velocity[8], displacement[8];
    read_velocities(group, bodies, velocity);
    if (std::memcmp(&group.w, &group.rate, sizeof group.w) != 0) {
        const Quat<D> q = load(group.q);
        const Quat<D> next = rotated(group, q, absorb(group, q), D(h));
        store(next, group.next);
        store(next * conjugate(load(group.start)), group.turn);
        group.rate = group.w;
    }
    gather(group, bodies, displacement_of, displacement);
    for (std::size_t k = 0; k < 3; ++k) {
        displacement[k] = displacement[k] + F(static_cast<float>(h)) * velocity[k];
        displacement[k + 3] = load_floats(group.turn[k + 1]);
    }
    displacement[6] = load_floats(group.turn[0]);
    scatter(displacement, group, displacement_of, ahead);
}

RIGOR_AVX2_CLONES void rotate_freely(GyroscopicGroup& group, double h, const SolverBody* bodies) {
    F columns[8];
    read_velocities(group, bodies, columns);
    if (std::memcmp(&group.w, &group.rate, sizeof group.w) == 0) return;
    const Quat<D> q = load(group.q);
    const Vec3<D> l = absorb(group, q);
    store(rotated(group, q, l, D(h)), group.next);
}

RIGOR_AVX2_CLONES void update_state(GyroscopicGroup& group) {
    const Quat<D> q = load(group.next);
    group.q = group.next;
    store(q * conjugate(load(group.start)), group.turn);
    const Mat3<D> axes = to_matrix(q);
    const Vec3<D> i = load(group.inv_moments), l = load(group.l);
    const Vec3<D> x = axes.cx * i.x, y = axes.cy * i.y, z = axes.cz * i.z;
    store(x * dot(axes.cx, l) + y * dot(axes.cy, l) + z * dot(axes.cz, l), group.rate);
    // With the momentum that it has now, at the inertia of before.
    GyroscopicGroup::FloatVector momentum;
    store(l, momentum);
    const auto& m = group.inv_inertia;
    const Sym3<F> before{load_floats(m[0]), load_floats(m[1]), load_floats(m[2]),
                         load_floats(m[3]), load_floats(m[4]), load_floats(m[5])};
    const Vec3<F> rate = before * Vec3<F>{load_floats(momentum[0]), load_floats(momentum[1]),
                                          load_floats(momentum[2])};
    rate.x.store(group.rate_before[0].data());
    rate.y.store(group.rate_before[1].data());
    rate.z.store(group.rate_before[2].data());
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

RIGOR_AVX2_CLONES void write_state(const GyroscopicGroup& group, SolverBody* bodies,
                                   SolverMass* masses) {
    F velocity[8], displacement[8], mass[8];
    gather(group, bodies, velocity_of, velocity);
    gather(group, bodies, displacement_of, displacement);
    mass[0] = load_floats(group.inv_mass);
    for (std::size_t k = 0; k < 6; ++k) mass[k + 1] = load_floats(group.inv_inertia[k]);
    mass[7] = F(0.0f);
    for (std::size_t k = 0; k < 3; ++k) {
        velocity[k + 3] = load_floats(group.rate[k]);
        displacement[k + 3] = load_floats(group.turn[k + 1]);
    }
    displacement[6] = load_floats(group.turn[0]);
    scatter(velocity, group, velocity_of, bodies);
    scatter(displacement, group, displacement_of, bodies);
    scatter(
        mass, group, [](SolverMass& of) { return &of.inv_mass; }, masses);
    for (std::size_t i = 0; i < kWidth; ++i) {
        if (group.solver_body[i] == 0) continue;
        const auto change = [&](std::size_t k) {
            return group.rate[k][i] - group.rate_before[k][i];
        };
        masses[group.solver_body[i]].change_of_rate = {change(0), change(1), change(2)};
    }
}

} // namespace rigor::fast
