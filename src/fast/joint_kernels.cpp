#include "fast/joint_kernels.h"

#include "fast/joint_bodies.h"
#include "fast/joint_dofs.h"
#include "fast/joint_drift.h"
#include "fast/joint_springs.h"
#include "fast/joint_warm_start.h"
#include "fast/kernel_widths.h"
#include "fast/limit_rows.h"

namespace rigor::fast {
namespace {

template <int W>
RIGOR_INLINE void update_inertia_block(JointBlock<W>& block, const SolverMass* masses) {
    const auto copy = [&](const std::array<SolverBodyIndex, W>& of,
                          std::array<Column<W>, 6>& columns) {
        const Sym3<Lanes<W>> m = gather_mass<W>(masses, of).inv_inertia;
        write<W>(columns[0], m.xx);
        write<W>(columns[1], m.yy);
        write<W>(columns[2], m.zz);
        write<W>(columns[3], m.xy);
        write<W>(columns[4], m.xz);
        write<W>(columns[5], m.yz);
    };
    copy(block.body_a, block.inv_inertia_a);
    copy(block.body_b, block.inv_inertia_b);
}

/// Factors L D Lᵀ of the inverse effective mass matrix of the equality rows, of soft ones with
/// `softer` times their compliance. A pivot that all but vanishes belongs to a redundant row, or to
/// one without a body that responds.
template <int W>
RIGOR_INLINE void factor(JointBlock<W>& block, const JointRow<Lanes<W>>* rows,
                         Lanes<W> softer = 1.0f) {
    using F = Lanes<W>;
    const Sym3<F> ia = read_tensor<W>(block.inv_inertia_a),
                  ib = read_tensor<W>(block.inv_inertia_b);
    const F m = read<W>(block.inv_mass_a) + read<W>(block.inv_mass_b);
    const int n = block.layout.equality_rows;
    F lower[6][6], pivots[6], inv_pivots[6];
    LaneVec<W> turned_a[6], turned_b[6];
    for (int i = 0; i < n; ++i) {
        turned_a[i] = ia * rows[i].angular_a;
        turned_b[i] = ib * rows[i].angular_b;
        for (int j = 0; j <= i; ++j) {
            F k = m * dot(rows[i].linear, rows[j].linear) + dot(rows[i].angular_a, turned_a[j]) +
                  dot(rows[i].angular_b, turned_b[j]);
            if (block.layout.has_stiffness)
                k = k + softer * read<W>(block.compliance[triangle_index(i, j)]);
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

template <int W>
RIGOR_INLINE void write_row(typename JointBlock<W>::Row& to, const JointRow<Lanes<W>>& row) {
    write_vector<W>(to.linear, row.linear);
    write_vector<W>(to.angular_a, row.angular_a);
    write_vector<W>(to.angular_b, row.angular_b);
    write<W>(to.error, row.error);
}

/// Projects the row of a degree of freedom so that an impulse along it does not disturb the
/// equality rows: an impulse on a door includes the reaction of its hinge. The effective mass is
/// then that about the hinge, and not about the center of the door.
template <int W>
RIGOR_INLINE void make_dof_row(JointBlock<W>& block, const JointRow<Lanes<W>>* rows,
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
    for (int k = 0; k < block.layout.equality_rows; ++k) held[k] = coupled[k] = with(rows[k]);
    solve_factors<W>(block, held);
    F left = alone;
    for (int k = 0; k < block.layout.equality_rows; ++k) {
        left = left - coupled[k] * held[k];
        row.linear = row.linear - rows[k].linear * held[k];
        row.angular_a = row.angular_a - rows[k].angular_a * held[k];
        row.angular_b = row.angular_b - rows[k].angular_b * held[k];
    }
    write_row<W>(block.rows[block.layout.equality_rows + i], row);
    write<W>(block.dofs[i].mass, select(left > alone * F(1e-4f), F(1.0f) / left, F(0.0f)));
    if (i == 0 && block.layout.is_sprung) set_spring_scales<W>(block);
}

/// Removes from rows the turns that a body cannot make, of which rounding leaves a little: the axis
/// of a hinge in a plane is that of the free rotation but for 1e-8, and a torque as large as is
/// needed to correct an error by that would hold the body. So would one whose axis is a little off,
/// by up to 6 degrees: the errors of its rows stay as small as that angle however the body turns.
/// Chains of hinges 1e-3 rad off the normal of their plane had 10⁵ times their energy.
template <int W>
RIGOR_INLINE void remove_locked_turns(const JointBlock<W>& block, JointRow<Lanes<W>>* rows) {
    using F = Lanes<W>;
    constexpr float kLeast = 1e-2f; // squared sine
    const auto remove = [&](const std::array<Column<W>, 6>& inv_inertia, LaneVec<W>& turn) {
        const F zero = 0.0f;
        const auto part = [&](std::size_t k, F x) {
            return select(read<W>(inv_inertia[k]) > zero, x * x, zero);
        };
        const F free = part(0, turn.x) + part(1, turn.y) + part(2, turn.z);
        const F kept = select(free > F(kLeast) * dot(turn, turn), F(1.0f), zero);
        turn = turn * kept;
    };
    for (int k = 0; k < block.layout.equality_rows + block.layout.dofs; ++k) {
        remove(block.inv_inertia_a, rows[k].angular_a);
        remove(block.inv_inertia_b, rows[k].angular_b);
    }
}

/// Equality rows first, then those of degrees of freedom.
template <int W>
RIGOR_INLINE void set_rows_block(JointBlock<W>& block, JointRow<Lanes<W>>* rows) {
    if (block.layout.is_locked) remove_locked_turns<W>(block, rows);
    const auto equality_rows = static_cast<std::size_t>(block.layout.equality_rows);
    for (std::size_t i = 0; i < equality_rows; ++i) write_row<W>(block.rows[i], rows[i]);
    if (block.is_of_tree && block.layout.dofs == 0) return;
    if (block.layout.has_limit_rows) {
        for (std::size_t i = equality_rows; i < block.layout.system_rows(); ++i) {
            rows[i].error = 0.0f; // that of an equality row
            write_row<W>(block.rows[i], rows[i]);
        }
        return;
    }
    factor<W>(block, rows);
    for (std::size_t i = 0; i < block.layout.dofs; ++i)
        make_dof_row<W>(block, rows, rows[equality_rows + i], i);
}

/// Of a ball joint in a tree, whose rows turn about its anchors and nothing else.
template <int W>
RIGOR_INLINE void update_ball_rows(JointBlock<W>& block, const JointPose<Lanes<W>>& pose) {
    using F = Lanes<W>;
    const auto write_arms = [](std::array<Row<W>, 6>& rows, auto column, const LaneVec<W>& r) {
        const F zero = 0.0f;
        write_vector<W>(rows[0].*column, {zero, r.z, -r.y});
        write_vector<W>(rows[1].*column, {-r.z, zero, r.x});
        write_vector<W>(rows[2].*column, {r.y, -r.x, zero});
    };
    write_arms(block.rows, &Row<W>::angular_a, pose.arm_a);
    write_arms(block.rows, &Row<W>::angular_b, pose.arm_b);
    write_rows<W>(block, &Row<W>::error, pose.gap);
}

template <int W>
RIGOR_INLINE void update_rows_block(JointBlock<W>& block, const SolverBody* bodies,
                                    float moved_for) {
    using F = Lanes<W>;
    const auto equality_rows = static_cast<std::size_t>(block.layout.equality_rows);
    const SpringMotion<W> motion(block);
    // Coordinates are integrated with the velocities and rows by which the bodies moved.
    if (moved_for > 0 && block.layout.dofs > 0 && !block.layout.has_limit_rows) {
        const LaneVelocity<W> a = gather_velocity<W>(bodies, block.body_a);
        const LaneVelocity<W> b = gather_velocity<W>(bodies, block.body_b);
        for (std::size_t i = 0; i < block.layout.dofs; ++i) {
            auto& coordinate = block.dofs[i].coordinate;
            const F rate = rate_of<W>(block.rows[equality_rows + i], a, b);
            write<W>(coordinate, read<W>(coordinate) + F(moved_for) * rate);
        }
    }
    const JointPose<F> pose = pose_now<W>(block, bodies);
    write_vector<W>(block.current_anchor_a, pose.arm_a);
    write_vector<W>(block.current_anchor_b, pose.arm_b);
    write_vector<W>(block.current_gap, pose.gap);
    if (block.is_of_tree && is_ball<W>(block) && moved_for > 0)
        return update_ball_rows<W>(block, pose);
    JointRow<F> now[6];
    make_rows<W>(pose, block, now);
    set_rotation_rows<W>(pose, block, now);
    if (block.layout.has_limit_rows) update_coordinates<W>(pose, moved_for > 0, block);
    set_rows_block<W>(block, now);
    if (moved_for > 0) motion.find_second_half(block, moved_for);
}

/// The second half of the impulse of soft rows, solved for where the bodies have come
/// (SplitSpring): a part of it, which is r, is that of the end of the substep. `x` are the rates
/// that it should not have.
template <int W>
RIGOR_INLINE void end_soft_rows(JointBlock<W>& block, JointBodies<W>& pair, Lanes<W>* x) {
    using F = Lanes<W>;
    const int n = block.layout.equality_rows;
    const F share = read<W>(block.end_share), zero = 0.0f, one = 1.0f;
    const auto any = share > zero;
    const F softer = select(any, one / select(any, share, one), one),
            kept = read<W>(block.end_kept);
    JointRow<F> rows[6];
    F wanted[6];
    for (int i = 0; i < n; ++i) {
        const auto& row = block.rows[static_cast<std::size_t>(i)];
        rows[i] = {read_vector<W>(row.linear), read_vector<W>(row.angular_a),
                   read_vector<W>(row.angular_b)};
        const F second = read<W>(row.second_half);
        wanted[i] = second - kept * (read<W>(row.impulse) - second);
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            x[i] = x[i] + softer * read<W>(block.compliance[triangle_index(i, j)]) * wanted[j];
    factor<W>(block, rows, softer);
    solve_factors<W>(block, x);
    for (int i = 0; i < n; ++i) {
        auto& row = block.rows[static_cast<std::size_t>(i)];
        const F change = select(any, -x[i], zero);
        write<W>(row.second_half, read<W>(row.second_half) + change);
        write<W>(row.impulse, read<W>(row.impulse) + change);
        pair.accumulate(row, change);
    }
    factor<W>(block, rows);
    pair.apply();
}

/// The equality rows of a joint, all at once by the factored matrix.
template <int W>
RIGOR_INLINE void solve_equality_rows(JointBlock<W>& block, JointBodies<W>& pair,
                                      const JointSolveSettings& settings) {
    using F = Lanes<W>;
    const int n = block.layout.equality_rows;
    const F zero = 0.0f, limit = read<W>(block.max_bias_velocity);
    const bool ends_spring = block.layout.is_sprung && !settings.use_bias;
    const auto is_spring = F(0.5f) > read<W>(block.relax_scale);
    F rate = settings.use_bias ? read<W>(block.bias_rate) : zero;
    if (ends_spring) rate = select(is_spring, read<W>(block.bias_rate), zero);
    const F curved = settings.use_bias ? 1.0f : 0.0f;
    const F scale = settings.use_bias ? read<W>(block.mass_scale) : read<W>(block.relax_scale);
    const F back = settings.use_bias ? read<W>(block.impulse_scale) : zero;
    F x[6];
    for (int i = 0; i < n; ++i) {
        const auto& row = block.rows[static_cast<std::size_t>(i)];
        const F bias = max(-limit, min(rate * read<W>(row.error), limit));
        x[i] = pair.rate(row) + bias + curved * read<W>(row.drift);
    }
    if (block.layout.has_stiffness) {
        if (!settings.use_bias) return end_soft_rows<W>(block, pair, x);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                x[i] = x[i] + read<W>(block.compliance[triangle_index(i, j)]) *
                                  read<W>(block.rows[static_cast<std::size_t>(j)].impulse);
    }
    solve_factors<W>(block, x);
    for (int i = 0; i < n; ++i) {
        auto& row = block.rows[static_cast<std::size_t>(i)];
        const F old = read<W>(row.impulse);
        F change = -(scale * x[i]) - back * old;
        if (ends_spring) {
            const F second = read<W>(row.second_half);
            change = select(is_spring, change_at_end<W>(block, x[i], old, second), change);
            write<W>(row.second_half, select(is_spring, second + change, second));
        }
        write<W>(row.impulse, old + change);
        pair.accumulate(row, change);
    }
    pair.apply();
}

/// The rows of degrees of freedom do not disturb the equality rows, which are solved last, exactly.
template <int W>
RIGOR_INLINE void solve_block(JointBlock<W>& block, SolverBody* bodies,
                              const JointSolveSettings& settings) {
    JointBodies<W> pair(block, bodies);
    if (has_ball_friction<W>(block)) direct_ball_friction<W>(block, pair);
    for (std::size_t i = 0; i < block.layout.dofs; ++i)
        solve_dof<W>(block.dofs[i], block.rows[block.layout.equality_rows + i], block, pair,
                     settings);
    if (block.layout.equality_rows > 0) solve_equality_rows<W>(block, pair, settings);
    pair.write(bodies);
}

/// The work of the impulses of a substep, at the mean of the velocities at both of its ends, on the
/// bodies with finite mass: one that is driven works on the other.
template <int W>
RIGOR_INLINE void accumulate_work_block(JointBlock<W>& block, const SolverBody* bodies,
                                        const SolverBody* ended) {
    using F = Lanes<W>;
    const LaneVelocity<W> a = gather_velocity<W>(bodies, block.body_a),
                          b = gather_velocity<W>(bodies, block.body_b);
    const LaneVelocity<W> old_a = gather_velocity<W>(ended, block.body_a),
                          old_b = gather_velocity<W>(ended, block.body_b);
    const auto responds = [](F inv_mass, const Sym3<F>& inv_inertia) {
        const F all = inv_mass + inv_inertia.xx + inv_inertia.yy + inv_inertia.zz;
        return select(all > F(0.0f), F(1.0f), F(0.0f));
    };
    const LaneVec<W> given = read_vector<W>(block.given);
    const F on_a =
        dot(given, a.v + old_a.v) + dot(read_vector<W>(block.given_angular_a), a.w + old_a.w);
    const F on_b =
        dot(given, b.v + old_b.v) + dot(read_vector<W>(block.given_angular_b), b.w + old_b.w);
    const F twice =
        on_b * responds(read<W>(block.inv_mass_b), read_tensor<W>(block.inv_inertia_b)) -
        on_a * responds(read<W>(block.inv_mass_a), read_tensor<W>(block.inv_inertia_a));
    write<W>(block.work, read<W>(block.work) + F(0.5f) * twice);
    write_vector<W>(block.total, read_vector<W>(block.total) + read_vector<W>(block.given));
    const LaneVec<W> none;
    for (auto* sum : {&block.given, &block.given_angular_a, &block.given_angular_b})
        write_vector<W>(*sum, none);
}

#define RIGOR_KERNELS(W, ATTRIBUTES)                                                               \
    ATTRIBUTES void update_inertia_##W(JointBlock<W>* blocks, std::size_t count,                   \
                                       const SolverMass* masses) {                                 \
        for (std::size_t i = 0; i < count; ++i)                                                    \
            if (blocks[i].turns) update_inertia_block<W>(blocks[i], masses);                       \
    }                                                                                              \
    ATTRIBUTES void update_rows_##W(JointBlock<W>* blocks, std::size_t count,                      \
                                    const SolverBody* bodies, float moved_for) {                   \
        for (std::size_t i = 0; i < count; ++i)                                                    \
            update_rows_block<W>(blocks[i], bodies, moved_for);                                    \
    }                                                                                              \
    ATTRIBUTES void predict_drift_##W(JointBlock<W>* blocks, std::size_t count,                    \
                                      const SolverBody* bodies, const SolverBody* ended,           \
                                      float h) {                                                   \
        for (std::size_t i = 0; i < count; ++i)                                                    \
            predict_drift_block<W>(blocks[i], bodies, ended, h);                                   \
    }                                                                                              \
    ATTRIBUTES void warm_start_##W(JointBlock<W>* blocks, std::size_t count, SolverBody* bodies) { \
        for (std::size_t i = 0; i < count; ++i) warm_start_block<W>(blocks[i], bodies);            \
    }                                                                                              \
    ATTRIBUTES void warm_start_second_half_##W(JointBlock<W>* blocks, std::size_t count,           \
                                               SolverBody* bodies) {                               \
        for (std::size_t i = 0; i < count; ++i)                                                    \
            warm_start_second_half_block<W>(blocks[i], bodies);                                    \
    }                                                                                              \
    ATTRIBUTES void solve_##W(JointBlock<W>* blocks, std::size_t count, SolverBody* bodies,        \
                              const JointSolveSettings& settings) {                                \
        for (std::size_t i = 0; i < count; ++i) solve_block<W>(blocks[i], bodies, settings);       \
    }                                                                                              \
    ATTRIBUTES void accumulate_work_##W(JointBlock<W>* blocks, std::size_t count,                  \
                                        const SolverBody* bodies, const SolverBody* ended) {       \
        for (std::size_t i = 0; i < count; ++i)                                                    \
            accumulate_work_block<W>(blocks[i], bodies, ended);                                    \
    }
RIGOR_FOR_EACH_WIDTH(RIGOR_KERNELS)

} // namespace

void set_rows(JointBlock<1>& block, const JointRow<float>* rows, float moved_for) {
    using F = Lanes<1>;
    const SpringMotion<1> motion(block);
    const auto lanes = [](const Vec3f& v) { return Vec3<F>{F(v.x), F(v.y), F(v.z)}; };
    JointRow<F> now[6];
    for (int i = 0; i < block.layout.equality_rows + block.layout.dofs; ++i)
        now[i] = {lanes(rows[i].linear), lanes(rows[i].angular_a), lanes(rows[i].angular_b),
                  F(rows[i].error)};
    set_rows_block<1>(block, now);
    if (moved_for > 0) motion.find_second_half(block, moved_for);
}

#define RIGOR_INSTANTIATE(W)                                                                    \
    template <>                                                                                 \
    void update_inertia(JointBlock<W>* blocks, std::size_t count, const SolverMass* masses) {   \
        update_inertia_##W(blocks, count, masses);                                              \
    }                                                                                           \
    template <>                                                                                 \
    void update_rows(JointBlock<W>* blocks, std::size_t count, const SolverBody* bodies,        \
                     float moved_for) {                                                         \
        update_rows_##W(blocks, count, bodies, moved_for);                                      \
    }                                                                                           \
    template <>                                                                                 \
    void predict_drift(JointBlock<W>* blocks, std::size_t count, const SolverBody* bodies,      \
                       const SolverBody* ended, float h) {                                      \
        predict_drift_##W(blocks, count, bodies, ended, h);                                     \
    }                                                                                           \
    template <>                                                                                 \
    void warm_start(JointBlock<W>* blocks, std::size_t count, SolverBody* bodies) {             \
        warm_start_##W(blocks, count, bodies);                                                  \
    }                                                                                           \
    template <>                                                                                 \
    void warm_start_second_half(JointBlock<W>* blocks, std::size_t count, SolverBody* bodies) { \
        warm_start_second_half_##W(blocks, count, bodies);                                      \
    }                                                                                           \
    template <>                                                                                 \
    void solve(JointBlock<W>* blocks, std::size_t count, SolverBody* bodies,                    \
               const JointSolveSettings& settings) {                                            \
        solve_##W(blocks, count, bodies, settings);                                             \
    }                                                                                           \
    template <>                                                                                 \
    void accumulate_work(JointBlock<W>* blocks, std::size_t count, const SolverBody* bodies,    \
                         const SolverBody* ended) {                                             \
        accumulate_work_##W(blocks, count, bodies, ended);                                      \
    }
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)

} // namespace rigor::fast
