// Runs the direct joint solver within the substeps of a solver part.
#pragma once

#include <algorithm>
#include <span>

#include "fast/careful_limits.h"
#include "fast/gyroscopic_bodies.h"
#include "fast/integrate_bodies.h"
#include "fast/step_data.h"
#include "fast/substep_division.h"

namespace rigor::fast {

// More iterations of springs that act on each other. With one, each knows the others as they were a
// substep ago, which feeds them: two of 15 Hz on a body had four times their energy after 20 s.
inline constexpr int kSpringIterations = 3;

template <int W>
class SystemSolver : private CarefulLimits<W> {
    using Base = CarefulLimits<W>;
    using Base::apply;
    using Base::bodies_;
    using Base::factor;
    using Base::find_all_residuals;
    using Base::find_impulses;
    using Base::find_limits_carefully;
    using Base::h_;
    using Base::scratch_;
    using Base::solve_and_apply;
    using Base::solve_velocities_carefully;
    using Base::solve_with_limits;
    using Base::stop;
    using typename Base::System;

  public:
    SystemSolver(StepData& step, const SolverPart& part, float h)
        : Base(step.scratch, h), step_(step), part_(part) {}

    /// Whether systems are solved until they fit.
    bool iterates() const { return part_.may_divide && part_.divisions < kMaxDivisions; }
    /// Whether springs of any system act on each other.
    bool has_springs() const { return any_plan(&EliminationPlan::repeats); }
    /// Whether limits could still be chosen with care.
    bool may_care() const { return !part_.is_careful && any_plan(&EliminationPlan::has_limits); }
    /// Whether some joints could not be made to fit: a substep is too long for their motion.
    bool has_failed() const { return has_failed_; }

    void factor() {
        for_bundles([&](const System& system) { factor(system); });
    }

    /// Motors, limits, friction and springs of the joints of systems, one by one, then the equality
    /// rows of whole groups at once.
    void solve_all(bool backward, const JointSolveSettings& settings) {
        for_bundles([&](const System& system) {
            const std::size_t count = system.count();
            const bool repeats = system.plan.repeats && settings.use_bias;
            for (int k = 0; k <= (repeats ? kSpringIterations : 0); ++k) {
                for (std::size_t i = 0; i < count; ++i) {
                    JointBlock<W>& block =
                        system.blocks[backward == (k % 2 == 0) ? count - 1 - i : i];
                    const JointLayout& layout = block.layout;
                    if (k > 0 ? layout.repeats : layout.is_sprung)
                        solve<W>(&block, 1, bodies_, settings);
                    else if (k == 0 && layout.dofs > 0 && !layout.has_limit_rows)
                        solve_dofs(system, block, settings);
                }
                if (settings.use_bias && iterates() && !repeats) return;
                solve_velocities(system, settings);
            }
        });
        if (settings.use_bias) solve_positions(settings);
    }
    /// Where the velocities lead, into Scratch::ahead.
    void predict() {
        predict_displacements(step_.state, part_, static_cast<double>(h_), scratch_.bodies,
                              scratch_.ahead.data());
        predict_positions(part_, h_, scratch_.bodies, scratch_.ahead.data());
    }
    /// Forgets that joints did not fit: contacts will change it.
    void forgive() { has_failed_ = false; }

  private:
    bool any_plan(bool EliminationPlan::*is) const {
        const JointSystems& systems = scratch_.systems;
        return std::any_of(systems.bundles.begin() + part_.bundles_begin,
                           systems.bundles.begin() + part_.bundles_end,
                           [&](const auto& bundle) { return systems.plans[bundle.plan].*is; });
    }
    bool is_careful(const System& system) const {
        return part_.is_careful && system.plan.has_limits;
    }
    /// One linear step, and more in lanes in which other limits act after it.
    void solve_velocities(const System& system, JointSolveSettings settings) {
        settings.is_loop = system.plan.has_loop;
        if (is_careful(system)) return solve_velocities_carefully(system, settings);
        Column<W> chosen = all_lanes<W>();
        for (int k = 0; k < kMaxLimitChanges; ++k) {
            if (system.plan.has_limits) {
                Column<W> changed{};
                choose_limits<W>(system.blocks, system.count(), bodies_, settings, changed);
                const bool any = mark_changed(changed);
                if (any) factor(system);
                if (k > 0 && !any) return;
                if (k > 0) chosen = changed;
            }
            find_all_residuals(system, bodies_, settings);
            add_compliance(system.gears, settings);
            solve_and_apply(system, settings, chosen);
            if (!system.plan.has_limits) return;
        }
        has_failed_ = true; // it would go on for ever
    }
    /// To 1 and 0. Returns whether any is 1.
    static bool mark_changed(Column<W>& changed) {
        bool any = false;
        for (float& lane : changed) {
            any = any || lane > 0;
            lane = lane > 0 ? 1.0f : 0.0f;
        }
        return any;
    }

    /// Limits, motors and friction of a joint, each with all joints held. With the effective mass
    /// of the joint alone a heavy arm ran through the limits of a light one, and came back faster
    /// than it went.
    void solve_dofs(const System& system, JointBlock<W>& block,
                    const JointSolveSettings& settings) {
        constexpr int kTimes = 2; // the first tells where there is something to do
        JointSolveSettings held = settings;
        held.use_bias = false;
        held.is_held = settings.use_bias;
        for (int k = 0; k < kTimes; ++k)
            for (std::size_t i = 0; i < block.layout.dofs; ++i) {
                Column<W> change, chosen;
                solve_dof<W>(block, i, bodies_, settings, change);
                bool any = false;
                for (std::size_t lane = 0; lane < W; ++lane) {
                    chosen[lane] = change[lane] != 0 ? 1.0f : 0.0f;
                    any = any || change[lane] != 0;
                }
                if (!any) continue;
                if (k == 0) find_mass(system, block, i, held, chosen);
                find_all_residuals(system, bodies_, held);
                solve_and_apply(system, held, chosen);
            }
    }

    /// The effective mass of a degree of freedom with all joints of its system held, in the chosen
    /// lanes: from the velocities by a unit impulse, in Scratch::ahead, which has none else.
    void find_mass(const System& system, JointBlock<W>& block, std::size_t i,
                   const JointSolveSettings& held, const Column<W>& chosen) {
        constexpr float kMost = 1e4f; // times that with its own joint held: roundoff
        SolverBody* pushed = scratch_.ahead.data();
        stop(system, pushed);
        push_dof<W>(block, i, pushed);
        Column<W> response = rate_of_dof<W>(block, i, pushed);
        const Column<W> alone = response;
        Column<W>* coupled = system.rows + 6 * system.count();
        find_all_residuals(system, pushed, held);
        std::copy_n(system.rows, 6 * system.count(), coupled);
        for (GearConstraint& gear : system.gears) gear.pushed_rate = gear.residual;
        find_impulses(system);
        for (const GearConstraint& gear : system.gears)
            response[0] -= static_cast<float>(gear.pushed_rate * gear.residual);
        for (const EliminationPlan::Node& node : system.plan.nodes)
            for (std::size_t r = 6 * node.joint; r < 6 * node.joint + node.rows; ++r)
                for (std::size_t lane = 0; lane < W; ++lane)
                    response[lane] -= coupled[r][lane] * system.rows[r][lane];
        for (std::size_t lane = 0; lane < W; ++lane)
            if (chosen[lane] > 0 && alone[lane] > 0)
                block.dofs[i].mass[lane] = 1 / std::max(response[lane], alone[lane] / kMost);
    }
    template <class Visit>
    void for_bundles(const Visit& visit) {
        for (std::uint32_t b = part_.bundles_begin; b < part_.bundles_end; ++b) {
            const JointSystems::Bundle& bundle = scratch_.systems.bundles[b];
            const std::uint32_t gears = bundle.gears_end - bundle.gears_begin;
            visit(System{scratch_.systems.plans[bundle.plan],
                         scratch_.systems.values.data() + bundle.values,
                         scratch_.joint_blocks.template of<W>().data() + bundle.first_block,
                         scratch_.system_rows.template of<W>().data() + bundle.rows,
                         std::span(scratch_.gears).subspan(bundle.gears_begin, gears)});
        }
    }
    /// RATTLE: impulses along the rows at the beginning of the substep, by which all joints fit at
    /// its end. Newton's method with the matrix of the beginning; lanes go on by themselves until
    /// they fit, or come no closer.
    void solve_positions(const JointSolveSettings& settings) {
        const std::span<Column<W>> last =
            std::span(scratch_.system_errors.template of<W>())
                .subspan(part_.bundles_begin, part_.bundles_end - part_.bundles_begin);
        for (Column<W>& of_bundle : last) of_bundle.fill(kUnlimited);
        std::vector<LimitProblem> problems(part_.is_careful ? W * last.size() : 0);
        bool goes_on = iterates() && part_.bundles_begin < part_.bundles_end;
        for (int k = 0; goes_on; ++k) {
            goes_on = false;
            predict();
            std::size_t at = 0;
            for_bundles([&](const System& system) {
                const EliminationPlan& plan = system.plan;
                const bool careful = is_careful(system);
                const std::span<LimitProblem> of_lanes =
                    careful ? std::span(problems).subspan(W * at, W) : std::span<LimitProblem>();
                Column<W>& errors = last[at++];
                Column<W> chosen{}, grown{};
                find_errors_ahead<W>(system.blocks, system.count(), scratch_.ahead.data(), settings,
                                     system.rows, chosen, plan.has_loop ? &grown : nullptr);
                if (careful)
                    find_limits_carefully(system, settings, of_lanes, chosen, errors);
                else if (plan.has_limits)
                    find_limits_ahead(system, settings, chosen, errors);
                if (!system.gears.empty()) find_gears_ahead(system, settings, chosen, grown);
                if (!plan.has_loop) grown = chosen;
                if (!choose_lanes<W>(k, plan.is_single(), chosen, grown, errors, has_failed_))
                    return;
                if (careful) {
                    solve_with_limits(system, of_lanes);
                    apply(system, chosen);
                } else {
                    solve_and_apply(system, settings, chosen);
                }
                goes_on = true;
            });
        }
    }

    /// Lanes in which other limits act than before need not have come closer.
    void find_limits_ahead(const System& system, const JointSolveSettings& settings,
                           Column<W>& errors, Column<W>& last) {
        Column<W> changed{};
        find_limit_errors_ahead<W>(system.blocks, system.count(), scratch_.ahead.data(), settings,
                                   system.rows, errors, changed);
        for (std::size_t lane = 0; lane < W; ++lane)
            if (changed[lane] > 0 && last[lane] > 0) last[lane] = kUnlimited;
        if (mark_changed(changed)) factor(system);
    }
    void find_gears_ahead(const System& system, const JointSolveSettings& settings,
                          Column<W>& errors, Column<W>& grown) {
        const float largest =
            find_gear_errors_ahead(system.gears, scratch_.bodies, scratch_.ahead.data(), settings);
        errors[0] = std::max(errors[0], largest);
        grown[0] = std::max(grown[0], largest);
    }

    StepData& step_;
    const SolverPart& part_;
    bool has_failed_ = false;
};

} // namespace rigor::fast
