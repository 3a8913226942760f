// Joint limits that are chosen by a complementarity problem: limit_problem.h. They are no rows of
// the matrix then, which is that of the joints alone.
#pragma once

#include <algorithm>
#include <vector>

#include "fast/limit_problem.h"
#include "fast/linear_systems.h"

namespace rigor::fast {

// More changes of the limits that act than this are a circle.
inline constexpr int kMaxLimitChanges = 12;

template <int W>
class CarefulLimits : protected LinearSystems<W> {
  protected:
    using Base = LinearSystems<W>;
    using Base::apply;
    using Base::Base;
    using Base::bodies_;
    using Base::find_all_residuals;
    using Base::find_impulses;
    using Base::h_;
    using Base::scratch_;
    using Base::stop;
    using typename Base::System;

    /// One linear step, and more in lanes in which limits that were not looked at would be passed.
    void solve_velocities_carefully(const System& system, const JointSolveSettings& settings) {
        std::vector<LimitProblem> problems(W);
        std::vector<LimitGap<W>> gaps(6 * system.count());
        Column<W> chosen = all_lanes<W>();
        for (int k = 0; k < kMaxLimitChanges; ++k) {
            measure_limit_rates<W>(system.blocks, system.count(), bodies_, settings, gaps.data());
            Column<W> changed{};
            const bool any = add_limits(system, gaps, problems, changed);
            if (k > 0 && !any) return;
            if (k > 0) chosen = changed;
            find_all_residuals(system, bodies_, settings);
            add_compliance(system.gears, settings);
            solve_with_limits(system, problems);
            apply(system, chosen);
        }
    }
    /// From residuals to impulses, those of limits too.
    void solve_with_limits(const System& system, std::span<LimitProblem> problems) {
        for (std::size_t j = 0; j < system.count(); ++j) {
            const JointLayout& layout = system.blocks[j].layout;
            for (std::size_t i = layout.equality_rows; i < layout.system_rows(); ++i)
                system.rows[6 * j + i] = {};
        }
        find_impulses(system);
        for (std::size_t lane = 0; lane < W; ++lane) {
            LimitProblem& problem = problems[lane];
            if (problem.limits.empty()) continue;
            const RowsOfLane<W> rows(system.plan, system.rows, lane);
            const auto for_gears = [&](const std::vector<float>& values, const auto& visit) {
                const std::size_t first = values.size() - system.gears.size();
                for (std::size_t i = 0; i < system.gears.size(); ++i)
                    visit(system.gears[i].residual, static_cast<double>(values[first + i]));
            };
            for (LimitProblem::Limit& limit : problem.limits) {
                limit.rate -= rows.dot(limit.coupled);
                for_gears(limit.coupled, [&](double found, double x) { limit.rate -= found * x; });
            }
            problem.solve();
            for (const LimitProblem::Limit& limit : problem.limits) {
                rows.subtract(limit.carried, limit.change);
                for_gears(limit.carried,
                          [&](double& found, double x) { found -= limit.change * x; });
            }
            for (const LimitProblem::Limit& limit : problem.limits) {
                const std::size_t at =
                    6 * limit.joint + system.blocks[limit.joint].layout.equality_rows + limit.dof;
                system.rows[at][lane] = static_cast<float>(limit.change);
            }
        }
    }
    /// Limits where the displacements `ahead` lead. Lanes in which some are new need not have come
    /// closer.
    void find_limits_carefully(const System& system, const JointSolveSettings& settings,
                               std::span<LimitProblem> problems, Column<W>& errors,
                               Column<W>& last) {
        std::vector<LimitGap<W>> gaps(6 * system.count());
        measure_limits_ahead<W>(system.blocks, system.count(), scratch_.ahead.data(), settings,
                                gaps.data());
        Column<W> changed{};
        add_limits(system, gaps, problems, changed);
        for (std::size_t lane = 0; lane < W; ++lane) {
            if (changed[lane] > 0 && last[lane] > 0) last[lane] = kUnlimited;
            for (const LimitProblem::Limit& limit : problems[lane].limits) {
                const LimitGap<W>& gap = gaps[6 * limit.joint + limit.dof];
                const bool acts = gap.open[lane] != 0 || gap.below[lane] < 0 || gap.above[lane] > 0;
                const float angle = static_cast<float>(limit.rate) * gap.angle[lane];
                if (acts) errors[lane] = std::max(errors[lane], angle * angle);
            }
        }
    }

  private:
    /// Limits that act or would be passed, with what they are to do. `changed` becomes 1 in lanes
    /// in which some are new. Returns whether any are.
    bool add_limits(const System& system, const std::vector<LimitGap<W>>& gaps,
                    std::span<LimitProblem> problems, Column<W>& changed) {
        for (std::uint32_t joint = 0; joint < system.count(); ++joint) {
            const JointLayout& layout = system.blocks[joint].layout;
            for (std::uint32_t i = 0; layout.has_limit_rows && i < layout.dofs; ++i)
                for (std::size_t lane = 0; lane < W; ++lane) {
                    const LimitGap<W>& gap = gaps[6 * joint + i];
                    const float open = gap.open[lane];
                    const float side = open != 0             ? (open > 0 ? 1.0f : -1.0f)
                                       : gap.below[lane] < 0 ? 1.0f
                                       : gap.above[lane] > 0 ? -1.0f
                                                             : 0.0f;
                    LimitProblem::Limit* limit = problems[lane].find(joint, i);
                    if (limit == nullptr && side == 0) continue;
                    if (limit == nullptr) {
                        limit = &add_limit(system, problems[lane], lane, joint, i);
                        changed[lane] = 1;
                    }
                    if (side != 0) limit->side = side;
                    limit->open = static_cast<double>(open);
                    limit->rate = static_cast<double>(limit->side > 0 ? gap.lower_rate[lane]
                                                                      : gap.upper_rate[lane]);
                }
        }
        return std::any_of(changed.begin(), changed.end(), [](float lane) { return lane > 0; });
    }
    /// How a group responds to a unit impulse of a limit with all its joints held.
    LimitProblem::Limit& add_limit(System system, LimitProblem& problem, std::size_t lane,
                                   std::uint32_t joint, std::uint32_t dof) {
        SolverBody* pushed = scratch_.ahead.data();
        std::vector<double> kept;
        for (const GearConstraint& gear : system.gears) kept.push_back(gear.residual);
        system.rows += 6 * system.count(); // what is being solved stays
        stop(system, pushed);
        push_dof<W>(system.blocks[joint], dof, pushed);
        find_all_residuals(system, pushed, {.inv_h = 1 / h_});
        const RowsOfLane<W> rows(system.plan, system.rows, lane);
        LimitProblem::Limit& limit = problem.limits.emplace_back();
        limit.joint = joint;
        limit.dof = dof;
        const auto copy_to = [&](std::vector<float>& values) {
            rows.copy_to(values);
            for (const GearConstraint& gear : system.gears)
                values.push_back(static_cast<float>(gear.residual));
        };
        copy_to(limit.coupled);
        find_impulses(system);
        copy_to(limit.carried);
        for (const LimitProblem::Limit& other : problem.limits) {
            const Column<W> rate = rate_of_dof<W>(system.blocks[other.joint], other.dof, pushed);
            double response = static_cast<double>(rate[lane]);
            for (std::size_t k = 0; k < limit.carried.size(); ++k)
                response -=
                    static_cast<double>(other.coupled[k]) * static_cast<double>(limit.carried[k]);
            limit.responses.push_back(response);
        }
        for (std::size_t i = 0; i < kept.size(); ++i) system.gears[i].residual = kept[i];
        return limit;
    }
};

} // namespace rigor::fast
