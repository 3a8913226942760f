// Actions done to a world.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rigor/simulation.h"
#include "view/action.h"

namespace rigor::view {

/// A body, and what it was made from.
struct Member {
    BodyId id;
    std::shared_ptr<const SceneBody> made_from; ///< none: the slot is free
};

/// A spring between a body and a place.
struct Hold {
    int hand = 0;
    BodyId body;
    Vec3d point; ///< body frame
    Vec3d target;
    double stiffness = 0; ///< N/m
    Vec3d force;          ///< of the last step
};

/// What a stage knows beside its world: part of every keyframe.
struct StageState {
    /// By slot. Shared between keyframes, so it is replaced and never changed.
    std::shared_ptr<const std::vector<Member>> members;
    std::vector<Hold> holds; ///< by hand
    std::vector<std::string> keys;
    std::vector<std::uint32_t> frozen; ///< slots, ascending
    double time_step = 1.0 / 60;
    int made = 0; ///< bodies thrown, dropped and duplicated so far: for names
};

/// Fails, with nothing done, when a body is not there or a number makes no sense.
Result<void> do_action(const Action& action, Simulation& simulation, StageState& state);

/// Lets every hold pull during the next step.
void pull_holds(Simulation& simulation, StageState& state);

// steering.cpp: keys.

/// Sets the wheels of vehicles as the pressed keys say: W A S D or arrows.
void drive_vehicles(Simulation& simulation, const StageState& state);
/// Gives bodies that are driven by keys their velocity for the next step.
void move_hands(Simulation& simulation, const StageState& state);

/// Null when there is none in the slot.
BodyId body_at(const StageState& state, std::uint32_t slot);

} // namespace rigor::view
