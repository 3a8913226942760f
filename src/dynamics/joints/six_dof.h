// Six-dof joint: each degree of freedom along and about the axes of a frame is locked, limited or
// free.
//
// With at most one free rotation axis, angles are those of a hinge. With two, the third is
// constrained by the crossed axes of a and b (a universal joint). With all three, and for limits of
// two, they are the components of the rotation vector along the axes of a: accurate well below half
// a turn.
#pragma once

#include <cstdint>

#include "dynamics/joints/row.h"

namespace rigor {

/// Which of the six are locked and which have a coordinate, as bits: tx ty tz rx ry rz.
struct SixDofShape {
    std::uint8_t locked = 0, bounded = 0;

    constexpr bool is_locked(int i) const { return (locked >> i & 1) != 0; }
    constexpr bool is_bounded(int i) const { return (bounded >> i & 1) != 0; }
    constexpr int locked_count() const {
        return locked_turns() + is_locked(0) + is_locked(1) + is_locked(2);
    }
    constexpr int locked_turns() const { return is_locked(3) + is_locked(4) + is_locked(5); }
};

/// The locked degrees of freedom come first, in order; then the limited ones.
template <class F>
void six_dof_rows(const JointPose<F>& pose, const SixDofShape& shape, JointRow<F>* rows) {
    const Mat3<F>&a = pose.axes_a, &b = pose.axes_b;
    for (int i = 0; i < 3; ++i)
        if (shape.is_locked(i)) *rows++ = along_row(pose, a.column(i));
    const int turns = shape.locked_turns();
    if (turns == 3) {
        lock_rows(pose, rows);
        rows += 3;
    } else if (turns == 2) {
        const int free = shape.is_locked(3) ? (shape.is_locked(4) ? 5 : 4) : 3;
        align_rows(a.column(free - 3), b.column(free - 3), a.column((free - 2) % 3),
                   a.column((free - 1) % 3), rows);
        rows += 2;
    } else if (turns == 1) {
        // The next axis of a stays perpendicular to the one after it of b.
        const int i = shape.is_locked(3) ? 0 : shape.is_locked(4) ? 1 : 2;
        const Vec3<F>&y = a.column((i + 1) % 3), &z = b.column((i + 2) % 3);
        *rows++ = turn_row(cross(y, z), -dot(y, z));
    }
    for (int i = 0; i < 3; ++i)
        if (shape.is_bounded(i)) *rows++ = along_row(pose, a.column(i));
    for (int i = 0; i < 3; ++i) {
        if (!shape.is_bounded(3 + i)) continue;
        *rows++ = turns == 2 ? twist_row(a.column(i), b.column(i)) : turn_row(a.column(i));
    }
}

/// The same of a soft joint. One that locks all translations pulls at its anchors alone. If it
/// locks all rotations its errors are along the axes of a, with gradients that are exact however
/// far it gives way: with C the matrix from the axes of b to those of a, (tr C - C)/2.
template <class F>
void soft_six_dof_rows(const JointPose<F>& pose, const SixDofShape& shape, JointRow<F>* rows) {
    six_dof_rows(pose, shape, rows);
    if ((shape.locked & 7) == 7) point_rows(pose, rows);
    if (shape.locked_turns() != 3) return;
    const Mat3<F>&a = pose.axes_a, &b = pose.axes_b;
    const F trace = dot(a.cx, b.cx) + dot(a.cy, b.cy) + dot(a.cz, b.cz), half = F(0.5f);
    const Vec3<F> error = (cross(a.cx, b.cx) + cross(a.cy, b.cy) + cross(a.cz, b.cz)) * half;
    rows += shape.is_locked(0) + shape.is_locked(1) + shape.is_locked(2);
    for (int i = 0; i < 3; ++i) {
        const Vec3<F>& axis = a.column(i);
        const Vec3<F> turned =
            a.cx * dot(axis, b.cx) + a.cy * dot(axis, b.cy) + a.cz * dot(axis, b.cz);
        rows[i] = turn_row((axis * trace - turned) * half, dot(axis, error));
    }
}

} // namespace rigor
