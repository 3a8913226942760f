// Applies the actions of users to a world.
#pragma once

#include "viewer/action.h"
#include "viewer/session_state.h"

namespace rigor::viewer {

/// Fails, with nothing changed, when a body does not exist or a value is invalid.
Result<void> apply_action(const UserAction& action, Simulation& simulation, SessionState& state);

} // namespace rigor::viewer
