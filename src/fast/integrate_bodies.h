// Time integration of solver bodies within a substep.
#pragma once

#include "fast/solver_bodies.h"
#include "fast/solver_parts.h"

namespace rigor::fast {

// Each function
//
// Reads    masses, applied forces and gravity.
// Writes   the velocity or the displacement of every solver body of the part, its work of damping.
// Order    bodies are independent; blocks of them may run on any worker.

/// Whether gravity and rigid joints alone act on the bodies of a part, none of which has damping or
/// a locked axis: the functions below need not look at each then.
bool falls_alone(const WorldState& state, const SolverPart& part, const SolverBodies& bodies);

/// Velocities after gravity, forces and damping have acted for `h`. On bodies with joints they act
/// for half of it; the second half follows when the bodies have moved if only rigid joints and
/// springs act on them, so that positions and velocities are those of the same instant, as in
/// [Andersen 1983]. Others must be supported at once: for them it follows when joints are warm
/// started. So forces come half before and half after the impulses of joints, and the work of
/// neither includes a part of the other's.
void integrate_velocities(const WorldState& state, const SolverPart& part, double h,
                          bool falls_alone, SolverBodies& bodies);
void integrate_velocities_second_half(const WorldState& state, const SolverPart& part, double h,
                                      bool falls_alone, bool only_smooth_joints,
                                      SolverBodies& bodies);

/// Adds the work that the forces of the caller did in a substep h from the velocities `before`.
/// They act together with the impulses of the substep: each works at the mean of the velocities at
/// both ends. By the way of the body they would also work where impulses displace it against them.
void add_force_work(const WorldState& state, const SolverPart& part, double h,
                    const SolverBody* before, SolverBodies& bodies);

/// Displacements after moving for `h`. Turning bodies are not rotated here (gyroscopic_bodies.h).
void integrate_positions(const WorldState& state, const SolverPart& part, float h, bool falls_alone,
                         SolverBodies& bodies);
/// The same into `ahead`, of bodies that do not turn.
void predict_positions(const SolverPart& part, float h, const SolverBodies& bodies,
                       SolverBody* ahead);

} // namespace rigor::fast
