// Input of users for the drivers of bodies, and the reports of drivers and duels to them.
#pragma once

#include "viewer/action.h"
#include "viewer/session.h"

namespace rigor::viewer {

/// Moves the device of a body. Fails when it has no driver that takes such input.
Result<void> apply_driver_input(const DriveInput& input, BodyId body, Simulation& simulation);

/// Moves the devices of bodies driven by keys, for the next step.
void apply_keys_to_drivers(Simulation& simulation, const SessionState& state);

/// [{body, input, grid}]: drivers that take input.
json describe_drivers(const Session& session);
/// {names, rounds}; null without a duel.
json describe_duel(const Session& session);
/// {score, round, over, control, last_hit}; null without a duel.
json describe_duel_state(const Session& session);
/// The driven bodies that were hit in the last step.
json describe_driven(const Session& session);

} // namespace rigor::viewer
