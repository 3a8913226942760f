// Input and outcome of a step of the event-driven pipelines.
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
    const StepBudget& budget;
    ThreadTeam& team;
    Profile& profile;
    double hit_speed = 1;
    std::span<const double> joint_angles =
        {}; ///< of hinges and wheels after the last step, by slot
    bool records_motion = false;
};

/// A joint at the end of a step.
struct JointOutcome {
    std::uint32_t joint = 0; ///< slot
    double angle = 0;
    Vec3d force = {}, torque = {}; ///< on b, at its anchor
};

/// Work of a step by body. The work of an island is recorded on one of its bodies, and its bodies
/// are listed as interacting.
struct StepWork {
    std::vector<WorkLedger> by_body; ///< by slot
    std::vector<std::array<std::uint32_t, 2>> interacting_pairs;

    explicit StepWork(std::size_t bodies) : by_body(bodies) {}
    void record(const WorldState& state, const Island& island);
    void add(const StepWork& other);
};

struct StepOutcome {
    explicit StepOutcome(const WorldState& state) : work(state.bodies.slot_count()) {}

    StepStatistics statistics;
    StepWork work;
    MotionTrace trace;
    double reached = 0; ///< s: time in the step at which the budget was exhausted
    int moved = 0;
    std::vector<ContactView> touching; ///< at the end
    std::vector<ContactView> ended;    ///< before, one of each pair of shapes
    std::vector<ContactHit> hits;
    std::vector<JointOutcome> joints;
};

} // namespace rigor::contact_dynamics
