#include "fast/joint_system_rows.h"

#include "fast/elimination_plan.h"
#include "fast/joint_bodies.h"
#include "fast/joint_dofs.h"
#include "fast/joint_drift.h"
#include "fast/kernel_widths.h"

namespace rigor::fast {
namespace {

/// How much a row of a loop gives way under an impulse, as a rate. Rows of loops may be redundant;
/// with it what they do against each other is bounded, and they have one solution. It is a spring
/// of which a joint feels nothing: a part of 1e-4 of how far it would move in a substep without it.
template <int W>
RIGOR_INLINE Lanes<W> compliance_of(const JointBlock<W>& block, const Row<W>& row) {
    const LaneVec<W> v = read_vector<W>(row.linear), a = read_vector<W>(row.angular_a),
                     b = read_vector<W>(row.angular_b);
    const Lanes<W> response = (read<W>(block.inv_mass_a) + read<W>(block.inv_mass_b)) * dot(v, v) +
                              dot(a, read_tensor<W>(block.inv_inertia_a) * a) +
                              dot(b, read_tensor<W>(block.inv_inertia_b) * b);
    return Lanes<W>(static_cast<float>(kLoopCompliance)) * response;
}

template <int W>
RIGOR_INLINE void find_residuals_block(const JointBlock<W>& block, const SolverBody* bodies,
                                       const JointSolveSettings& settings, Column<W>* rows) {
    using F = Lanes<W>;
    const LaneVelocity<W> a = gather_velocity<W>(bodies, block.body_a),
                          b = gather_velocity<W>(bodies, block.body_b);
    if (is_ball<W>(block) && !settings.use_bias && !settings.is_loop) {
        const LaneVec<W> residual = ball_rate<W>(block, a, b);
        write<W>(rows[0], residual.x);
        write<W>(rows[1], residual.y);
        write<W>(rows[2], residual.z);
        return;
    }
    const F limit = read<W>(block.max_bias_velocity), rate = read<W>(block.bias_rate);
    for (std::size_t i = 0; i < block.layout.equality_rows; ++i) {
        const auto& row = block.rows[i];
        F residual = rate_of<W>(row, a, b);
        if (settings.use_bias)
            residual =
                residual + max(-limit, min(rate * read<W>(row.error), limit)) + read<W>(row.drift);
        if (settings.is_loop) {
            const F before = settings.use_bias ? F(0.0f) : read<W>(row.second_half);
            residual = residual + compliance_of<W>(block, row) * (read<W>(row.impulse) - before);
        }
        write<W>(rows[i], residual);
    }
}

/// How far an error ahead is from where it should be.
template <int W>
struct ErrorTarget {
    RIGOR_INLINE ErrorTarget(const JointBlock<W>& block, const JointSolveSettings& settings)
        : correction(settings.correction),
          limit(read<W>(block.max_bias_velocity) * Lanes<W>(1.0f / settings.inv_h)) {}

    /// Most of an error that is there already is left: removed at once it would be a blow.
    RIGOR_INLINE Lanes<W> distance(Lanes<W> ahead, Lanes<W> now) const {
        return ahead - (now - max(-limit, min(now * correction, limit)));
    }
    Lanes<W> correction, limit;
};

/// 0 of a row about an axis that bodies with locked axes cannot turn about, else 1: its error
/// stays.
template <int W>
RIGOR_INLINE Lanes<W> can_move(const Row<W>& row) {
    const LaneVec<W> v = read_vector<W>(row.linear), a = read_vector<W>(row.angular_a),
                     b = read_vector<W>(row.angular_b);
    return select(dot(v, v) + dot(a, a) + dot(b, b) > Lanes<W>(0.0f), Lanes<W>(1.0f),
                  Lanes<W>(0.0f));
}

/// Errors at the end of the substep, as rates. The largest is the square of an angle: that of
/// distances is seen from the arms.
template <int W>
RIGOR_INLINE void find_errors_ahead_block(const JointBlock<W>& block, const SolverBody* ahead,
                                          const JointSolveSettings& settings, Column<W>* rows,
                                          Column<W>& largest, Column<W>* grown) {
    using F = Lanes<W>;
    const F inv_h = settings.inv_h;
    const ErrorTarget<W> target(block, settings);
    const JointPose<F> pose = pose_now<W>(block, ahead);
    const F squared_arm = squared_arm_of<W>(pose, block.layout.type);
    const F is_hard = read<W>(block.relax_scale); // a spring need not fit
    F shift = 0.0f, turn = read<W>(largest), grown_shift = 0.0f, grown_turn = 0.0f;
    const auto add = [&](bool turns, F later, F now, std::size_t i) {
        F error = target.distance(later, now);
        if (grown != nullptr) {
            const auto& row = block.rows[i];
            error = error + compliance_of<W>(block, row) * read<W>(row.impulse) / inv_h;
        }
        error = is_hard * error;
        if (block.layout.is_locked) error = error * can_move<W>(block.rows[i]);
        const F square = error * error;
        F& most = turns ? turn : shift;
        most = max(most, square);
        write<W>(rows[i], inv_h * error);
        if (grown == nullptr) return;
        const F left = target.correction * now;
        F& most_grown = turns ? grown_turn : grown_shift;
        most_grown = max(most_grown, square - left * left);
    };
    if (is_ball<W>(block)) {
        add(false, pose.gap.x, read<W>(block.rows[0].error), 0);
        add(false, pose.gap.y, read<W>(block.rows[1].error), 1);
        add(false, pose.gap.z, read<W>(block.rows[2].error), 2);
    } else {
        JointRow<F> then[6];
        make_rows<W>(pose, block, then);
        const auto translations =
            static_cast<std::size_t>(block.layout.equality_rows - rotation_rows(block.layout));
        for (std::size_t i = 0; i < block.layout.equality_rows; ++i)
            add(i >= translations, then[i].error, read<W>(block.rows[i].error), i);
    }
    write<W>(largest, max(turn, shift / squared_arm));
    if (grown != nullptr)
        write<W>(*grown, max(read<W>(*grown), max(grown_turn, grown_shift / squared_arm)));
}

template <int W>
RIGOR_INLINE LaneVelocity<W> select_velocity(const Lanes<W>& chosen, const LaneVelocity<W>& yes,
                                             const LaneVelocity<W>& no) {
    const auto is_chosen = chosen > Lanes<W>(0.0f);
    const auto choose = [&](const LaneVec<W>& a, const LaneVec<W>& b) {
        return LaneVec<W>{select(is_chosen, a.x, b.x), select(is_chosen, a.y, b.y),
                          select(is_chosen, a.z, b.z)};
    };
    return {choose(yes.v, no.v), choose(yes.w, no.w)};
}

/// Lanes that are not chosen keep their bits, the signs of zeros too: what a group does must not
/// depend on those beside it.
template <int W>
RIGOR_INLINE void subtract_impulses_block(JointBlock<W>& block, SolverBody* bodies,
                                          const Column<W>* rows, const Column<W>& chosen) {
    JointBodies<W> pair(block, bodies);
    const LaneVelocity<W> a = pair.a, b = pair.b;
    const Lanes<W> is_chosen = read<W>(chosen), is_hard = read<W>(block.relax_scale) * is_chosen;
    LaneVec<W> changes;
    for (std::size_t i = 0; i < block.layout.system_rows(); ++i) {
        auto& row = block.rows[i];
        const Lanes<W> change = -(is_hard * read<W>(rows[i])), old = read<W>(row.impulse);
        write<W>(row.impulse, select(is_chosen > Lanes<W>(0.0f), old + change, old));
        if (is_ball<W>(block))
            (i == 0 ? changes.x : i == 1 ? changes.y : changes.z) = change;
        else
            pair.accumulate(row, change);
    }
    if (is_ball<W>(block)) pair.accumulate_ball(changes);
    pair.apply();
    pair.a = select_velocity<W>(is_chosen, pair.a, a);
    pair.b = select_velocity<W>(is_chosen, pair.b, b);
    pair.write(bodies);
}

template <int W>
RIGOR_INLINE void solve_dof_block(JointBlock<W>& block, std::size_t i, SolverBody* bodies,
                                  const JointSolveSettings& settings, Column<W>& change) {
    auto& f = block.dofs[i];
    const auto impulse = [&] {
        return read<W>(f.drive_impulse) + read<W>(f.friction_impulse) + read<W>(f.lower_impulse) -
               read<W>(f.upper_impulse);
    };
    const Lanes<W> before = impulse();
    JointBodies<W> pair(block, bodies);
    if (i == 0 && has_ball_friction<W>(block)) direct_ball_friction<W>(block, pair);
    solve_dof<W>(f, block.rows[block.layout.equality_rows + i], block, pair, settings);
    pair.write(bodies);
    write<W>(change, impulse() - before);
}

template <int W>
RIGOR_INLINE void push_dof_block(const JointBlock<W>& block, std::size_t i, SolverBody* bodies) {
    const auto& row = block.rows[block.layout.equality_rows + i];
    const LaneVec<W> linear = read_vector<W>(row.linear);
    const Sym3<Lanes<W>> on_a = read_tensor<W>(block.inv_inertia_a),
                         on_b = read_tensor<W>(block.inv_inertia_b);
    LaneVelocity<W> a, b;
    a.v = -(linear * read<W>(block.inv_mass_a));
    b.v = linear * read<W>(block.inv_mass_b);
    a.w = -(on_a * read_vector<W>(row.angular_a));
    b.w = on_b * read_vector<W>(row.angular_b);
    scatter_velocity<W>(bodies, block.body_a, a);
    scatter_velocity<W>(bodies, block.body_b, b);
}

template <int W>
RIGOR_INLINE void rate_of_dof_block(const JointBlock<W>& block, std::size_t i,
                                    const SolverBody* bodies, Column<W>& rate) {
    const LaneVelocity<W> a = gather_velocity<W>(bodies, block.body_a),
                          b = gather_velocity<W>(bodies, block.body_b);
    write<W>(rate, rate_of<W>(block.rows[block.layout.equality_rows + i], a, b));
}

#define RIGOR_KERNELS(W, ATTRIBUTES)                                                              \
    ATTRIBUTES void find_residuals_##W(const JointBlock<W>* blocks, std::size_t count,            \
                                       const SolverBody* bodies,                                  \
                                       const JointSolveSettings& settings, Column<W>* rows) {     \
        for (std::size_t i = 0; i < count; ++i)                                                   \
            find_residuals_block<W>(blocks[i], bodies, settings, rows + 6 * i);                   \
    }                                                                                             \
    ATTRIBUTES void find_errors_ahead_##W(const JointBlock<W>* blocks, std::size_t count,         \
                                          const SolverBody* ahead,                                \
                                          const JointSolveSettings& settings, Column<W>* rows,    \
                                          Column<W>& largest, Column<W>* grown) {                 \
        for (std::size_t i = 0; i < count; ++i)                                                   \
            find_errors_ahead_block<W>(blocks[i], ahead, settings, rows + 6 * i, largest, grown); \
    }                                                                                             \
    ATTRIBUTES void subtract_impulses_##W(JointBlock<W>* blocks, std::size_t count,               \
                                          SolverBody* bodies, const Column<W>* rows,              \
                                          const Column<W>& chosen) {                              \
        for (std::size_t i = 0; i < count; ++i)                                                   \
            subtract_impulses_block<W>(blocks[i], bodies, rows + 6 * i, chosen);                  \
    }
#define RIGOR_DOF_KERNELS(W, ATTRIBUTES)                                                          \
    ATTRIBUTES void solve_dof_##W(JointBlock<W>& block, std::size_t i, SolverBody* bodies,        \
                                  const JointSolveSettings& settings, Column<W>& change) {        \
        solve_dof_block<W>(block, i, bodies, settings, change);                                   \
    }                                                                                             \
    ATTRIBUTES void push_dof_##W(const JointBlock<W>& block, std::size_t i, SolverBody* bodies) { \
        push_dof_block<W>(block, i, bodies);                                                      \
    }                                                                                             \
    ATTRIBUTES void rate_of_dof_##W(const JointBlock<W>& block, std::size_t i,                    \
                                    const SolverBody* bodies, Column<W>& rate) {                  \
        rate_of_dof_block<W>(block, i, bodies, rate);                                             \
    }
RIGOR_FOR_EACH_WIDTH(RIGOR_KERNELS)
RIGOR_FOR_EACH_WIDTH(RIGOR_DOF_KERNELS)

} // namespace

#define RIGOR_INSTANTIATE(W)                                                                  \
    template <>                                                                               \
    void find_residuals<W>(const JointBlock<W>* blocks, std::size_t count,                    \
                           const SolverBody* bodies, const JointSolveSettings& settings,      \
                           Column<W>* rows) {                                                 \
        find_residuals_##W(blocks, count, bodies, settings, rows);                            \
    }                                                                                         \
    template <>                                                                               \
    void find_errors_ahead<W>(const JointBlock<W>* blocks, std::size_t count,                 \
                              const SolverBody* ahead, const JointSolveSettings& settings,    \
                              Column<W>* rows, Column<W>& largest, Column<W>* grown) {        \
        find_errors_ahead_##W(blocks, count, ahead, settings, rows, largest, grown);          \
    }                                                                                         \
    template <>                                                                               \
    void subtract_impulses<W>(JointBlock<W> * blocks, std::size_t count, SolverBody * bodies, \
                              const Column<W>* rows, const Column<W>& chosen) {               \
        subtract_impulses_##W(blocks, count, bodies, rows, chosen);                           \
    }                                                                                         \
    template <>                                                                               \
    void solve_dof<W>(JointBlock<W> & block, std::size_t i, SolverBody * bodies,              \
                      const JointSolveSettings& settings, Column<W>& change) {                \
        solve_dof_##W(block, i, bodies, settings, change);                                    \
    }                                                                                         \
    template <>                                                                               \
    void push_dof<W>(const JointBlock<W>& block, std::size_t i, SolverBody* bodies) {         \
        push_dof_##W(block, i, bodies);                                                       \
    }                                                                                         \
    template <>                                                                               \
    Column<W> rate_of_dof<W>(const JointBlock<W>& block, std::size_t i,                       \
                             const SolverBody* bodies) {                                      \
        Column<W> rate;                                                                       \
        rate_of_dof_##W(block, i, bodies, rate);                                              \
        return rate;                                                                          \
    }
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)

} // namespace rigor::fast
