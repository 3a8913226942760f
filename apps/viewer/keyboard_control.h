// Keyboard control of vehicles and of kinematic bodies whose driver has the input "keys".
#pragma once

#include "viewer/session_state.h"

namespace rigor::viewer {

/// Drives all vehicles by the pressed keys for the next step: W A S D or the arrow keys, and Space
/// for the hand brake. A vehicle that the scene drives follows the scene until a key is pressed.
void drive_vehicles(Simulation& simulation, const SessionState& state);

/// Sets the velocities of bodies driven by keys for the next step.
void move_keyboard_driven_bodies(Simulation& simulation, const SessionState& state);

} // namespace rigor::viewer
