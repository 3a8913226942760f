// What a World owns: state, scratch, and the threads that step it.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "base/profile.h"
#include "base/thread_team.h"
#include "dynamics/integrate.h"
#include "faithful/step.h"
#include "fast/fast_step.h"
#include "fast/pair_removal.h"
#include "literature/method_step.h"
#include "model/world_state.h"
#include "rigor/world.h"
#include "world/lazy_proxies.h"
#include "world/recorder.h"

namespace rigor {

struct Snapshot::Content {
    WorldState state;
    WorldSettings settings;
    fast::Memory fast;
    literature::AssemblyMemory springs;
    faithful::StillIslands still;
    ShapeProxies boxes;
    std::vector<ContactView> touching;
    std::vector<SensorChange> sensed;
};

/// Throws UsageError when it is none.
std::optional<PeriodicCell> cell_of(const std::optional<PeriodicBox>& box);
/// Whether a body is smaller than half of a cell, or static.
bool fits(const PeriodicCell& cell, const BodyTraits& traits, std::span<const ShapeRecord> shapes);

struct World::Impl {
    explicit Impl(const WorldSettings& wanted);

    WorldSettings settings;
    WorldState state;
    fast::Memory fast;
    literature::AssemblyMemory springs; // of the documents' methods
    faithful::StillIslands still;       // of faithful; gone with every change from outside
    /// Those of the pipeline, empty without one. Which pairs it knows depends on how the boxes came
    /// about: so they are its own, part of snapshots, and no query ever touches them.
    ShapeProxies boxes;
    LazyProxies proxies; ///< for queries; they follow from the state

    // Scratch: nothing here outlives a step.
    std::unique_ptr<ThreadTeam> team;
    bool has_task_system = false;
    std::vector<IntegrationTally> tallies; // one per block
    fast::Scratch fast_scratch;
    Profile profile;
    StepReport report;                 // of the last step
    Events events;                     // likewise
    Events next_events;                // since then
    std::vector<ContactView> touching; // of the last step from event to event
    std::vector<SensorChange> sensed;  // likewise, sorted
    ContactHooks hooks;
    std::atomic_flag team_taken; // by a query

    std::unique_ptr<Recorder> recorder; // when there is one, it is told of every change

    /// Every change from outside comes through here.
    template <auto Method, class... Arguments>
    void record(const Arguments&... arguments) {
        still.clear();
        if (recorder) recorder->call<Method>(arguments...);
    }

    void apply(const WorldSettings& wanted);
    /// Throws UsageError when a body is too large.
    void require_all_fit(const PeriodicCell& cell) const;
    /// What has left the cell of a world that repeats; joined bodies together.
    void bring_into_cell();

    /// The slot of a living body; throws UsageError for a stale or null id.
    std::uint32_t slot(BodyId id) const;

    /// Likewise of a joint.
    JointRecord& joint(JointId id);

    void remove_joint(JointId id);
    void note_changed(std::uint32_t body);

    void wake(std::uint32_t body);
    void wake_all();
    /// What is near a body that does not sleep itself: it may have lain on it.
    void wake_around(std::uint32_t body);
    void wake_joined(const JointRecord& joint);

    /// Adds to what acts on a body during the next step.
    void push(std::uint32_t i, const Wrench& wrench);

    /// Runs an edit of one body's velocity and books the change of its kinetic energy.
    template <class Edit>
    void edit(std::uint32_t i, const Edit& edit);
    /// Kinetic energy that the caller gave a body.
    void book_edit(std::uint32_t body, double energy);

    const StepReport& step(double dt);
    void integrate(double dt);
    void step_fast(double dt);
    /// Returns how far it came.
    double step_events(double dt);
    contact_dynamics::StepOutcome follow_events(double dt);
    /// Parts of a step in which no body gets far beyond the cell of a world that repeats.
    int parts_of(double dt) const;
    contact_dynamics::StepOutcome follow_part(double dt);
    /// From here on a body stands still.
    void quarantine(std::uint32_t body);
    bool quarantine_lost(const std::vector<BodyMotion>& start);
    /// After note_step(): who came into a sensor, and who left.
    void note_sensed();
    std::vector<SensorChange> find_sensed();

    /// Of the world as it is now. From any thread between changes.
    const ShapeProxies& shape_proxies();
    /// As ThreadTeam::parallel_for, from any thread.
    void parallel_query(std::size_t count, std::size_t grain,
                        const std::function<void(std::size_t begin, std::size_t end)>& task);
};

} // namespace rigor
