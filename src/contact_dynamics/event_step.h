// What a step of the event-driven family is given, and what comes of it.
#pragma once

#include <array>

#include "base/profile.h"
#include "base/thread_team.h"
#include "contact_dynamics/island.h"
#include "contact_dynamics/step_budget.h"
#include "rigor/events.h"

namespace rigor::contact_dynamics {

struct StepContext {
    WorldState& state;
    const Laws& laws;
    const Budget& budget;
    ThreadTeam& team;
    Profile& profile;
    double hit_speed = 1;
};

/// Who did what. The work of an island is booked on any of its bodies: they are named together.
struct WorkBook {
    std::vector<Works> by_body; ///< by slot
    std::vector<std::array<std::uint32_t, 2>> together;

    explicit WorkBook(std::size_t bodies) : by_body(bodies) {}
    void book(const WorldState& state, const Island& island);
    void add(const WorkBook& other);
};

struct StepOutcome {
    explicit StepOutcome(const WorldState& state) : works(state.bodies.slot_count()) {}

    Story story;
    WorkBook works;
    double reached = 0; ///< how far in the step the budget lasted
    int moved = 0;
    std::vector<ContactView> touching; ///< at the end
    std::vector<ContactHit> hits;
};

} // namespace rigor::contact_dynamics
