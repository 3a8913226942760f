// Runs the direct joint solver within the substeps of a solver part.
#pragma once

#include <algorithm>
#include <span>

#include "fast/gear_rows.h"
#include "fast/gyroscopic_bodies.h"
#include "fast/integrate_bodies.h"
#include "fast/joint_kernels.h"
#include "fast/joint_system_rows.h"
#include "fast/limit_kernels.h"
#include "fast/step_data.h"
#include "fast/substep_division.h"
#include "fast/system_kernels.h"

namespace rigor::fast {

// More iterations of springs that act on each other. With one, each knows the others as they were a
// substep ago, which feeds them: two of 15 Hz on a body had four times their energy after 20 s.
inline constexpr int kSpringIterations = 3;

template <int W>
class SystemSolver {
  public:
    SystemSolver(StepData& step, const SolverPart& part, float h)
        : step_(step),
          part_(part),
          scratch_(step.scratch),
          bodies_(step.scratch.bodies.bodies.data()),
          h_(h) {}

    /// Whether systems are solved until they fit.
    bool iterates() const { return part_.may_divide && part_.divisions < kMaxDivisions; }
    /// Whether springs of any system act on each other.
    bool has_springs() const {
        const JointSystems& systems = scratch_.systems;
        return std::any_of(systems.bundles.begin() + part_.bundles_begin,
                           systems.bundles.begin() + part_.bundles_end,
                           [&](const auto& bundle) { return systems.plans[bundle.plan].repeats; });
    }
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
    /// A bundle, as for_bundles() visits it.
    struct System {
        const EliminationPlan& plan;
        double* values;
        JointBlock<W>* blocks;
        Column<W>* rows;
        std::span<GearConstraint> gears;
        std::size_t count() const { return plan.joints.size(); }
    };

    void factor(const System& system) {
        factor_system<W>(system.plan, system.blocks, system.values);
        if (!system.gears.empty()) factor_gears(system);
    }
    /// Each is pushed by a unit impulse, as find_mass() does with a degree of freedom.
    void factor_gears(System system) {
        SolverBody* pushed = scratch_.ahead.data();
        const JointSolveSettings velocities{.inv_h = 1 / h_};
        system.rows += 6 * system.count(); // what is being solved stays
        const FirstLane<W> rows(system.plan, system.rows);
        for (std::size_t i = 0; i < system.gears.size(); ++i) {
            GearConstraint& gear = system.gears[i];
            stop(system, pushed);
            push(gear, scratch_.bodies, pushed);
            find_residuals_of_joints(system, pushed, velocities);
            rows.copy_to(gear.coupled);
            solve_system<W>(system.plan, system.values, system.rows);
            rows.copy_to(gear.carried);
            factor_gear(system.gears, i, pushed);
        }
    }
    /// Sets the velocities of all bodies of a system to zero.
    static void stop(const System& system, SolverBody* bodies) {
        for (std::size_t k = 0; k < system.count(); ++k)
            for (std::size_t lane = 0; lane < W; ++lane) {
                bodies[system.blocks[k].body_a[lane].index()].velocity = {};
                bodies[system.blocks[k].body_b[lane].index()].velocity = {};
            }
        for (const GearConstraint& gear : system.gears)
            for (const GearConstraint::BodyRow& row : gear.rows)
                bodies[row.body.index()].velocity = {};
    }
    /// From residuals of joints and gears to impulses.
    static void find_impulses(const System& system) {
        solve_system<W>(system.plan, system.values, system.rows);
        if (system.gears.empty()) return;
        const FirstLane<W> rows(system.plan, system.rows);
        for (GearConstraint& gear : system.gears) gear.residual -= rows.dot(gear.coupled);
        solve_gears(system.gears);
        for (const GearConstraint& gear : system.gears) rows.subtract(gear.carried, gear.residual);
    }

    /// One linear step, and more in lanes in which other limits act after it.
    void solve_velocities(const System& system, JointSolveSettings settings) {
        constexpr int kMaxIterations = 12;
        settings.is_loop = system.plan.has_loop;
        Column<W> chosen = all_lanes<W>();
        for (int k = 0; k < kMaxIterations; ++k) {
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
    void find_all_residuals(const System& system, const SolverBody* bodies,
                            const JointSolveSettings& settings) {
        find_residuals_of_joints(system, bodies, settings);
        find_gear_residuals(system.gears, bodies, settings);
    }
    void find_residuals_of_joints(const System& system, const SolverBody* bodies,
                                  const JointSolveSettings& settings) {
        find_residuals<W>(system.blocks, system.count(), bodies, settings, system.rows);
        if (system.plan.has_limits)
            find_limit_residuals<W>(system.blocks, system.count(), bodies, settings, system.rows);
    }
    void solve_and_apply(const System& system, const JointSolveSettings& settings,
                         const Column<W>& chosen) {
        find_impulses(system);
        if (system.plan.has_limits)
            bound_limit_impulses<W>(system.blocks, system.count(), settings, system.rows);
        subtract_impulses<W>(system.blocks, system.count(), bodies_, system.rows, chosen);
        if (chosen[0] > 0) subtract_gear_impulses(system.gears, scratch_.bodies);
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
            std::span(scratch_.system_errors.of<W>())
                .subspan(part_.bundles_begin, part_.bundles_end - part_.bundles_begin);
        for (Column<W>& of_bundle : last) of_bundle.fill(kUnlimited);
        bool goes_on = iterates() && part_.bundles_begin < part_.bundles_end;
        for (int k = 0; goes_on; ++k) {
            goes_on = false;
            predict();
            std::size_t at = 0;
            for_bundles([&](const System& system) {
                const EliminationPlan& plan = system.plan;
                Column<W>& errors = last[at++];
                Column<W> chosen{}, grown{};
                find_errors_ahead<W>(system.blocks, system.count(), scratch_.ahead.data(), settings,
                                     system.rows, chosen, plan.has_loop ? &grown : nullptr);
                if (plan.has_limits) find_limits_ahead(system, settings, chosen, errors);
                if (!system.gears.empty()) find_gears_ahead(system, settings, chosen, grown);
                if (!plan.has_loop) grown = chosen;
                if (!choose_lanes<W>(k, plan.is_single(), chosen, grown, errors, has_failed_))
                    return;
                solve_and_apply(system, settings, chosen);
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
    Scratch& scratch_;
    SolverBody* bodies_;
    float h_;
    bool has_failed_ = false;
};

} // namespace rigor::fast
