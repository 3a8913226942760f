// A step of `faithful`: from event to event.
//
// Bodies that touch nothing fly in closed form. Bodies that act on each other are islands and go on
// together (island.h). Every pair of shapes that may meet on their ways has its time found
// (meeting.h); the earliest of all is the next event: its islands are brought there, become one,
// and settle what happens. Every island and every flying body has a time of its own, so an event
// costs only what takes part in it.
#pragma once

#include <array>

#include "base/profile.h"
#include "base/thread_team.h"
#include "faithful/island.h"
#include "faithful/meter.h"
#include "faithful/still_islands.h"
#include "rigor/events.h"

namespace rigor::faithful {

struct StepContext {
    WorldState& state;
    const Laws& laws;
    const Budget& budget;
    ThreadTeam& team;
    Profile& profile;
    double hit_speed = 1;
    StillIslands* still = nullptr; ///< kept from step to step; none: nothing is remembered
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

StepOutcome step(const StepContext& context, double dt);

} // namespace rigor::faithful
