// Slider: translation along an axis of a, without rotation. Its coordinate is the displacement.
#pragma once

#include "dynamics/joints/row.h"

namespace rigor {

template <class F>
void slider_rows(const JointPose<F>& pose, JointRow<F>* rows) {
    rows[0] = along_row(pose, pose.axes_a.cy);
    rows[1] = along_row(pose, pose.axes_a.cz);
    lock_rows(pose, rows + 2);
    rows[5] = along_row(pose, pose.axes_a.cx);
}

} // namespace rigor
