// Hinge: the anchors and an axis coincide. Its coordinate is the angle of b about the axis.
#pragma once

#include "dynamics/joints/row.h"

namespace rigor {

template <class F>
void hinge_rows(const JointPose<F>& pose, JointRow<F>* rows) {
    const Mat3<F>& a = pose.axes_a;
    point_rows(pose, rows);
    align_rows(a.cx, pose.axes_b.cx, a.cy, a.cz, rows + 3);
    rows[5] = twist_row(a.cx, pose.axes_b.cx);
}

} // namespace rigor
