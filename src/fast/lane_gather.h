// Columns as lanes, and gather and scatter of the solver bodies of W constraints.
#pragma once

#include "fast/lane_columns.h"
#include "fast/solver_bodies.h"
#include "rigor/quat.h"
#include "simd/float_lanes.h"

namespace rigor::fast {

template <int W>
using LaneVec = Vec3<Lanes<W>>;

template <int W>
RIGOR_INLINE Lanes<W> read(const Column<W>& column) {
    return Lanes<W>::load(column.data());
}
template <int W>
RIGOR_INLINE void write(Column<W>& column, Lanes<W> value) {
    value.store(column.data());
}
template <int W>
RIGOR_INLINE LaneVec<W> read_vector(const std::array<Column<W>, 3>& columns) {
    return {read<W>(columns[0]), read<W>(columns[1]), read<W>(columns[2])};
}
template <int W>
RIGOR_INLINE void write_vector(std::array<Column<W>, 3>& columns, const LaneVec<W>& v) {
    write<W>(columns[0], v.x);
    write<W>(columns[1], v.y);
    write<W>(columns[2], v.z);
}
template <int W>
RIGOR_INLINE Sym3<Lanes<W>> read_tensor(const std::array<Column<W>, 6>& m) {
    return {read<W>(m[0]), read<W>(m[1]), read<W>(m[2]),
            read<W>(m[3]), read<W>(m[4]), read<W>(m[5])};
}

/// Of W bodies.
template <int W>
struct LaneVelocity {
    LaneVec<W> v, w;
};

/// Of W bodies since the beginning of the step.
template <int W>
struct LaneDisplacement {
    LaneVec<W> translation;
    Quat<Lanes<W>> rotation;
};

template <int W>
RIGOR_INLINE LaneVelocity<W> gather_velocity(const SolverBody* bodies,
                                             const std::array<SolverBodyIndex, W>& which) {
    const float* from[W];
    for (int i = 0; i < W; ++i)
        from[i] = bodies[which[static_cast<std::size_t>(i)].index()].velocity.data();
    Lanes<W> f[8];
    RowTranspose<W>::load(from, f);
    return {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
}

template <int W>
RIGOR_INLINE LaneDisplacement<W> gather_displacement(const SolverBody* bodies,
                                                     const std::array<SolverBodyIndex, W>& which) {
    const float* from[W];
    for (int i = 0; i < W; ++i)
        from[i] = bodies[which[static_cast<std::size_t>(i)].index()].displacement.data();
    Lanes<W> f[8];
    RowTranspose<W>::load(from, f);
    return {{f[0], f[1], f[2]}, {f[6], f[3], f[4], f[5]}};
}

/// What the masses of W bodies are now.
template <int W>
struct LaneMass {
    Lanes<W> inv_mass;
    Sym3<Lanes<W>> inv_inertia;
};
template <int W>
RIGOR_INLINE LaneMass<W> gather_mass(const SolverMass* masses,
                                     const std::array<SolverBodyIndex, W>& which) {
    const float* from[W];
    for (int i = 0; i < W; ++i)
        from[i] = &masses[which[static_cast<std::size_t>(i)].index()].inv_mass;
    Lanes<W> f[8];
    RowTranspose<W>::load(from, f);
    return {f[0], {f[1], f[2], f[3], f[4], f[5], f[6]}};
}

/// What changes the velocities of W bodies within a substep, beside impulses.
template <int W>
struct LaneAcceleration {
    LaneVec<W> gravity, change_of_rate;
};
template <int W>
RIGOR_INLINE LaneAcceleration<W> gather_acceleration(const SolverMass* masses,
                                                     const std::array<SolverBodyIndex, W>& which) {
    const float* from[W];
    for (int i = 0; i < W; ++i)
        from[i] = &masses[which[static_cast<std::size_t>(i)].index()].gravity_acceleration.x;
    Lanes<W> f[8];
    RowTranspose<W>::load(from, f);
    return {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
}

template <int W>
RIGOR_INLINE void scatter_velocity(SolverBody* bodies, const std::array<SolverBodyIndex, W>& which,
                                   const LaneVelocity<W>& t) {
    SolverBody discarded; // bodies of infinite mass are not written
    float* to[W];
    for (int i = 0; i < W; ++i) {
        const SolverBodyIndex body = which[static_cast<std::size_t>(i)];
        to[i] = (body.responds_to_impulses() ? bodies[body.index()] : discarded).velocity.data();
    }
    const Lanes<W> f[8] = {t.v.x, t.v.y, t.v.z, t.w.x, t.w.y, t.w.z, 0.0f, 0.0f};
    RowTranspose<W>::store(f, to);
}

} // namespace rigor::fast
