// What the sweeps over contacts and joints share: columns as lanes, and the rows of W bodies.
#pragma once

#include "fast/body_rows.h"
#include "fast/contact_block.h"
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

/// How W bodies move.
template <int W>
struct LaneVelocity {
    LaneVec<W> v, w;
};

/// How far W bodies have come in this step.
template <int W>
struct LaneMotion {
    LaneVec<W> shift;
    Quat<Lanes<W>> turn;
};

template <int W>
RIGOR_INLINE LaneVelocity<W> gather_velocity(const BodyRow* rows,
                                             const std::array<std::uint32_t, W>& which) {
    const float* from[W];
    for (int i = 0; i < W; ++i)
        from[i] = rows[which[static_cast<std::size_t>(i)] & ~kReadOnly].velocity.data();
    Lanes<W> f[8];
    RowTranspose<W>::load(from, f);
    return {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
}

template <int W>
RIGOR_INLINE LaneMotion<W> gather_motion(const BodyRow* rows,
                                         const std::array<std::uint32_t, W>& which) {
    const float* from[W];
    for (int i = 0; i < W; ++i)
        from[i] = rows[which[static_cast<std::size_t>(i)] & ~kReadOnly].motion.data();
    Lanes<W> f[8];
    RowTranspose<W>::load(from, f);
    return {{f[0], f[1], f[2]}, {f[6], f[3], f[4], f[5]}};
}

template <int W>
RIGOR_INLINE void scatter_velocity(BodyRow* rows, const std::array<std::uint32_t, W>& which,
                                   const LaneVelocity<W>& t) {
    BodyRow nobody; // what is not to be written goes here
    float* to[W];
    for (int i = 0; i < W; ++i) {
        const std::uint32_t row = which[static_cast<std::size_t>(i)];
        to[i] = ((row & kReadOnly) != 0 ? nobody : rows[row & ~kReadOnly]).velocity.data();
    }
    const Lanes<W> f[8] = {t.v.x, t.v.y, t.v.z, t.w.x, t.w.y, t.w.z, 0.0f, 0.0f};
    RowTranspose<W>::store(f, to);
}

} // namespace rigor::fast
