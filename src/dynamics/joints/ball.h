// Ball joint: the anchors coincide. With friction it also resists rotation, along rows about the
// axes of the world.
#pragma once

#include "dynamics/joints/row.h"

namespace rigor {

template <class F>
void ball_rows(const JointPose<F>& pose, bool friction, JointRow<F>* rows) {
    point_rows(pose, rows);
    if (!friction) return;
    rows[3] = turn_row(Vec3<F>{F(1), F(0), F(0)});
    rows[4] = turn_row(Vec3<F>{F(0), F(1), F(0)});
    rows[5] = turn_row(Vec3<F>{F(0), F(0), F(1)});
}

} // namespace rigor
