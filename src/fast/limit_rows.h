// Joint limits as inequality rows of a system, solved together with its joints.
//
// A rope that swings on its limit is a rod as long as it pulls. So a limit that acts is a row like
// any other, with halves of its impulse before and after the motion, and fits where the velocities
// lead; which limits act is found by an active set: a limit acts while it pushes, and from when its
// coordinate would pass it. Solved one by one and softly, ropes got longer as they swung, and had
// up to 38 times their energy.
//
// Always inlined into the kernels, which choose the instruction set.
#pragma once

#include "fast/joint_kernels.h"
#include "fast/joint_lanes.h"

namespace rigor::fast {

/// What a coordinate is measured by: itself, or the cosine and sine of an angle, of any length.
template <int W>
struct LimitPlace {
    Lanes<W> x = 0.0f, y = 0.0f;
    bool is_angle = false, turns = false; ///< turns: whether the coordinate is in rad
};

/// atan(t)/t as a function of z = t²: to 1e-8 for t < 0.3, 1e-3 for t = 1.
template <int W>
RIGOR_INLINE Lanes<W> arctangent_quotient(Lanes<W> z) {
    using F = Lanes<W>;
    return (F(105.0f) + F(55.0f) * z) / (F(105.0f) + z * (F(90.0f) + F(9.0f) * z));
}

/// How far a coordinate went between two places.
template <int W>
RIGOR_INLINE Lanes<W> way_between(const LimitPlace<W>& from, const LimitPlace<W>& to) {
    using F = Lanes<W>;
    if (!to.is_angle) return to.x - from.x;
    const F cosine = from.x * to.x + from.y * to.y, sine = from.x * to.y - from.y * to.x;
    const F sum = sqrt(cosine * cosine + sine * sine) + cosine; // never far beyond half a turn
    const F t = sine / max(sum, F(1e-6f));
    return F(2.0f) * t * arctangent_quotient<W>(t * t);
}

/// The twist about axis i of the frames, in the swing-twist decomposition.
template <int W>
RIGOR_INLINE LimitPlace<W> twist_place(const JointPose<Lanes<W>>& pose, int i) {
    const auto &a = pose.axes_a, &b = pose.axes_b;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    return {dot(a.column(j), b.column(j)) + dot(a.column(k), b.column(k)),
            dot(a.column(k), b.column(j)) - dot(a.column(j), b.column(k)), true, true};
}

/// The rotation vector of b relative to a, in the world: dynamics/joints/rotation_vector.h. With
/// z = tan²(t/4) all of it is rational.
template <int W>
struct LaneRotationVector {
    using F = Lanes<W>;

    RIGOR_INLINE explicit LaneRotationVector(const JointPose<F>& pose) {
        const auto &a = pose.axes_a, &b = pose.axes_b;
        const F trace = dot(a.cx, b.cx) + dot(a.cy, b.cy) + dot(a.cz, b.cz);
        const F w = F(0.5f) * sqrt(max(F(1.0f) + trace, F(1e-6f)));
        const LaneVec<W> v =
            (cross(a.cx, b.cx) + cross(a.cy, b.cy) + cross(a.cz, b.cz)) * (F(0.25f) / w);
        const F squared_sine = dot(v, v), z = squared_sine / ((F(1.0f) + w) * (F(1.0f) + w));
        const F stretch = arctangent_quotient<W>(z) * (F(1.0f) + z); // (t/2) / sin(t/2)
        p = v * (F(2.0f) * stretch);
        const F squared = dot(p, p), small = F(1e-3f);
        c = select(squared > small, (F(1.0f) - stretch * w) / max(squared, small), F(1.0f / 12));
    }
    /// The gradient of its component along axis, one of a.
    RIGOR_INLINE LaneVec<W> gradient(const LaneVec<W>& axis) const {
        const LaneVec<W> across = cross(p, axis);
        return axis + across * F(0.5f) + cross(p, across) * c;
    }
    LaneVec<W> p;
    F c;
};

template <int W>
RIGOR_INLINE void six_dof_places(const JointPose<Lanes<W>>& pose, const SixDofShape& shape,
                                 LimitPlace<W>* places) {
    const auto& a = pose.axes_a;
    for (int i = 0; i < 3; ++i)
        if (shape.is_bounded(i)) *places++ = {dot(a.column(i), pose.gap), Lanes<W>(0.0f)};
    const LaneRotationVector<W> turn(pose);
    for (int i = 0; i < 3; ++i) {
        if (!shape.is_bounded(3 + i)) continue;
        *places++ = shape.locked_turns() == 2
                        ? twist_place<W>(pose, i)
                        : LimitPlace<W>{dot(a.column(i), turn.p), Lanes<W>(0.0f), false, true};
    }
}

/// Of all degrees of freedom, in the order of their rows.
template <int W>
RIGOR_INLINE void limit_places(const JointPose<Lanes<W>>& pose, const JointBlock<W>& block,
                               LimitPlace<W>* places) {
    using F = Lanes<W>;
    const auto &a = pose.axes_a, &b = pose.axes_b;
    switch (block.layout.type) {
        case JointType::hinge:
            places[0] = twist_place<W>(pose, 0);
            return;
        case JointType::slider:
            places[0] = {dot(a.cx, pose.gap), F(0.0f)};
            return;
        case JointType::distance:
            places[0] = {sqrt(dot(pose.gap, pose.gap)), F(0.0f)};
            return;
        case JointType::cone_twist: {
            const LaneVec<W> between = cross(a.cx, b.cx);
            places[0] = {dot(a.cx, b.cx), sqrt(dot(between, between)), true, true};
            places[1] = twist_place<W>(pose, 0);
            return;
        }
        default:
            return six_dof_places<W>(pose, block.layout.six_dof, places);
    }
}

/// The rows of a six-dof joint about several free axes are those of its rotation vector: about the
/// axes of a alone they would be far from what the coordinates do.
template <int W>
RIGOR_INLINE void set_rotation_rows(const JointPose<Lanes<W>>& pose, const JointBlock<W>& block,
                                    JointRow<Lanes<W>>* rows) {
    const SixDofShape& shape = block.layout.six_dof;
    if (block.layout.type != JointType::six_dof || shape.locked_turns() == 2) return;
    const LaneRotationVector<W> turn(pose);
    rows += block.layout.equality_rows;
    for (int i = 0; i < 6; ++i) {
        if (!shape.is_bounded(i)) continue;
        if (i >= 3) *rows = turn_row(turn.gradient(pose.axes_a.column(i - 3)));
        ++rows;
    }
}

/// A coordinate at a place. Changes from substep to substep would be lost in the last digits of a
/// float, by which ropes got longer.
template <int W>
RIGOR_INLINE Lanes<W> coordinate_at(const LimitPlace<W>& place,
                                    const typename JointBlock<W>::Dof& f) {
    const LimitPlace<W> start{read<W>(f.place_x), read<W>(f.place_y)};
    return read<W>(f.start) + way_between<W>(start, place);
}

/// Coordinates where the bodies are now.
template <int W>
RIGOR_INLINE void update_coordinates(const JointPose<Lanes<W>>& pose, bool has_moved,
                                     JointBlock<W>& block) {
    LimitPlace<W> now[6];
    limit_places<W>(pose, block, now);
    for (std::size_t i = 0; i < block.layout.dofs; ++i) {
        auto& f = block.dofs[i];
        if (has_moved) {
            write<W>(f.coordinate, coordinate_at<W>(now[i], f));
        } else {
            write<W>(f.place_x, now[i].x);
            write<W>(f.place_y, now[i].y);
        }
    }
}

/// How far x is beyond the limits that a coordinate may not pass: those of the range, or as far
/// beyond as `now` will be left. Negative below the lower, positive above the upper.
template <int W>
struct LimitBounds {
    using F = Lanes<W>;
    RIGOR_INLINE LimitBounds(const typename JointBlock<W>::Dof& f, F correction, F most) {
        const F now = read<W>(f.coordinate), zero = 0.0f;
        lower = read<W>(f.lower_limit);
        upper = read<W>(f.upper_limit);
        const F below = min(now - lower, zero), above = max(now - upper, zero);
        lower = lower + (below - max(below * correction, -most));
        upper = upper + (above - min(above * correction, most));
    }
    F lower, upper;
};

/// Which limit acts: that which pushes, else the one that would be passed by more than `least`.
/// `given` is the impulse that it may take back.
template <int W>
RIGOR_INLINE Lanes<W> side_of(Lanes<W> given, Lanes<W> below, Lanes<W> above, Lanes<W> least) {
    using F = Lanes<W>;
    const F zero = 0.0f, one = 1.0f;
    const F passed = select(-below > least, one, select(above > least, -one, zero));
    return select(given > zero, one, select(-given > zero, -one, passed));
}

/// m or rad: how near a coordinate is to a limit at which it is.
inline constexpr float kNearLimit = 1e-5f;

/// The impulse of limit i that may be taken back. If forces act by halves, after the motion the
/// first half may not: but that of a limit that was passed, which has set the bodies in motion.
template <int W>
RIGOR_INLINE Lanes<W> open_impulse(const JointBlock<W>& block, std::size_t i,
                                   const JointSolveSettings& settings) {
    using F = Lanes<W>;
    constexpr float kRoundoff = 1e-6f;
    const auto& row = block.rows[block.layout.equality_rows + i];
    const auto& f = block.dofs[i];
    const F all = read<W>(row.impulse), x = read<W>(f.coordinate), zero = 0.0f;
    if (settings.use_bias || settings.is_held) return all;
    const F beyond = max(read<W>(f.lower_limit) - x, x - read<W>(f.upper_limit));
    const F half =
        select(F(0.75f) > read<W>(block.first_half_share), read<W>(row.second_half), zero);
    const F first = select(beyond > F(kNearLimit), zero, half), open = all - first;
    return select(open * open > F(kRoundoff * kRoundoff) * first * first, open, zero);
}

} // namespace rigor::fast
