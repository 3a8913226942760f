// Time integration of solver bodies within a substep.
#pragma once

#include "base/thread_team.h"
#include "fast/solver_bodies.h"

namespace rigor::fast {

// Each function
//
// Reads    masses, applied forces and gravity.
// Writes   the velocity or the displacement of every solver body, its work of damping.
// Order    bodies are independent; blocks of them may run on any worker.

/// Velocities after gravity, forces and damping have acted for `h`. On bodies that only rigid
/// joints act on, they act for half of it; the second half follows when the bodies have moved.
/// So their positions and velocities are those of the same instant, as in [Andersen 1983]. Bodies
/// that rest on others must be supported at once.
void integrate_velocities(const WorldState& state, ThreadTeam& team, double h,
                          SolverBodies& bodies);
void integrate_velocities_second_half(const WorldState& state, ThreadTeam& team, double h,
                                      SolverBodies& bodies);

/// Gives spinning bodies the mean angular velocity of the coming substep of length `h`.
void start_spin_substep(const WorldState& state, double h, SolverBodies& bodies);

/// Displacements after moving for `h`.
void integrate_positions(const WorldState& state, ThreadTeam& team, float h, SolverBodies& bodies);

} // namespace rigor::fast
