// Rotation of turning bodies, four at a time.
#pragma once

#include "fast/turning_group.h"

namespace rigor::fast {

// Each function
//
// Reads    the angular velocities `w` of the solver bodies.
// Writes   rows of the group.
// Order    groups are independent.
//
// Bodies with locked axes, and those that turn too far in a substep for series in the angle, are
// right in `l` alone; the caller rotates them one by one.

/// Adds the impulses since `rate` to the angular momentum.
void absorb_impulses(TurningGroup& group);

/// absorb_impulses, `next` by the free rotation for h, and `w` the steady rate that leads there.
void predict_rotation(TurningGroup& group, double h);

/// absorb_impulses, and `next` by the free rotation for h.
void rotate_freely(TurningGroup& group, double h);

/// The world's components of what follows from q.
struct TurningState {
    TurningGroup::Quaternion turn;                ///< since the beginning of the step
    TurningGroup::Vector w;                       ///< from the angular momentum
    std::array<TurningGroup::Row, 6> inv_inertia; ///< xx yy zz xy xz yz
};
void compute_state(const TurningGroup& group, TurningState& state);

/// Whether the series hold for the lane.
bool turns_little(const TurningGroup& group, std::size_t lane, double h);

} // namespace rigor::fast
