// The step of a world: calls that of its pipeline, and updates events, joints and queries.

#include "dynamics/periodic_wrap.h"
#include "world/arguments.h"
#include "world/event_order.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

/// Reset, keeping the memory of its lists: a step like the one before allocates nothing.
void reset(StepReport& report) {
    report.moved = report.contacts = 0;
    report.penetration = report.residual = 0;
    report.event_count = report.impact_count = report.impulse_count = report.fixed_steps = 0;
    report.ambiguous_count = report.unsolved_count = 0;
    report.finished = true;
    report.quarantined.clear();
    report.broken.clear();
    report.stages.clear();
}

} // namespace

const StepReport& World::Impl::step(double dt) {
    require_positive(dt, "dt");
    reset(report);
    motion_records.clear();
    profile.reset();
    std::swap(events, next_events);
    next_events.clear();

    const double reached = pipeline->step({state, settings, *team, profile, hooks, report, events,
                                           keeps_motion_records ? &motion_records : nullptr},
                                          dt);
    remove_broken_joints();
    wrap_into_cell(state);
    query_broadphase.change().note_step();
    pipeline->update_sensors(
        state, [this]() -> const ShapeProxies& { return shape_proxies(); }, events);
    sort_events(events);
    state.bodies.wrenches.clear();
    state.time += reached;
    ++state.step;

    report.step = state.step;
    report.time = state.time;
    for (const Profile::Stage& stage : profile.stages())
        report.stages.push_back({stage.name, stage.seconds});
    return report;
}

/// A gear is removed with the first of its joints that broke, and is not reported then.
void World::Impl::remove_broken_joints() {
    std::erase_if(events.broken, [&](JointId id) {
        if (!state.joints.records.find(id)) return true;
        remove_joint(id);
        return false;
    });
    report.broken = events.broken;
}

} // namespace rigor
