// Joint coordinates: how far a joint has moved along and about its free axes.
#pragma once

#include <array>

#include "dynamics/joints/six_dof.h"
#include "model/world_state.h"

namespace rigor {

/// Whether a range ends at one side or both.
bool is_bounded(const Range& range);

/// Which axes of a joint of six degrees of freedom are locked or bounded by its ranges.
SixDofShape six_dof_shape(const JointRecord& joint);

/// The two frames of a joint in the world.
struct JointFrames {
    Posed a, b;

    Quatd a_to_b() const { return conjugate(a.q) * b.q; }
    Vec3d gap() const { return b.p - a.p; }
};

JointFrames joint_frames(const WorldState& state, const JointRecord& joint);

/// Where a track joint is on its curve. `way` is the arc length from its start, which distinguishes
/// neighboring strands of the curve: the last one on entry, the current one on return.
TrackCurve::Place track_place(const JointRecord& joint, const JointFrames& frames, double& way);

/// The coordinates of all degrees of freedom, in the order of their rows. `angle` is that of a
/// hinge or wheel, whole turns included, or the way of a track: the last one on entry, the current
/// one on return.
std::array<double, 6> joint_coordinates(const JointRecord& joint, const JointFrames& frames,
                                        double& angle);

/// The first coordinate, as in JointDef. An angle is the one nearest to `last`, whole turns
/// included; of a track `last` is its way.
double first_coordinate(const WorldState& state, const JointRecord& joint, double last);

} // namespace rigor
