// Hinge: the anchors and an axis coincide. Its coordinate is the angle of b about the axis.
#pragma once

#include "dynamics/joints/row.h"

namespace rigor {

/// `a_spins`: a is the wheel, and b what carries it.
template <class F>
void hinge_rows(const JointPose<F>& pose, JointRow<F>* rows, bool a_spins = false) {
    const Mat3<F>&a = pose.axes_a, &b = pose.axes_b;
    point_rows(pose, rows);
    if (a_spins)
        align_rows_of_b(a.cx, b.cx, b.cy, b.cz, rows + 3);
    else
        align_rows(a.cx, b.cx, a.cy, a.cz, rows + 3);
    rows[5] = twist_row(a.cx, b.cx);
}

} // namespace rigor
