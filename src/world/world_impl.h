// What a World owns: state, scratch, and the threads that step it.
#pragma once

#include <vector>

#include "base/profile.h"
#include "base/thread_team.h"
#include "dynamics/integrate.h"
#include "model/world_state.h"
#include "rigor/world.h"

namespace rigor {

struct Snapshot::Content {
    WorldState state;
    WorldSettings settings;
};

struct World::Impl {
    explicit Impl(const WorldSettings& wanted);

    WorldSettings settings;
    WorldState state;

    // Scratch: nothing here outlives a step.
    std::unique_ptr<ThreadTeam> team;
    std::vector<IntegrationTally> tallies; // one per block
    Profile profile;

    void apply(const WorldSettings& wanted);

    /// The slot of a living body; throws UsageError for a stale or null id.
    std::uint32_t slot(BodyId id) const;

    /// Runs an edit of one body's velocity and books the change of its kinetic energy.
    template <class Edit>
    void edit(std::uint32_t i, const Edit& edit);

    StepReport step(double dt);
    void integrate(double dt, StepReport& report);
};

} // namespace rigor
