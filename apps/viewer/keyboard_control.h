// Keyboard control of vehicles.
#pragma once

#include "viewer/session_state.h"

namespace rigor::viewer {

/// Drives all vehicles by the pressed keys for the next step: W A S D or the arrow keys, and Space
/// for the hand brake. A vehicle that the scene drives follows the scene until a key is pressed.
void drive_vehicles(Simulation& simulation, const SessionState& state);

} // namespace rigor::viewer
