// Fixed joint: no relative motion.
#pragma once

#include "dynamics/joints/row.h"

namespace rigor {

template <class F>
void fixed_rows(const JointPose<F>& pose, JointRow<F>* rows) {
    point_rows(pose, rows);
    lock_rows(pose, rows + 3);
}

} // namespace rigor
