// Rotation of turning bodies, four at a time.
#pragma once

#include "fast/solver_bodies.h"

namespace rigor::fast {

// Each function
//
// Reads    the velocities of the solver bodies.
// Writes   rows of the group; velocities, displacements and masses of its bodies.
// Order    groups are independent.
//
// Bodies with locked axes, and those that turn by more than kMaxTurn in a substep, are right in `l`
// alone; the caller rotates them one by one.

inline constexpr double kMaxTurn = 0.6; ///< rad: for series in the angle

/// Reads the angular velocities, and adds the impulses since `rate` to the angular momentum.
void absorb_impulses(GyroscopicGroup& group, const SolverBody* bodies);

/// absorb_impulses, `next` by the free rotation, and the steady `rate` that leads there, which the
/// bodies get.
void predict_rate(GyroscopicGroup& group, double h, SolverBody* bodies);

/// absorb_impulses, and `next` by the free rotation. `ahead` gets the displacements to which this
/// and the linear velocities lead.
void predict_displacements(GyroscopicGroup& group, double h, const SolverBody* bodies,
                           SolverBody* ahead);

/// absorb_impulses, and `next` by the free rotation; nothing if it was predicted and no impulse has
/// acted since.
void rotate_freely(GyroscopicGroup& group, double h, const SolverBody* bodies);

/// From `next` to q and what follows from it and l: turn, inverse inertia, the angular velocity as
/// `rate`, and what it was before.
void update_state(GyroscopicGroup& group);

/// Writes these to the solver bodies.
void write_state(const GyroscopicGroup& group, SolverBody* bodies, SolverMass* masses);

} // namespace rigor::fast
