// Cone-twist joint: a ball joint whose axis stays within a cone and whose twist stays within a
// range, as a shoulder. Its coordinates are the angle between the axes and the twist.
#pragma once

#include "dynamics/joints/row.h"

namespace rigor {

template <class F>
void cone_twist_rows(const JointPose<F>& pose, JointRow<F>* rows) {
    const Vec3<F>&a = pose.axes_a.cx, &b = pose.axes_b.cx;
    point_rows(pose, rows);
    // Coincident axes swing about any direction normal to them.
    const Vec3<F> between = cross(a, b);
    const F squared = dot(between, between), least = F(1e-12f);
    const F scale = F(1) / sqrt(max(squared, least));
    const auto apart = squared > least;
    rows[3] = turn_row(Vec3<F>{select(apart, between.x * scale, pose.axes_a.cy.x),
                               select(apart, between.y * scale, pose.axes_a.cy.y),
                               select(apart, between.z * scale, pose.axes_a.cy.z)});
    rows[4] = twist_row(a, b);
}

} // namespace rigor
