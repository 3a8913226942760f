#include "fast/contact_kernels.h"

#include "simd/float_lanes.h"

namespace rigor::fast {
namespace {

/// A vector in each lane.
template <class F>
struct Triple {
    F x, y, z;

    RIGOR_INLINE friend Triple operator+(const Triple& a, const Triple& b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    RIGOR_INLINE friend Triple operator-(const Triple& a, const Triple& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    RIGOR_INLINE friend Triple operator*(const Triple& a, F s) {
        return {a.x * s, a.y * s, a.z * s};
    }
};

template <class F>
RIGOR_INLINE F dot(const Triple<F>& a, const Triple<F>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class F>
RIGOR_INLINE Triple<F> cross(const Triple<F>& a, const Triple<F>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <int W>
RIGOR_INLINE Lanes<W> read(const Column<W>& column) {
    return Lanes<W>::load(column.data());
}
template <int W>
RIGOR_INLINE void write(Column<W>& column, Lanes<W> value) {
    value.store(column.data());
}
template <int W>
RIGOR_INLINE Triple<Lanes<W>> read_vector(const std::array<Column<W>, 3>& columns) {
    return {read<W>(columns[0]), read<W>(columns[1]), read<W>(columns[2])};
}

template <int W>
RIGOR_INLINE Triple<Lanes<W>> times(const std::array<Column<W>, 6>& m, const Triple<Lanes<W>>& v) {
    const Lanes<W> xx = read<W>(m[0]), yy = read<W>(m[1]), zz = read<W>(m[2]), xy = read<W>(m[3]),
                   xz = read<W>(m[4]), yz = read<W>(m[5]);
    return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z,
            xz * v.x + yz * v.y + zz * v.z};
}

/// One half of the rows of W bodies: a vector and the one that turns.
template <int W>
struct Twist {
    Triple<Lanes<W>> v, w;
};

template <int W>
RIGOR_INLINE Twist<W> gather(const BodyRow* rows, const std::array<std::uint32_t, W>& which,
                             bool motion) {
    const float* from[W];
    for (int i = 0; i < W; ++i) {
        const BodyRow& row = rows[which[static_cast<std::size_t>(i)] & ~kReadOnly];
        from[i] = motion ? row.motion.data() : row.velocity.data();
    }
    Lanes<W> f[8];
    RowTranspose<W>::load(from, f);
    return {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
}

template <int W>
RIGOR_INLINE void scatter(BodyRow* rows, const std::array<std::uint32_t, W>& which,
                          const Twist<W>& t) {
    BodyRow nobody; // what is not to be written goes here
    float* to[W];
    for (int i = 0; i < W; ++i) {
        const std::uint32_t row = which[static_cast<std::size_t>(i)];
        to[i] = ((row & kReadOnly) != 0 ? nobody : rows[row & ~kReadOnly]).velocity.data();
    }
    const Lanes<W> f[8] = {t.v.x, t.v.y, t.v.z, t.w.x, t.w.y, t.w.z, 0.0f, 0.0f};
    RowTranspose<W>::store(f, to);
}

/// The two sides of W manifolds, and what impulses do to them.
template <int W>
struct Sides {
    using F = Lanes<W>;

    RIGOR_INLINE Sides(const ContactBlock<W>& block, const BodyRow* rows)
        : block_(block),
          a(gather<W>(rows, block.row_a, false)),
          b(gather<W>(rows, block.row_b, false)),
          inv_mass_a(read<W>(block.inv_mass_a)),
          inv_mass_b(read<W>(block.inv_mass_b)) {}

    RIGOR_INLINE Triple<F> relative_velocity(const Triple<F>& arm_a, const Triple<F>& arm_b) const {
        return b.v + cross(b.w, arm_b) - a.v - cross(a.w, arm_a);
    }
    RIGOR_INLINE void push(const Triple<F>& impulse, const Triple<F>& arm_a,
                           const Triple<F>& arm_b) {
        a.v = a.v - impulse * inv_mass_a;
        b.v = b.v + impulse * inv_mass_b;
        a.w = a.w - times<W>(block_.inv_inertia_a, cross(arm_a, impulse));
        b.w = b.w + times<W>(block_.inv_inertia_b, cross(arm_b, impulse));
    }
    RIGOR_INLINE void turn(const Triple<F>& impulse) {
        a.w = a.w - times<W>(block_.inv_inertia_a, impulse);
        b.w = b.w + times<W>(block_.inv_inertia_b, impulse);
    }
    RIGOR_INLINE void write(BodyRow* rows) const {
        scatter<W>(rows, block_.row_a, a);
        scatter<W>(rows, block_.row_b, b);
    }

    const ContactBlock<W>& block_;
    Twist<W> a, b;
    F inv_mass_a, inv_mass_b;
};

template <int W>
RIGOR_INLINE void warm_start_block(ContactBlock<W>& block, BodyRow* rows) {
    using F = Lanes<W>;
    Sides<W> sides(block, rows);
    const Triple<F> n = read_vector<W>(block.normal), t = read_vector<W>(block.tangent),
                    s = cross(n, t);
    for (int k = 0; k < block.point_count; ++k) {
        const auto& point = block.points[static_cast<std::size_t>(k)];
        sides.push(n * read<W>(point.impulse), read_vector<W>(point.arm_a),
                   read_vector<W>(point.arm_b));
    }
    sides.push(t * read<W>(block.friction_1) + s * read<W>(block.friction_2),
               read_vector<W>(block.middle_a), read_vector<W>(block.middle_b));
    sides.turn(n * read<W>(block.twist));
    sides.write(rows);
}

/// Friction of the whole manifold, within the cone that the normal impulses span.
template <int W>
RIGOR_INLINE void solve_friction(ContactBlock<W>& block, Sides<W>& sides,
                                 const Triple<Lanes<W>>& n) {
    using F = Lanes<W>;
    const Triple<F> t = read_vector<W>(block.tangent), s = cross(n, t);
    const Triple<F> middle_a = read_vector<W>(block.middle_a),
                    middle_b = read_vector<W>(block.middle_b);
    const F friction = read<W>(block.friction);
    F load = 0.0f, leverage = 0.0f;
    for (int k = 0; k < block.point_count; ++k) {
        const auto& point = block.points[static_cast<std::size_t>(k)];
        const F impulse = read<W>(point.impulse);
        load = load + impulse;
        leverage = leverage + impulse * read<W>(point.lever);
    }
    // About the normal.
    const F twist = read<W>(block.twist), most_twist = friction * leverage;
    const F spin = dot(n, sides.b.w - sides.a.w);
    const F new_twist = max(-most_twist, min(twist - read<W>(block.twist_mass) * spin, most_twist));
    write<W>(block.twist, new_twist);
    sides.turn(n * (new_twist - twist));
    // In the plane: both directions at once, then back to the cone.
    const Triple<F> slip = sides.relative_velocity(middle_a, middle_b);
    const F slip_1 = dot(slip, t) - read<W>(block.drag_1);
    const F slip_2 = dot(slip, s) - read<W>(block.drag_2);
    const F k11 = read<W>(block.tangent_mass[0]), k22 = read<W>(block.tangent_mass[1]),
            k12 = read<W>(block.tangent_mass[2]);
    const F old_1 = read<W>(block.friction_1), old_2 = read<W>(block.friction_2);
    F new_1 = old_1 - (k11 * slip_1 + k12 * slip_2);
    F new_2 = old_2 - (k12 * slip_1 + k22 * slip_2);
    const F most = friction * load;
    const F squared = new_1 * new_1 + new_2 * new_2;
    const F scale = select(squared > most * most, most / sqrt(max(squared, F(1e-30f))), F(1.0f));
    new_1 = new_1 * scale;
    new_2 = new_2 * scale;
    write<W>(block.friction_1, new_1);
    write<W>(block.friction_2, new_2);
    sides.push(t * (new_1 - old_1) + s * (new_2 - old_2), middle_a, middle_b);
}

template <int W>
RIGOR_INLINE void solve_block(ContactBlock<W>& block, BodyRow* rows,
                              const SweepSettings& settings) {
    using F = Lanes<W>;
    Sides<W> sides(block, rows);
    const Triple<F> n = read_vector<W>(block.normal);
    const Twist<W> moved_a = gather<W>(rows, block.row_a, true);
    const Twist<W> moved_b = gather<W>(rows, block.row_b, true);
    const F inv_h = settings.inv_h, push = -settings.push_speed, zero = 0.0f, one = 1.0f;
    const F rate = settings.use_bias ? read<W>(block.bias_rate) : zero;
    const F mass_scale = settings.use_bias ? read<W>(block.mass_scale) : one;
    const F impulse_scale = settings.use_bias ? read<W>(block.impulse_scale) : zero;
    const F approach = dot(n, moved_b.v - moved_a.v);
    for (int i = 0; i < block.point_count; ++i) {
        const int k = settings.backward ? block.point_count - 1 - i : i;
        auto& point = block.points[static_cast<std::size_t>(k)];
        const Triple<F> arm_a = read_vector<W>(point.arm_a), arm_b = read_vector<W>(point.arm_b);
        const Triple<F> turned = cross(moved_b.w, arm_b) - cross(moved_a.w, arm_a);
        const F separation = read<W>(point.separation) + approach + dot(n, turned);
        const auto apart = separation > zero;
        const F bias = select(apart, separation * inv_h, max(separation * rate, push));
        const F soft_mass = select(apart, one, mass_scale);
        const F soft_impulse = select(apart, zero, impulse_scale);
        const F speed = dot(n, sides.relative_velocity(arm_a, arm_b));
        const F old = read<W>(point.impulse);
        const F wanted =
            old - read<W>(point.mass) * soft_mass * (speed + bias) - soft_impulse * old;
        const F impulse = max(wanted, zero);
        write<W>(point.impulse, impulse);
        write<W>(point.most, max(read<W>(point.most), impulse));
        sides.push(n * (impulse - old), arm_a, arm_b);
    }
    if (!settings.use_bias) solve_friction<W>(block, sides, n);
    sides.write(rows);
}

template <int W>
RIGOR_INLINE void bounce_block(ContactBlock<W>& block, BodyRow* rows,
                               const SweepSettings& settings) {
    using F = Lanes<W>;
    Sides<W> sides(block, rows);
    const Triple<F> n = read_vector<W>(block.normal);
    const F restitution = read<W>(block.restitution), zero = 0.0f;
    for (int k = 0; k < block.point_count; ++k) {
        auto& point = block.points[static_cast<std::size_t>(k)];
        const F approach = read<W>(point.approach);
        const F fast = select(-approach > F(settings.slowest_bounce), F(1.0f), zero);
        const F pushed = select(read<W>(point.most) > zero, F(1.0f), zero);
        const F active = fast * pushed * select(restitution > zero, F(1.0f), zero);
        const Triple<F> arm_a = read_vector<W>(point.arm_a), arm_b = read_vector<W>(point.arm_b);
        const F speed = dot(n, sides.relative_velocity(arm_a, arm_b));
        const F old = read<W>(point.impulse);
        const F wanted = old - read<W>(point.mass) * (speed + restitution * approach);
        const F impulse = select(active > zero, max(wanted, zero), old);
        write<W>(point.impulse, impulse);
        sides.push(n * (impulse - old), arm_a, arm_b);
    }
    sides.write(rows);
}

/// One loop for each sweep and width. AVX2 is a property of these functions alone: nothing that
/// is shared with the rest of the program is compiled for it.
#define RIGOR_SWEEPS(W, ATTRIBUTES)                                                             \
    ATTRIBUTES void warm_start_##W(ContactBlock<W>* blocks, std::size_t count, BodyRow* rows) { \
        for (std::size_t i = 0; i < count; ++i) warm_start_block<W>(blocks[i], rows);           \
    }                                                                                           \
    ATTRIBUTES void solve_##W(ContactBlock<W>* blocks, std::size_t count, BodyRow* rows,        \
                              const SweepSettings& settings) {                                  \
        for (std::size_t i = 0; i < count; ++i) solve_block<W>(blocks[i], rows, settings);      \
    }                                                                                           \
    ATTRIBUTES void bounce_##W(ContactBlock<W>* blocks, std::size_t count, BodyRow* rows,       \
                               const SweepSettings& settings) {                                 \
        for (std::size_t i = 0; i < count; ++i) bounce_block<W>(blocks[i], rows, settings);     \
    }
RIGOR_SWEEPS(1, )
RIGOR_SWEEPS(4, )
#if defined(__x86_64__)
RIGOR_SWEEPS(8, [[gnu::target("avx2")]])
#else
RIGOR_SWEEPS(8, )
#endif

} // namespace

#define RIGOR_INSTANTIATE(W)                                                     \
    template <>                                                                  \
    void warm_start(ContactBlock<W>* blocks, std::size_t count, BodyRow* rows) { \
        warm_start_##W(blocks, count, rows);                                     \
    }                                                                            \
    template <>                                                                  \
    void solve(ContactBlock<W>* blocks, std::size_t count, BodyRow* rows,        \
               const SweepSettings& settings) {                                  \
        solve_##W(blocks, count, rows, settings);                                \
    }                                                                            \
    template <>                                                                  \
    void bounce(ContactBlock<W>* blocks, std::size_t count, BodyRow* rows,       \
                const SweepSettings& settings) {                                 \
        bounce_##W(blocks, count, rows, settings);                               \
    }
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)

int widest_lanes() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") ? 8 : 4;
#else
    return 4;
#endif
}

} // namespace rigor::fast
