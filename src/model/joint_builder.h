// Joint records from definitions: all validity rules of one joint.
#pragma once

#include "model/world_state.h"
#include "rigor/result.h"

namespace rigor {

/// Checks the definition against the world as it is now, and fixes the frames of the joint in both
/// bodies. Fails with the field in `where` and the rule and value in `message`. The bodies that it
/// names must be alive.
Result<JointRecord> build_joint(const WorldState& state, const JointDef& def);

/// The rules of what can be changed later.
Result<void> check_motor(const MotorDef& motor);
Result<void> check_spring(const SpringDef& spring);
Result<void> check_range(const char* where, const Range& range);
/// The limits of a track: the ends of an open curve are limits, too.
Result<Range> track_range(const TrackCurve& curve, const Range& limits);

/// Where the joint holds on to a body now.
Posed end_pose(const WorldState& state, const JointEnd& end);

} // namespace rigor
