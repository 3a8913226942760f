// Keyboard control of vehicles and of kinematic bodies whose driver has the input "keys".
#pragma once

#include "viewer/session_state.h"

namespace rigor::viewer {

/// Sets motors and steering of all vehicles from the pressed keys: W A S D or the arrow keys.
void drive_vehicles(Simulation& simulation, const SessionState& state);

/// Sets the velocities of bodies driven by keys for the next step.
void move_keyboard_driven_bodies(Simulation& simulation, const SessionState& state);

} // namespace rigor::viewer
