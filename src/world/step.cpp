// The step of a world: calls that of its pipeline, and updates events, joints and queries.

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/deadline.h"
#include "dynamics/periodic_wrap.h"
#include "world/arguments.h"
#include "world/event_order.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

/// Reset, keeping the memory of its lists: a step like the one before allocates nothing.
void reset(StepReport& report) {
    report.moved = report.contacts = report.crowded_count = 0;
    report.penetration = report.residual = 0;
    report.event_count = report.impact_count = report.impulse_count = report.fixed_steps = 0;
    report.ambiguous_count = report.unsolved_count = 0;
    report.finished = true;
    report.over_memory = false;
    report.quarantined.clear();
    report.broken.clear();
    report.stages.clear();
}

/// Marks a world as being stepped.
class SteppingScope {
  public:
    explicit SteppingScope(std::atomic<bool>& flag) : flag_(flag) { flag_ = true; }
    ~SteppingScope() { flag_ = false; }
    SteppingScope(const SteppingScope&) = delete;
    SteppingScope& operator=(const SteppingScope&) = delete;

  private:
    std::atomic<bool>& flag_;
};

/// Adds the time that it exists.
class Stopwatch {
  public:
    explicit Stopwatch(double& sum) : sum_(sum) {}
    ~Stopwatch() {
        sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

  private:
    double& sum_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace

void World::Impl::require_outside_step(const char* what) const {
    if (is_stepping)
        throw UsageError(std::string("a world cannot be ") + what +
                         " during its step: neither from a contact hook nor from another thread");
}

const StepReport& World::Impl::step(double dt) {
    require_positive(dt, "dt");
    const SteppingScope scope(is_stepping);
    const DeadlineScope deadline(seconds_for_step());
    const MemoryScope memory(memory_for_step());
    const Stopwatch stopwatch(seconds_of_steps);
    if (hooks.filter || hooks.modify) {
        step_with_hooks(dt);
    } else {
        step_state(dt);
    }
    report.over_memory = memory.is_exceeded() || !(memory_for_step() > 0);
    return report;
}

/// Bytes that a step may use beyond those of the world.
double World::Impl::memory_for_step() const {
    if (!settings.max_memory_mb) return std::numeric_limits<double>::infinity();
    const std::size_t used = rigor::memory_bytes(state) + pipeline->memory_bytes();
    return *settings.max_memory_mb * 0x1p20 - static_cast<double>(used);
}

double World::Impl::seconds_for_step() const {
    const double of_step = settings.laws.max_wall_seconds;
    if (!settings.max_run_seconds) return of_step;
    return std::min(of_step, *settings.max_run_seconds - seconds_of_steps);
}

/// Whatever a hook throws, the world goes back to where it was.
void World::Impl::step_with_hooks(double dt) {
    const Snapshot::Content before{state, settings, pipeline};
    const Events events_before = events, next_events_before = next_events;
    try {
        step_state(dt);
    } catch (...) {
        state = before.state;
        pipeline = before.pipeline;
        query_broadphase.change().reset(state);
        events = events_before;
        next_events = next_events_before;
        throw;
    }
}

void World::Impl::step_state(double dt) {
    reset(report);
    motion_records.clear();
    profile.reset();
    std::swap(events, next_events);
    next_events.clear();

    const PipelineStep wanted{
        state, settings, *team,  profile,
        hooks, report,   events, keeps_motion_records ? &motion_records : nullptr};
    update_passages(state, dt);
    const double reached = deadline_has_passed() ? 0 : pipeline->step(wanted, dt);
    report.finished = report.finished && reached >= dt;
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
