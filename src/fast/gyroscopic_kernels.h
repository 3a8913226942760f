// Rotation of turning bodies, four at a time.
#pragma once

#include "fast/gyroscopic_group.h"

namespace rigor::fast {

// Each function
//
// Reads    the angular velocities `w` of the solver bodies.
// Writes   rows of the group.
// Order    groups are independent.
//
// Bodies with locked axes, and those that turn by more than kMaxTurn in a substep, are right in `l`
// alone; the caller rotates them one by one.

inline constexpr double kMaxTurn = 0.6; ///< rad: for series in the angle

/// Adds the impulses since `rate` to the angular momentum.
void absorb_impulses(GyroscopicGroup& group);

/// absorb_impulses, and the steady `rate` that leads to the orientation of the free rotation.
void predict_rate(GyroscopicGroup& group, double h);

/// absorb_impulses, and `next` by the free rotation.
void rotate_freely(GyroscopicGroup& group, double h);

/// What follows from q and l: turn, inverse inertia, and the angular velocity as `rate`.
void update_state(GyroscopicGroup& group);

} // namespace rigor::fast
