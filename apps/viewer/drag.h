// Drags: users pull bodies with springs.
#pragma once

#include "viewer/session_state.h"

namespace rigor::viewer {

/// The stiffness of a drag unless the user gives one, N/m.
double default_drag_stiffness(double mass);

/// Applies the spring force of every drag for the next step, and drops drags of removed bodies.
void apply_drag_forces(Simulation& simulation, SessionState& state);

} // namespace rigor::viewer
