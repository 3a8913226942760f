// World::Impl: a state, the pipeline that steps it, and threads.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "base/polymorphic_value.h"
#include "base/profile.h"
#include "base/thread_team.h"
#include "dynamics/pipeline.h"
#include "model/world_state.h"
#include "rigor/world.h"
#include "world/query_broadphase.h"
#include "world/recorder.h"

namespace rigor {

struct Snapshot::Content {
    WorldState state;
    WorldSettings settings;
    PolymorphicValue<Pipeline> pipeline;
};

/// Throws UsageError when it is none.
std::optional<PeriodicCell> cell_of(const std::optional<PeriodicBox>& box);
/// Whether a body is smaller than half of a cell, or static.
bool fits(const PeriodicCell& cell, const BodyTraits& traits, std::span<const ShapeRecord> shapes);

struct World::Impl {
    explicit Impl(const WorldSettings& wanted);

    WorldSettings settings;
    WorldState state;
    PolymorphicValue<Pipeline> pipeline;
    QueryBroadphase query_broadphase; ///< derived from the state

    // Scratch: nothing here outlives a step.
    std::unique_ptr<ThreadTeam> team;
    bool has_task_system = false;
    Profile profile;
    StepReport report;  // of the last step
    Events events;      // likewise
    Events next_events; // since then
    bool keeps_motion_records = false;
    std::vector<MotionRecord> motion_records; // of the last step
    std::vector<std::uint32_t> woken;         // by a call, not yet in next_events
    ContactHooks hooks;
    std::atomic_flag team_taken; // by a query
    std::atomic<bool> is_stepping{false};

    double seconds_of_steps = 0; // computing time so far, for max_run_seconds

    std::unique_ptr<Recorder> recorder; // if set, receives every change

    /// Called for every change from outside.
    template <auto Method, class... Arguments>
    void record(const Arguments&... arguments) {
        pipeline->state_changed();
        if (recorder) recorder->call<Method>(arguments...);
    }

    void apply(const WorldSettings& wanted);
    /// Throws UsageError when a body is too large.
    void require_all_fit(const PeriodicCell& cell) const;
    /// Whether a body fits the periodic cell, which there must be.
    bool fits_cell(std::uint32_t body) const { return fits_cell(body, *state.cell); }
    bool fits_cell(std::uint32_t body, const PeriodicCell& cell) const;
    /// Replaces the pipeline by that of another method, which gets all bodies and joints.
    void set_method(Method method);

    /// The slot of a live body; throws UsageError for a stale or null id.
    std::uint32_t slot(BodyId id) const;

    /// Likewise of a joint and of a shape.
    JointRecord& joint(JointId id);
    ShapeRecord& shape(ShapeId id);

    void remove_joint(JointId id);
    /// The pose or velocity of a body changed.
    void body_moved(std::uint32_t body);

    // Woken bodies are reported in the events of the next step.
    void report_woken();
    void wake(std::uint32_t body);
    void wake_all();
    /// Wakes the bodies near a body that does not sleep itself: they may have rested on it.
    void wake_around(std::uint32_t body);
    void wake_joined(const JointRecord& joint);

    /// Adds to the wrench on a body during the next step.
    void add_wrench(std::uint32_t body, const Wrench& wrench);

    /// Runs an edit of one body's velocity and records the change of its kinetic energy.
    template <class Edit>
    void edit(std::uint32_t body, const Edit& edit);

    const StepReport& step(double dt);
    void step_with_hooks(double dt);
    void step_state(double dt);
    /// s: computing time that is left to a step.
    double seconds_for_step() const;
    double memory_for_step() const;
    /// Throws UsageError in the middle of a step: the world cannot be `changed`, `copied`.
    void require_outside_step(const char* what) const;
    void remove_broken_joints();

    /// Of the current world. Thread-safe between changes.
    const ShapeProxies& shape_proxies();
    /// As ThreadTeam::parallel_for, from any thread.
    void parallel_query(std::size_t count, std::size_t grain,
                        const std::function<void(std::size_t begin, std::size_t end)>& task);
};

/// Throws UsageError when there are hooks and the method would not ask them.
void require_hooks_act(const ContactHooks& hooks, Method method);

} // namespace rigor
