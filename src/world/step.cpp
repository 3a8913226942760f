// The step.

#include <algorithm>
#include <cmath>

#include "world/world_impl.h"

namespace rigor {
namespace {

// Bodies per block: large enough that handing out a block costs nothing beside it, small enough
// that two cores share 10,000 bodies evenly.
constexpr std::size_t kBlock = 1024;

/// As new, but with the room of the last time: a step that is like the one before allocates
/// nothing.
void reset(StepReport& report) {
    report.moved = report.contacts = 0;
    report.penetration = report.residual = 0;
    report.events = report.impacts = report.impulses = report.fixed_steps = 0;
    report.ambiguous = report.unsolved = 0;
    report.finished = true;
    report.quarantined.clear();
    report.broken.clear();
    report.stages.clear();
}

} // namespace

const StepReport& World::Impl::step(double dt) {
    if (!(dt > 0) || !std::isfinite(dt)) throw UsageError("dt must be positive and finite");
    reset(report);
    profile.reset();
    std::swap(events, next_events);
    next_events.clear();

    double reached = dt;
    switch (settings.method) {
        case Method::free:
            for (int i = 0; i < settings.substeps; ++i) integrate(dt / settings.substeps);
            break;
        case Method::fast:
            step_fast(dt);
            break;
        default:
            reached = step_events(dt);
            break;
    }
    bring_into_cell();
    proxies.change().note_step();
    if (settings.method != Method::free && settings.method != Method::fast) note_sensed();
    state.bodies.wrenches.clear();
    state.time += reached;
    ++state.step;

    report.step = state.step;
    report.time = state.time;
    for (const Profile::Stage& stage : profile.stages()) {
        report.stages.push_back({stage.name, stage.seconds});
    }
    return report;
}

void World::Impl::step_fast(double dt) {
    {
        const StageTimer timer(profile, "boxes");
        for (const std::uint32_t body : fast.sleep.awake) boxes.note_changed(body);
        boxes.refresh(state, dt);
    }
    const fast::StepContext context{state,
                                    boxes,
                                    *team,
                                    profile,
                                    settings.substeps,
                                    settings.lanes,
                                    settings.integrator,
                                    settings.may_sleep,
                                    settings.hit_speed,
                                    &hooks};
    const auto body_ids = [&](const std::vector<std::uint32_t>& slots, std::vector<BodyId>& out) {
        for (const std::uint32_t i : slots) out.push_back(state.bodies.ids.id_at(i));
    };
    body_ids(fast.sleep.awake, events.moved);
    fast::StepOutcome& outcome = fast_scratch.outcome;
    fast::step(context, fast, fast_scratch, dt);
    report.moved = outcome.moved;
    report.contacts = outcome.contacts;
    report.penetration = outcome.max_penetration;
    body_ids(outcome.quarantined, report.quarantined);
    body_ids(outcome.woken, events.woken);
    body_ids(outcome.woken, events.moved);
    body_ids(outcome.slept, events.slept);
    for (const std::uint32_t body : outcome.slept) boxes.note_changed(body); // for the last time
    std::swap(events.begun, outcome.events.begun);
    std::swap(events.ended, outcome.events.ended);
    std::swap(events.hits, outcome.events.hits);
    std::swap(events.entered, outcome.events.entered);
    std::swap(events.left, outcome.events.left);
    for (const std::uint32_t i : outcome.broken) {
        const JointId id = state.joints.records.pool().id_at(i);
        if (id.is_null()) continue; // a gear that went with its joint
        events.broken.push_back(id);
        remove_joint(id);
    }
    report.broken = events.broken;
}

// Blocks tally for themselves; the tallies are added up in the order of the blocks, so the
// ledger has the same bits for any number of threads.
void World::Impl::integrate(double dt) {
    const StageTimer timer(profile, "integrate");
    BodyStore& bodies = state.bodies;
    const bool each = state.islands.are_open(); // every body has a tally of its own
    const std::size_t block = each ? 1 : kBlock;
    tallies.assign((bodies.slot_count() + block - 1) / block, {});
    team->parallel_for(bodies.slot_count(), kBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; i += block)
            integrate_bodies(bodies, state.gravity, settings.integrator, dt, i,
                             std::min(i + block, end), tallies[i / block]);
    });

    if (each) {
        for (std::uint32_t i = 0; i < tallies.size(); ++i)
            if (Ledger* island = state.islands.of(i)) book(*island, tallies[i]);
        tallies = sum_blocks(tallies, kBlock);
    }
    report.moved = 0;
    for (const IntegrationTally& tally : tallies) {
        book(state.ledger, tally);
        report.moved += tally.moved;
        for (const std::uint32_t i : tally.quarantined) {
            report.quarantined.push_back(bodies.ids.id_at(i));
        }
    }
}

} // namespace rigor
