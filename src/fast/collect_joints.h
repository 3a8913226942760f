// Collects the joints, gears and tracks that are solved in a step, and the bodies they connect.
#pragma once

#include "fast/step_data.h"

namespace rigor::fast {

/// Part of the stage "prepare constraints", after collect_contacts().
///
/// Reads    joints that are awake; contact constraints.
/// Writes   joint, gear and track constraints; the solver bodies they need; which of these
///          only smooth joints act on; which joints are in a chain.
/// Order    serial, by slot.
void collect_joints(StepData& step);
/// Which layouts the joint constraints have.
void collect_layouts(Scratch& scratch);

} // namespace rigor::fast
