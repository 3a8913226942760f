#include "fast/limit_kernels.h"

#include "fast/kernel_widths.h"
#include "fast/limit_rows.h"

namespace rigor::fast {
namespace {

template <int W>
RIGOR_INLINE LimitBounds<W> bounds_of(const JointBlock<W>& block, std::size_t i,
                                      const JointSolveSettings& settings) {
    return {block.dofs[i], Lanes<W>(settings.correction),
            read<W>(block.max_bias_velocity) * Lanes<W>(1 / settings.inv_h)};
}

template <int W>
RIGOR_INLINE Lanes<W> rate_of_limit(const JointBlock<W>& block, std::size_t i,
                                    const SolverBody* bodies) {
    return rate_of<W>(block.rows[block.layout.equality_rows + i],
                      gather_velocity<W>(bodies, block.body_a),
                      gather_velocity<W>(bodies, block.body_b));
}

template <int W>
RIGOR_INLINE void set_side(Lanes<W> side, typename JointBlock<W>::Dof& f, Column<W>& changed) {
    const Lanes<W> change = side - read<W>(f.side);
    write<W>(changed, max(read<W>(changed), change * change));
    write<W>(f.side, side);
}

template <int W>
RIGOR_INLINE void choose_limits_block(JointBlock<W>& block, const SolverBody* bodies,
                                      const JointSolveSettings& settings, Column<W>& changed) {
    using F = Lanes<W>;
    constexpr float kLeastRate = 1e-6f; // m/s, rad/s
    for (std::size_t i = 0; i < block.layout.dofs; ++i) {
        auto& f = block.dofs[i];
        const F rate = rate_of_limit<W>(block, i, bodies), x = read<W>(f.coordinate);
        F below = rate, above = rate;
        if (settings.use_bias) {
            const LimitBounds<W> bounds = bounds_of<W>(block, i, settings);
            below = rate + (x - bounds.lower) * F(settings.inv_h);
            above = rate + (x - bounds.upper) * F(settings.inv_h);
        } else {
            below = select(x - read<W>(f.lower_limit) > F(kNearLimit), F(0.0f), rate);
            above = select(read<W>(f.upper_limit) - x > F(kNearLimit), F(0.0f), rate);
        }
        const F open = open_impulse<W>(block, i, settings);
        set_side<W>(side_of<W>(open, below, above, F(kLeastRate)), f, changed);
    }
}

template <int W>
RIGOR_INLINE void find_limit_residuals_block(const JointBlock<W>& block, const SolverBody* bodies,
                                             const JointSolveSettings& settings, Column<W>* rows) {
    using F = Lanes<W>;
    for (std::size_t i = 0; i < block.layout.dofs; ++i) {
        const F side = read<W>(block.dofs[i].side), zero = 0.0f;
        F residual = rate_of_limit<W>(block, i, bodies);
        if (settings.use_bias) {
            const LimitBounds<W> bounds = bounds_of<W>(block, i, settings);
            const F bound = select(side > zero, bounds.lower, bounds.upper);
            residual = residual + (read<W>(block.dofs[i].coordinate) - bound) * F(settings.inv_h);
        }
        write<W>(rows[block.layout.equality_rows + i], select(side * side > zero, residual, zero));
    }
}

template <int W>
RIGOR_INLINE void find_limit_errors_ahead_block(JointBlock<W>& block, const SolverBody* ahead,
                                                const JointSolveSettings& settings, Column<W>* rows,
                                                Column<W>& largest, Column<W>& changed) {
    using F = Lanes<W>;
    constexpr float kLeastAngle = 2e-7f; // rad
    const JointPose<F> pose = pose_now<W>(block, ahead);
    const F squared_arm = squared_arm_of<W>(pose, block.layout.type);
    LimitPlace<W> places[6];
    limit_places<W>(pose, block, places);
    for (std::size_t i = 0; i < block.layout.dofs; ++i) {
        auto& f = block.dofs[i];
        const std::size_t at = block.layout.equality_rows + i;
        const F x = coordinate_at<W>(places[i], f), zero = 0.0f;
        const LimitBounds<W> bounds = bounds_of<W>(block, i, settings);
        const F below = x - bounds.lower, above = x - bounds.upper;
        const F unit = places[i].turns ? F(1.0f) : sqrt(squared_arm);
        const F side =
            side_of<W>(open_impulse<W>(block, i, settings), below, above, F(kLeastAngle) * unit);
        const F error = select(side > zero, below, select(-side > zero, above, zero));
        const F angle = error / unit;
        set_side<W>(side, f, changed);
        write<W>(rows[at], error * F(settings.inv_h));
        write<W>(largest, max(read<W>(largest), angle * angle));
    }
}

template <int W>
RIGOR_INLINE void measure_limit_rates_block(const JointBlock<W>& block, const SolverBody* bodies,
                                            const JointSolveSettings& settings, LimitGap<W>* gaps) {
    using F = Lanes<W>;
    constexpr float kLeastRate = 1e-6f; // m/s, rad/s
    for (std::size_t i = 0; i < block.layout.dofs; ++i) {
        const auto& f = block.dofs[i];
        const F rate = rate_of_limit<W>(block, i, bodies), x = read<W>(f.coordinate), zero = 0.0f;
        F lower = rate, upper = rate, below = rate, above = rate;
        if (settings.use_bias) {
            const LimitBounds<W> bounds = bounds_of<W>(block, i, settings);
            below = lower = rate + (x - bounds.lower) * F(settings.inv_h);
            above = upper = rate + (x - bounds.upper) * F(settings.inv_h);
        } else {
            below = select(x - read<W>(f.lower_limit) > F(kNearLimit), zero, rate);
            above = select(read<W>(f.upper_limit) - x > F(kNearLimit), zero, rate);
        }
        write<W>(gaps[i].below, min(below + F(kLeastRate), zero));
        write<W>(gaps[i].above, max(above - F(kLeastRate), zero));
        write<W>(gaps[i].lower_rate, lower);
        write<W>(gaps[i].upper_rate, upper);
        write<W>(gaps[i].open, open_impulse<W>(block, i, settings));
        write<W>(gaps[i].angle, zero);
    }
}

template <int W>
RIGOR_INLINE void measure_limits_ahead_block(const JointBlock<W>& block, const SolverBody* ahead,
                                             const JointSolveSettings& settings,
                                             LimitGap<W>* gaps) {
    using F = Lanes<W>;
    constexpr float kLeastAngle = 2e-7f; // rad
    const JointPose<F> pose = pose_now<W>(block, ahead);
    const F arm = sqrt(squared_arm_of<W>(pose, block.layout.type));
    LimitPlace<W> places[6];
    limit_places<W>(pose, block, places);
    for (std::size_t i = 0; i < block.layout.dofs; ++i) {
        const F x = coordinate_at<W>(places[i], block.dofs[i]), zero = 0.0f;
        const LimitBounds<W> bounds = bounds_of<W>(block, i, settings);
        const F unit = places[i].turns ? F(1.0f) : arm, least = F(kLeastAngle) * unit;
        const F below = x - bounds.lower, above = x - bounds.upper, inv_h = settings.inv_h;
        write<W>(gaps[i].below, min(below + least, zero) * inv_h);
        write<W>(gaps[i].above, max(above - least, zero) * inv_h);
        write<W>(gaps[i].lower_rate, below * inv_h);
        write<W>(gaps[i].upper_rate, above * inv_h);
        write<W>(gaps[i].open, open_impulse<W>(block, i, settings));
        write<W>(gaps[i].angle, F(1.0f) / (inv_h * unit));
    }
}

template <int W>
RIGOR_INLINE void bound_limit_impulses_block(const JointBlock<W>& block,
                                             const JointSolveSettings& settings, Column<W>* rows) {
    using F = Lanes<W>;
    for (std::size_t i = 0; i < block.layout.dofs; ++i) {
        const std::size_t at = block.layout.equality_rows + i;
        const F open = open_impulse<W>(block, i, settings);
        const F side = read<W>(block.dofs[i].side), found = read<W>(rows[at]), zero = 0.0f;
        write<W>(rows[at], select(side > zero, min(found, open),
                                  select(-side > zero, max(found, open), zero)));
    }
}

#define RIGOR_KERNELS(W, ATTRIBUTES)                                                            \
    ATTRIBUTES void choose_limits_##W(JointBlock<W>* blocks, std::size_t count,                 \
                                      const SolverBody* bodies,                                 \
                                      const JointSolveSettings& settings, Column<W>& changed) { \
        for (std::size_t i = 0; i < count; ++i)                                                 \
            if (blocks[i].layout.has_limit_rows)                                                \
                choose_limits_block<W>(blocks[i], bodies, settings, changed);                   \
    }                                                                                           \
    ATTRIBUTES void find_limit_residuals_##W(                                                   \
        const JointBlock<W>* blocks, std::size_t count, const SolverBody* bodies,               \
        const JointSolveSettings& settings, Column<W>* rows) {                                  \
        for (std::size_t i = 0; i < count; ++i)                                                 \
            if (blocks[i].layout.has_limit_rows)                                                \
                find_limit_residuals_block<W>(blocks[i], bodies, settings, rows + 6 * i);       \
    }                                                                                           \
    ATTRIBUTES void find_limit_errors_ahead_##W(                                                \
        JointBlock<W>* blocks, std::size_t count, const SolverBody* ahead,                      \
        const JointSolveSettings& settings, Column<W>* rows, Column<W>& largest,                \
        Column<W>& changed) {                                                                   \
        for (std::size_t i = 0; i < count; ++i)                                                 \
            if (blocks[i].layout.has_limit_rows)                                                \
                find_limit_errors_ahead_block<W>(blocks[i], ahead, settings, rows + 6 * i,      \
                                                 largest, changed);                             \
    }                                                                                           \
    ATTRIBUTES void measure_limit_rates_##W(                                                    \
        const JointBlock<W>* blocks, std::size_t count, const SolverBody* bodies,               \
        const JointSolveSettings& settings, LimitGap<W>* gaps) {                                \
        for (std::size_t i = 0; i < count; ++i)                                                 \
            if (blocks[i].layout.has_limit_rows)                                                \
                measure_limit_rates_block<W>(blocks[i], bodies, settings, gaps + 6 * i);        \
    }                                                                                           \
    ATTRIBUTES void measure_limits_ahead_##W(                                                   \
        const JointBlock<W>* blocks, std::size_t count, const SolverBody* ahead,                \
        const JointSolveSettings& settings, LimitGap<W>* gaps) {                                \
        for (std::size_t i = 0; i < count; ++i)                                                 \
            if (blocks[i].layout.has_limit_rows)                                                \
                measure_limits_ahead_block<W>(blocks[i], ahead, settings, gaps + 6 * i);        \
    }                                                                                           \
    ATTRIBUTES void bound_limit_impulses_##W(const JointBlock<W>* blocks, std::size_t count,    \
                                             const JointSolveSettings& settings,                \
                                             Column<W>* rows) {                                 \
        for (std::size_t i = 0; i < count; ++i)                                                 \
            if (blocks[i].layout.has_limit_rows)                                                \
                bound_limit_impulses_block<W>(blocks[i], settings, rows + 6 * i);               \
    }
RIGOR_FOR_EACH_WIDTH(RIGOR_KERNELS)

} // namespace

#define RIGOR_INSTANTIATE(W)                                                                     \
    template <>                                                                                  \
    void choose_limits<W>(JointBlock<W> * blocks, std::size_t count, const SolverBody* bodies,   \
                          const JointSolveSettings& settings, Column<W>& changed) {              \
        choose_limits_##W(blocks, count, bodies, settings, changed);                             \
    }                                                                                            \
    template <>                                                                                  \
    void find_limit_residuals<W>(const JointBlock<W>* blocks, std::size_t count,                 \
                                 const SolverBody* bodies, const JointSolveSettings& settings,   \
                                 Column<W>* rows) {                                              \
        find_limit_residuals_##W(blocks, count, bodies, settings, rows);                         \
    }                                                                                            \
    template <>                                                                                  \
    void find_limit_errors_ahead<W>(JointBlock<W> * blocks, std::size_t count,                   \
                                    const SolverBody* ahead, const JointSolveSettings& settings, \
                                    Column<W>* rows, Column<W>& largest, Column<W>& changed) {   \
        find_limit_errors_ahead_##W(blocks, count, ahead, settings, rows, largest, changed);     \
    }                                                                                            \
    template <>                                                                                  \
    void measure_limit_rates<W>(const JointBlock<W>* blocks, std::size_t count,                  \
                                const SolverBody* bodies, const JointSolveSettings& settings,    \
                                LimitGap<W>* gaps) {                                             \
        measure_limit_rates_##W(blocks, count, bodies, settings, gaps);                          \
    }                                                                                            \
    template <>                                                                                  \
    void measure_limits_ahead<W>(const JointBlock<W>* blocks, std::size_t count,                 \
                                 const SolverBody* ahead, const JointSolveSettings& settings,    \
                                 LimitGap<W>* gaps) {                                            \
        measure_limits_ahead_##W(blocks, count, ahead, settings, gaps);                          \
    }                                                                                            \
    template <>                                                                                  \
    void bound_limit_impulses<W>(const JointBlock<W>* blocks, std::size_t count,                 \
                                 const JointSolveSettings& settings, Column<W>* rows) {          \
        bound_limit_impulses_##W(blocks, count, settings, rows);                                 \
    }
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)

} // namespace rigor::fast
