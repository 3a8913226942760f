#include "fast/joint_kernels.h"

#include "dynamics/joints/ball.h"
#include "dynamics/joints/cone_twist.h"
#include "dynamics/joints/distance.h"
#include "dynamics/joints/fixed.h"
#include "dynamics/joints/hinge.h"
#include "dynamics/joints/slider.h"
#include "dynamics/joints/wheel.h"
#include "fast/lane_rows.h"
#include "rigor/rotation.h"

namespace rigor::fast {
namespace {

template <int W>
RIGOR_INLINE void make_rows(const JointPose<Lanes<W>>& pose, const JointBlock<W>& block,
                            JointRow<Lanes<W>>* rows) {
    switch (block.shape.type) {
        case JointType::hinge:
            return hinge_rows(pose, rows);
        case JointType::slider:
            return slider_rows(pose, rows);
        case JointType::fixed:
            return fixed_rows(pose, rows);
        case JointType::distance:
            return distance_rows(pose, read<W>(block.length), rows);
        case JointType::cone_twist:
            return cone_twist_rows(pose, rows);
        case JointType::six_dof:
            return six_dof_rows(pose, block.shape.six_dof, rows);
        case JointType::wheel:
            return wheel_rows(pose, read<W>(block.steer_sine), read<W>(block.steer_cosine), rows);
        default:
            return ball_rows(pose, block.shape.freedoms > 0, rows);
    }
}

/// Whether the rows of a joint depend on how its frames are turned.
constexpr bool has_axes(JointType type) {
    return type != JointType::ball && type != JointType::distance;
}

template <int W>
RIGOR_INLINE Mat3<Lanes<W>> turned_axes(const std::array<Column<W>, 4>& frame,
                                        const Quat<Lanes<W>>& turn) {
    return to_matrix(turn * Quat<Lanes<W>>{read<W>(frame[0]), read<W>(frame[1]), read<W>(frame[2]),
                                           read<W>(frame[3])});
}

template <int W>
RIGOR_INLINE JointPose<Lanes<W>> pose_now(const JointBlock<W>& block, const BodyRow* rows) {
    const LaneMotion<W> a = gather_motion<W>(rows, block.row_a);
    const LaneMotion<W> b = gather_motion<W>(rows, block.row_b);
    const LaneVec<W> arm_a = read_vector<W>(block.arm_a), arm_b = read_vector<W>(block.arm_b);
    JointPose<Lanes<W>> pose;
    pose.arm_a = rotate(a.turn, arm_a);
    pose.arm_b = rotate(b.turn, arm_b);
    pose.gap = read_vector<W>(block.gap) + (b.shift - a.shift) + (pose.arm_b - arm_b) -
               (pose.arm_a - arm_a);
    if (has_axes(block.shape.type)) {
        pose.axes_a = turned_axes<W>(block.frame_a, a.turn);
        pose.axes_b = turned_axes<W>(block.frame_b, b.turn);
    }
    return pose;
}

template <int W>
RIGOR_INLINE Lanes<W> rate_of(const typename JointBlock<W>::Row& row, const LaneVelocity<W>& a,
                              const LaneVelocity<W>& b) {
    return dot(read_vector<W>(row.linear), b.v - a.v) + dot(read_vector<W>(row.angular_b), b.w) -
           dot(read_vector<W>(row.angular_a), a.w);
}

/// The factors L D Lᵀ of what unit impulses along the hard rows change of their rates. A pivot
/// that all but vanishes belongs to a row that the others imply, or that nothing answers to.
template <int W>
RIGOR_INLINE void factor(JointBlock<W>& block, const JointRow<Lanes<W>>* rows) {
    using F = Lanes<W>;
    const Sym3<F> ia = read_tensor<W>(block.inv_inertia_a),
                  ib = read_tensor<W>(block.inv_inertia_b);
    const F m = read<W>(block.inv_mass_a) + read<W>(block.inv_mass_b);
    const int n = block.shape.hard;
    F lower[6][6], pivots[6], inv_pivots[6];
    LaneVec<W> turned_a[6], turned_b[6];
    for (int i = 0; i < n; ++i) {
        turned_a[i] = ia * rows[i].angular_a;
        turned_b[i] = ib * rows[i].angular_b;
        for (int j = 0; j <= i; ++j) {
            F k = m * dot(rows[i].linear, rows[j].linear) + dot(rows[i].angular_a, turned_a[j]) +
                  dot(rows[i].angular_b, turned_b[j]);
            const F whole = k;
            for (int l = 0; l < j; ++l) k = k - lower[i][l] * lower[j][l] * pivots[l];
            if (j < i) {
                lower[i][j] = k * inv_pivots[j];
                write<W>(block.lower[static_cast<std::size_t>(i * (i - 1) / 2 + j)], lower[i][j]);
            } else {
                pivots[i] = k;
                inv_pivots[i] = select(k > whole * F(1e-6f), F(1.0f) / k, F(0.0f));
                write<W>(block.inv_pivots[static_cast<std::size_t>(i)], inv_pivots[i]);
            }
        }
    }
}

/// x := inv(L D Lᵀ) x.
template <int W>
RIGOR_INLINE void solve_factors(const JointBlock<W>& block, Lanes<W>* x) {
    const auto lower = [&](int i, int j) {
        return read<W>(block.lower[static_cast<std::size_t>(i * (i - 1) / 2 + j)]);
    };
    const int n = block.shape.hard;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) x[i] = x[i] - lower(i, j) * x[j];
    for (int i = n - 1; i >= 0; --i) {
        x[i] = x[i] * read<W>(block.inv_pivots[static_cast<std::size_t>(i)]);
        for (int j = i + 1; j < n; ++j) x[i] = x[i] - lower(j, i) * x[j];
    }
}

template <int W>
RIGOR_INLINE void write_row(typename JointBlock<W>::Row& to, const JointRow<Lanes<W>>& row) {
    write_vector<W>(to.linear, row.linear);
    write_vector<W>(to.angular_a, row.angular_a);
    write_vector<W>(to.angular_b, row.angular_b);
    write<W>(to.error, row.error);
}

/// Takes from the row of a freedom what it has in common with the hard rows, so that an impulse
/// along it leaves these alone: a push at a door becomes one together with the answer of its
/// hinge. The effective mass is then that about the hinge, and not about the middle of the door.
template <int W>
RIGOR_INLINE void make_freedom(JointBlock<W>& block, const JointRow<Lanes<W>>* rows,
                               JointRow<Lanes<W>> row, std::size_t i) {
    using F = Lanes<W>;
    const F m = read<W>(block.inv_mass_a) + read<W>(block.inv_mass_b);
    const LaneVec<W> turned_a = read_tensor<W>(block.inv_inertia_a) * row.angular_a;
    const LaneVec<W> turned_b = read_tensor<W>(block.inv_inertia_b) * row.angular_b;
    const auto with = [&](const JointRow<F>& other) {
        return m * dot(other.linear, row.linear) + dot(other.angular_a, turned_a) +
               dot(other.angular_b, turned_b);
    };
    const F alone = with(row);
    F coupled[6], held[6];
    for (int k = 0; k < block.shape.hard; ++k) held[k] = coupled[k] = with(rows[k]);
    solve_factors<W>(block, held);
    F left = alone;
    for (int k = 0; k < block.shape.hard; ++k) {
        left = left - coupled[k] * held[k];
        row.linear = row.linear - rows[k].linear * held[k];
        row.angular_a = row.angular_a - rows[k].angular_a * held[k];
        row.angular_b = row.angular_b - rows[k].angular_b * held[k];
    }
    write_row<W>(block.rows[block.shape.hard + i], row);
    write<W>(block.freedoms[i].mass, select(left > alone * F(1e-4f), F(1.0f) / left, F(0.0f)));
}

template <int W>
RIGOR_INLINE void refresh_block(JointBlock<W>& block, const BodyRow* rows, float moved_for) {
    using F = Lanes<W>;
    const auto hard = static_cast<std::size_t>(block.shape.hard);
    // Coordinates go on by the rates at which the bodies moved, along the rows they moved by.
    if (moved_for > 0 && block.shape.freedoms > 0) {
        const LaneVelocity<W> a = gather_velocity<W>(rows, block.row_a);
        const LaneVelocity<W> b = gather_velocity<W>(rows, block.row_b);
        for (std::size_t i = 0; i < block.shape.freedoms; ++i) {
            auto& coordinate = block.freedoms[i].coordinate;
            const F rate = rate_of<W>(block.rows[hard + i], a, b);
            write<W>(coordinate, read<W>(coordinate) + F(moved_for) * rate);
        }
    }
    const JointPose<F> pose = pose_now<W>(block, rows);
    write_vector<W>(block.turned_a, pose.arm_a);
    write_vector<W>(block.turned_b, pose.arm_b);
    write_vector<W>(block.gap_now, pose.gap);
    JointRow<F> now[6];
    make_rows<W>(pose, block, now);
    for (std::size_t i = 0; i < hard; ++i) write_row<W>(block.rows[i], now[i]);
    factor<W>(block, now);
    for (std::size_t i = 0; i < block.shape.freedoms; ++i)
        make_freedom<W>(block, now, now[hard + i], i);
}

/// How the rates of the hard rows must be chosen for the bodies to arrive where the rows hold.
template <int W>
RIGOR_INLINE void bend_block(JointBlock<W>& block, const BodyRow* rows, float h) {
    using F = Lanes<W>;
    const LaneVelocity<W> a = gather_velocity<W>(rows, block.row_a);
    const LaneVelocity<W> b = gather_velocity<W>(rows, block.row_b);
    const LaneVec<W> arm_a = read_vector<W>(block.turned_a), arm_b = read_vector<W>(block.turned_b);
    const LaneVec<W> bent = bend(b.w, arm_b, F(h)) - bend(a.w, arm_a, F(h));
    const LaneVec<W> velocity = b.v + cross(b.w, arm_b) - a.v - cross(a.w, arm_a);
    const LaneVec<W> gap = read_vector<W>(block.gap_now);
    const JointType type = block.shape.type;
    const bool turns =
        type == JointType::slider || type == JointType::wheel || type == JointType::six_dof;
    for (std::size_t i = 0; i < block.shape.hard; ++i) {
        auto& row = block.rows[i];
        const LaneVec<W> d = read_vector<W>(row.linear);
        F drift = dot(d, bent);
        if (turns) drift = drift + turning_drift(d, a.w, velocity, gap, F(h));
        if (type == JointType::distance) drift = drift + swinging_drift(d, velocity, gap, F(h));
        write<W>(row.drift, drift);
    }
}

/// The two bodies of W joints, and what impulses do to them.
template <int W>
struct JointSides {
    using F = Lanes<W>;
    using Row = typename JointBlock<W>::Row;

    RIGOR_INLINE JointSides(const JointBlock<W>& block, const BodyRow* rows)
        : block_(block),
          a(gather_velocity<W>(rows, block.row_a)),
          b(gather_velocity<W>(rows, block.row_b)) {}

    RIGOR_INLINE F rate(const Row& row) const { return rate_of<W>(row, a, b); }
    /// Impulses along several rows are gathered first and act at once.
    RIGOR_INLINE void add(const Row& row, F impulse) {
        linear = linear + read_vector<W>(row.linear) * impulse;
        angular_a = angular_a + read_vector<W>(row.angular_a) * impulse;
        angular_b = angular_b + read_vector<W>(row.angular_b) * impulse;
    }
    RIGOR_INLINE void act() {
        a.v = a.v - linear * read<W>(block_.inv_mass_a);
        b.v = b.v + linear * read<W>(block_.inv_mass_b);
        a.w = a.w - read_tensor<W>(block_.inv_inertia_a) * angular_a;
        b.w = b.w + read_tensor<W>(block_.inv_inertia_b) * angular_b;
        linear = angular_a = angular_b = {};
    }
    RIGOR_INLINE void write(BodyRow* rows) const {
        scatter_velocity<W>(rows, block_.row_a, a);
        scatter_velocity<W>(rows, block_.row_b, b);
    }

    const JointBlock<W>& block_;
    LaneVelocity<W> a, b;
    LaneVec<W> linear, angular_a, angular_b;
};

template <int W>
RIGOR_INLINE void warm_start_block(JointBlock<W>& block, BodyRow* rows) {
    JointSides<W> sides(block, rows);
    const auto hard = static_cast<std::size_t>(block.shape.hard);
    const Lanes<W> share = read<W>(block.share);
    for (std::size_t i = 0; i < hard; ++i) {
        auto& row = block.rows[i];
        const Lanes<W> last = read<W>(row.impulse), now = share * last;
        write<W>(row.impulse, now);
        write<W>(row.rest, last - now);
        sides.add(row, now);
    }
    for (std::size_t i = 0; i < block.shape.freedoms; ++i) {
        const auto& f = block.freedoms[i];
        sides.add(block.rows[hard + i],
                  read<W>(f.drive) + read<W>(f.friction) + read<W>(f.low) - read<W>(f.high));
    }
    sides.act();
    sides.write(rows);
}

template <int W>
RIGOR_INLINE void warm_start_rest_block(JointBlock<W>& block, BodyRow* rows) {
    JointSides<W> sides(block, rows);
    for (std::size_t i = 0; i < block.shape.hard; ++i) {
        auto& row = block.rows[i];
        const Lanes<W> rest = read<W>(row.rest);
        write<W>(row.impulse, read<W>(row.impulse) + rest);
        sides.add(row, rest);
    }
    sides.act();
    sides.write(rows);
}

/// One freedom: its motor or spring, its friction, its two ends.
template <int W>
RIGOR_INLINE void solve_freedom(typename JointBlock<W>::Freedom& f,
                                const typename JointBlock<W>::Row& row, const JointBlock<W>& block,
                                JointSides<W>& sides, const JointSweep& sweep) {
    using F = Lanes<W>;
    const F mass = read<W>(f.mass), zero = 0.0f;
    F rate = sides.rate(row);
    const auto push = [&](F impulse) {
        sides.add(row, impulse);
        sides.act();
        rate = sides.rate(row);
    };
    const F x = read<W>(f.coordinate);
    {
        const F most = read<W>(f.drive_most), old = read<W>(f.drive);
        const F spring = read<W>(f.drive_rate);
        const F off = rate - read<W>(f.speed) + spring * (x - read<W>(f.target));
        const F wanted = old - mass * read<W>(f.drive_mass) * off - read<W>(f.drive_impulse) * old;
        const F kept = sweep.use_bias ? wanted : select(spring > zero, old, wanted);
        const F now = max(-most, min(kept, most));
        write<W>(f.drive, now);
        push(now - old);
    }
    {
        const F most = read<W>(f.friction_most), old = read<W>(f.friction);
        const F now = max(-most, min(old - mass * rate, most));
        write<W>(f.friction, now);
        push(now - old);
    }
    // An end that is not reached yet may be reached exactly; one that is passed is left softly.
    const auto end = [&](Column<W>& column, F room, F sign) {
        const auto apart = room > zero;
        const F soft =
            sweep.use_bias ? max(read<W>(block.bias_rate) * room, -read<W>(block.most_push)) : zero;
        const F bias = select(apart, room * F(sweep.inv_h), soft);
        const F scale = sweep.use_bias ? select(apart, F(1.0f), read<W>(block.mass_scale)) : 1.0f;
        const F back = sweep.use_bias ? select(apart, zero, read<W>(block.impulse_scale)) : zero;
        const F old = read<W>(column);
        const F now = max(old - mass * scale * (sign * rate + bias) - back * old, zero);
        write<W>(column, now);
        push(sign * (now - old));
    };
    end(f.low, x - read<W>(f.lo), 1.0f);
    end(f.high, read<W>(f.hi) - x, -1.0f);
}

/// The hard rows of a joint, all at once and exactly.
template <int W>
RIGOR_INLINE void solve_hard(JointBlock<W>& block, JointSides<W>& sides, const JointSweep& sweep) {
    using F = Lanes<W>;
    const int n = block.shape.hard;
    const F zero = 0.0f, most = read<W>(block.most_push);
    const F rate = sweep.use_bias ? read<W>(block.bias_rate) : zero;
    const F curved = sweep.use_bias ? 1.0f : 0.0f;
    const F scale = sweep.use_bias ? read<W>(block.mass_scale) : read<W>(block.relaxes);
    const F back = sweep.use_bias ? read<W>(block.impulse_scale) : zero;
    F x[6];
    for (int i = 0; i < n; ++i) {
        const auto& row = block.rows[static_cast<std::size_t>(i)];
        const F back_again = max(-most, min(rate * read<W>(row.error), most));
        x[i] = sides.rate(row) + back_again + curved * read<W>(row.drift);
    }
    solve_factors<W>(block, x);
    for (int i = 0; i < n; ++i) {
        auto& row = block.rows[static_cast<std::size_t>(i)];
        const F old = read<W>(row.impulse);
        const F change = -(scale * x[i]) - back * old;
        write<W>(row.impulse, old + change);
        sides.add(row, change);
    }
    sides.act();
}

/// Neither disturbs the other: the rows of freedoms leave the hard ones alone, and these are solved
/// last, exactly.
template <int W>
RIGOR_INLINE void solve_block(JointBlock<W>& block, BodyRow* rows, const JointSweep& sweep) {
    JointSides<W> sides(block, rows);
    for (std::size_t i = 0; i < block.shape.freedoms; ++i)
        solve_freedom<W>(block.freedoms[i], block.rows[block.shape.hard + i], block, sides, sweep);
    if (block.shape.hard > 0) solve_hard<W>(block, sides, sweep);
    sides.write(rows);
}

#define RIGOR_SWEEPS(W, ATTRIBUTES)                                                                \
    ATTRIBUTES void refresh_##W(JointBlock<W>* blocks, std::size_t count, const BodyRow* rows,     \
                                float moved_for) {                                                 \
        for (std::size_t i = 0; i < count; ++i) refresh_block<W>(blocks[i], rows, moved_for);      \
    }                                                                                              \
    ATTRIBUTES void bend_arms_##W(JointBlock<W>* blocks, std::size_t count, const BodyRow* rows,   \
                                  float h) {                                                       \
        for (std::size_t i = 0; i < count; ++i) bend_block<W>(blocks[i], rows, h);                 \
    }                                                                                              \
    ATTRIBUTES void warm_start_##W(JointBlock<W>* blocks, std::size_t count, BodyRow* rows) {      \
        for (std::size_t i = 0; i < count; ++i) warm_start_block<W>(blocks[i], rows);              \
    }                                                                                              \
    ATTRIBUTES void warm_start_rest_##W(JointBlock<W>* blocks, std::size_t count, BodyRow* rows) { \
        for (std::size_t i = 0; i < count; ++i) warm_start_rest_block<W>(blocks[i], rows);         \
    }                                                                                              \
    ATTRIBUTES void solve_##W(JointBlock<W>* blocks, std::size_t count, BodyRow* rows,             \
                              const JointSweep& sweep) {                                           \
        for (std::size_t i = 0; i < count; ++i) solve_block<W>(blocks[i], rows, sweep);            \
    }
RIGOR_SWEEPS(1, [[gnu::flatten]])
RIGOR_SWEEPS(4, [[gnu::flatten]])
#if defined(__x86_64__)
RIGOR_SWEEPS(8, [[gnu::target("avx2")]] [[gnu::flatten]])
#else
RIGOR_SWEEPS(8, [[gnu::flatten]])
#endif

} // namespace

#define RIGOR_INSTANTIATE(W)                                                                       \
    template <>                                                                                    \
    void refresh(JointBlock<W>* blocks, std::size_t count, const BodyRow* rows, float moved_for) { \
        refresh_##W(blocks, count, rows, moved_for);                                               \
    }                                                                                              \
    template <>                                                                                    \
    void bend_arms(JointBlock<W>* blocks, std::size_t count, const BodyRow* rows, float h) {       \
        bend_arms_##W(blocks, count, rows, h);                                                     \
    }                                                                                              \
    template <>                                                                                    \
    void warm_start(JointBlock<W>* blocks, std::size_t count, BodyRow* rows) {                     \
        warm_start_##W(blocks, count, rows);                                                       \
    }                                                                                              \
    template <>                                                                                    \
    void warm_start_rest(JointBlock<W>* blocks, std::size_t count, BodyRow* rows) {                \
        warm_start_rest_##W(blocks, count, rows);                                                  \
    }                                                                                              \
    template <>                                                                                    \
    void solve(JointBlock<W>* blocks, std::size_t count, BodyRow* rows, const JointSweep& sweep) { \
        solve_##W(blocks, count, rows, sweep);                                                     \
    }
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)

} // namespace rigor::fast
