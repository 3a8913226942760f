// Rotation vector of b relative to a, in the axes of a: the coordinates of a joint with two or
// three axes of rotation.
#pragma once

#include "dynamics/joints/row.h"
#include "math/dual.h"

namespace rigor {

/// The row whose rate is that of component i of the rotation vector p. With the relative angular
/// velocity w in the axes of a,
///
///     p' = w - p x w / 2 + c p x (p x w),   c = (1 - (t/2) cot(t/2)) / t²,   t = |p|,
///
/// so the row is the transpose of that map, applied to the axis. For t -> 0, c -> 1/12.
inline JointRow<Dual> rotation_vector_row(const JointPose<Dual>& pose, int i) {
    const Mat3<Dual>&a = pose.axes_a, &b = pose.axes_b;
    // The quaternion of the rotation from a to b: its vector part is half of the sum of the cross
    // products of the axes over 2 w, its scalar part from the trace.
    const Dual trace = dot(a.cx, b.cx) + dot(a.cy, b.cy) + dot(a.cz, b.cz);
    const Dual w = Dual(0.5) * sqrt(max(Dual(1) + trace, Dual(1e-12)));
    const Vec3dual twice = cross(a.cx, b.cx) + cross(a.cy, b.cy) + cross(a.cz, b.cz);
    const Vec3dual v = twice * (Dual(0.25) / w); // in the world
    const Dual sine = sqrt(dot(v, v));           // of t/2
    const bool small = sine.value < 1e-4;
    // t / sin(t/2), and c t², from the angle or from their series.
    const Dual s2 = dot(v, v);
    const Dual half_angle = atan2(sine, w);
    const Dual stretch = small ? Dual(2) + s2 * Dual(1.0 / 3) : Dual(2) * half_angle / sine;
    const Vec3dual p = v * stretch;
    const Dual c = small ? Dual(1.0 / 12) + s2 * Dual(4.0 / 720)
                         : (Dual(1) - half_angle * w / sine) / dot(p, p);
    const Vec3dual& axis = a.column(i);
    const Vec3dual across = cross(p, axis);
    const Vec3dual u = axis + across * Dual(0.5) + cross(p, across) * c;
    return turn_row(u);
}

} // namespace rigor
