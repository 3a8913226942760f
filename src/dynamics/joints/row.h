// Constraint rows of joints: one degree of freedom that is removed, limited or driven.
//
// Templates for scalars and lanes.
#pragma once

#include <array>

#include "rigor/mat.h"
#include "rigor/quat.h"

namespace rigor {

/// The rate of a row is
///
///     linear·(vB - vA) + angular_b·wB - angular_a·wA ;
///
/// an impulse λ along it changes the momentum of b by λ·linear and its angular momentum by
/// λ·angular_b, and those of a by the opposite.
template <class F>
struct JointRow {
    Vec3<F> linear, angular_a, angular_b;
    F error = F(0); ///< of a row that removes a degree of freedom: position error
};

/// The two bodies of a joint, at their current poses.
template <class F>
struct JointPose {
    Vec3<F> arm_a, arm_b; ///< from the centers of mass to the two anchors
    Vec3<F> gap;          ///< from the anchor of a to that of b
    Mat3<F> axes_a, axes_b;
};

/// Mean velocity of the end of an arm that rotates steadily for a time h, beyond w x arm: (exp(hw)
/// arm - arm)/h - w x arm. With it the end of a straight step lies on the curve that a joint
/// allows, and swinging bodies conserve their energy [Andersen 1983]. Quotients instead of series:
/// exact to 1e-4 up to a radian, and bounded for any rotation.
template <class F>
Vec3<F> bend(const Vec3<F>& w, const Vec3<F>& arm, F h) {
    const F z = dot(w, w) * (h * h); // the squared angle
    const F sine = z * F(-1.0f / 6) / (F(1) + z * F(0.05f));
    const F cosine = F(0.5f) / (F(1) + z * F(1.0f / 12));
    const Vec3<F> along = cross(w, arm);
    return along * sine + cross(w, along) * (h * cosine);
}

/// Removes relative translation of the anchors along d, a direction of the world.
template <class F>
JointRow<F> point_row(const JointPose<F>& pose, const Vec3<F>& d) {
    return {d, cross(pose.arm_a, d), cross(pose.arm_b, d), dot(pose.gap, d)};
}

/// Removes translation of b's anchor along d, a direction fixed in body a.
template <class F>
JointRow<F> along_row(const JointPose<F>& pose, const Vec3<F>& d) {
    return {d, cross(pose.arm_a + pose.gap, d), cross(pose.arm_b, d), dot(pose.gap, d)};
}

/// Correction of the rate of such a row, beside bend(), because d rotates with body a: half a step
/// times the second derivative of d·gap at steady velocities, the Coriolis term and the term of the
/// rotating gap. `velocity` is that of the anchors.
template <class F>
F turning_drift(const Vec3<F>& d, const Vec3<F>& w_a, const Vec3<F>& velocity, const Vec3<F>& gap,
                F h) {
    const Vec3<F> turning = cross(w_a, d);
    const F z = dot(w_a, w_a) * (h * h);
    const F half = F(0.5f) * h / (F(1) + F(16) * z); // useful for small rotations only
    return half * (F(2) * dot(turning, velocity) + dot(cross(w_a, turning), gap));
}

/// Removes relative rotation about u.
template <class F>
JointRow<F> turn_row(const Vec3<F>& u, F error = F(0)) {
    return {{}, u, u, error};
}

/// Removes the deviation of b's axis from that of a, both units; u and v turn with a. The rows are
/// the gradients of their errors also where these are not zero: normal to b's axis, so that no
/// torque brakes or drives a wheel b that spins about it.
template <class F>
void align_rows(const Vec3<F>& axis_a, const Vec3<F>& axis_b, const Vec3<F>& u, const Vec3<F>& v,
                JointRow<F>* rows) {
    const Vec3<F> between = cross(axis_a, axis_b);
    rows[0] = turn_row(cross(axis_b, cross(u, axis_a)), dot(between, u));
    rows[1] = turn_row(cross(axis_b, cross(v, axis_a)), dot(between, v));
}

/// The same with u and v that turn with b, and rows normal to a's axis: where a is the wheel.
template <class F>
void align_rows_of_b(const Vec3<F>& axis_a, const Vec3<F>& axis_b, const Vec3<F>& u,
                     const Vec3<F>& v, JointRow<F>* rows) {
    const Vec3<F> between = cross(axis_a, axis_b);
    rows[0] = turn_row(cross(cross(axis_b, u), axis_a), dot(between, u));
    rows[1] = turn_row(cross(cross(axis_b, v), axis_a), dot(between, v));
}

/// The twist of b relative to a about their axes: the rate of the angle by which b is rotated
/// beyond the shortest rotation that takes the axis of a to that of b.
template <class F>
JointRow<F> twist_row(const Vec3<F>& axis_a, const Vec3<F>& axis_b) {
    const Vec3<F> sum = axis_a + axis_b;
    const F squared = F(0.5) * dot(sum, sum); // 1 + cos
    return turn_row(sum * (F(1) / max(squared, F(1e-3f))));
}

template <class F>
void point_rows(const JointPose<F>& pose, JointRow<F>* rows) {
    rows[0] = point_row(pose, Vec3<F>{F(1), F(0), F(0)});
    rows[1] = point_row(pose, Vec3<F>{F(0), F(1), F(0)});
    rows[2] = point_row(pose, Vec3<F>{F(0), F(0), F(1)});
}

/// Removes all relative rotation. The error is twice the vector part of the relative quaternion, in
/// the world.
template <class F>
void lock_rows(const JointPose<F>& pose, JointRow<F>* rows) {
    const Vec3<F> error =
        (cross(pose.axes_a.cx, pose.axes_b.cx) + cross(pose.axes_a.cy, pose.axes_b.cy) +
         cross(pose.axes_a.cz, pose.axes_b.cz)) *
        F(0.5);
    rows[0] = turn_row(Vec3<F>{F(1), F(0), F(0)}, error.x);
    rows[1] = turn_row(Vec3<F>{F(0), F(1), F(0)}, error.y);
    rows[2] = turn_row(Vec3<F>{F(0), F(0), F(1)}, error.z);
}

} // namespace rigor
