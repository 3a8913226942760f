// The systems of joints of a solver part: equality rows, bordered by gears, from residuals to
// impulses.
#pragma once

#include <span>

#include "fast/gear_rows.h"
#include "fast/joint_kernels.h"
#include "fast/joint_system_rows.h"
#include "fast/limit_kernels.h"
#include "fast/rows_of_lane.h"
#include "fast/step_data.h"
#include "fast/system_kernels.h"

namespace rigor::fast {

template <int W>
class LinearSystems {
  protected:
    LinearSystems(Scratch& scratch, float h)
        : scratch_(scratch), bodies_(scratch.bodies.bodies.data()), h_(h) {}

    /// A bundle, as SystemSolver::for_bundles() visits it.
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
        const RowsOfLane<W> rows(system.plan, system.rows);
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
        const RowsOfLane<W> rows(system.plan, system.rows);
        for (GearConstraint& gear : system.gears) gear.residual -= rows.dot(gear.coupled);
        solve_gears(system.gears);
        for (const GearConstraint& gear : system.gears) rows.subtract(gear.carried, gear.residual);
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
        apply(system, chosen);
    }
    void apply(const System& system, const Column<W>& chosen) {
        subtract_impulses<W>(system.blocks, system.count(), bodies_, system.rows, chosen);
        if (chosen[0] > 0) subtract_gear_impulses(system.gears, scratch_.bodies);
    }

    Scratch& scratch_;
    SolverBody* bodies_;
    float h_;
};

} // namespace rigor::fast
