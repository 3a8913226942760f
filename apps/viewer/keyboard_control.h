// Keyboard control of vehicles.
#pragma once

#include "viewer/session_state.h"

namespace rigor::viewer {

/// Sets motors and steering of all vehicles from the pressed keys: W A S D or the arrow keys.
void drive_vehicles(Simulation& simulation, const SessionState& state);

} // namespace rigor::viewer
