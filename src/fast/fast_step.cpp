#include "fast/fast_step.h"

#include <algorithm>

#include "fast/collect_contacts.h"
#include "fast/collect_joints.h"
#include "fast/constraint_blocks.h"
#include "fast/contact_kernels.h"
#include "fast/continuous_collision.h"
#include "fast/finalize_bodies.h"
#include "fast/find_pairs.h"
#include "fast/gyroscopic_bodies.h"
#include "fast/integrate_free_bodies.h"
#include "fast/resolve_penetration.h"
#include "fast/sleep_islands.h"
#include "fast/solve_islands.h"
#include "fast/store_impulses.h"
#include "fast/substeps.h"
#include "fast/update_contacts.h"
#include "fast/wake_islands.h"

namespace rigor::fast {
namespace {

template <class Stage>
void timed(const StepData& step, std::string_view name, const Stage& stage) {
    const StageTimer timer(step.context.profile, name);
    stage();
}

/// From constraints to impulses, W side by side.
template <int W>
void solve_in_lanes(StepData& step) {
    timed(step, "prepare constraints", [&] {
        fill_contact_blocks<W>(step);
        fill_joint_blocks<W>(step);
        prepare_islands<W>(step);
    });
    timed(step, "solve constraints", [&] { run_substeps<W>(step); });
    timed(step, "store impulses", [&] { store_all_impulses<W>(step); });
}

void solve(StepData& step) {
    const int lanes = step.context.lanes;
    switch (lanes > 0 ? std::min(lanes, widest_lanes()) : widest_lanes()) {
        case 8:
            return solve_in_lanes<8>(step);
        case 4:
            return solve_in_lanes<4>(step);
        default:
            return solve_in_lanes<1>(step);
    }
}

} // namespace

double step(const StepContext& context, Memory& memory, Scratch& scratch, double dt) {
    scratch.outcome.reset();
    StepData step{context.state,
                  context,
                  memory,
                  scratch,
                  scratch.outcome,
                  dt,
                  static_cast<float>(dt / context.substeps)};
    timed(step, "find pairs", [&] { find_pairs(step); });
    timed(step, "update contacts", [&] {
        scratch.shapes.update(step.state, context.proxies, context.team, dt);
        update_contacts(step.state, scratch.shapes, context.team, dt, memory.pairs);
    });
    timed(step, "wake islands", [&] { wake_touched_islands(step); });
    timed(step, "prepare constraints", [&] {
        scratch.bodies.reset(step.state.bodies.slot_count());
        collect_contacts(step);
        collect_joints(step);
        find_parts(step);
        find_gyroscopic_bodies(step.state, static_cast<double>(step.h), dt, scratch.parts.parts,
                               scratch.bodies);
        find_demanding_islands(step);
        resolve_penetration(step);
    });
    solve(step);
    if (step.outcome.substeps < context.substeps) // the step is shorter from here on
        step.dt = dt * step.outcome.substeps / context.substeps;
    timed(step, "store impulses", [&] {
        report_contact_changes(step.state, memory.pairs, scratch.pairs, scratch.contacts,
                               context.hit_speed, step.outcome.events);
        find_broken_joints(step);
    });
    timed(step, "finalize bodies", [&] { finalize_bodies(step); });
    timed(step, "integrate free bodies", [&] { integrate_free_bodies(step); });
    timed(step, "continuous collision", [&] { stop_fast_bodies(step); });
    if (context.may_sleep) {
        timed(step, "sleep islands", [&] {
            step.outcome.slept = sleep_islands(step.state, step.dt, memory.sleep, memory.pairs);
        });
    }
    return step.dt;
}

} // namespace rigor::fast
