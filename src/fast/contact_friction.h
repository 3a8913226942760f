// Friction of W contact constraints in lanes: sliding, torsion and rolling.
#pragma once

#include <algorithm>

#include "fast/contact_lanes.h"

namespace rigor::fast {

/// The coefficient of friction that acts: static while a lane sticks, kinetic while it slides.
template <int W>
RIGOR_INLINE Lanes<W> acting_friction(const ContactBlock<W>& block) {
    const Lanes<W> friction = read<W>(block.friction);
    if (!block.sticks_and_slides) return friction;
    const SurfaceBlock<W>& surface = *block.surface;
    return select(read<W>(surface.slides) > Lanes<W>(0.5f), read<W>(surface.kinetic_friction),
                  friction);
}

/// A lane that needs more than static friction slides, and one that kinetic friction can hold
/// sticks. `exceeds` is 1 where the impulse wanted is beyond what acts. While the load of a contact
/// still builds up nothing begins to slide. Returns the coefficient that acts from now on.
template <int W>
RIGOR_INLINE Lanes<W> update_slides(ContactBlock<W>& block, Lanes<W> exceeds, Lanes<W> load,
                                    typename Lanes<W>::Mask mask) {
    using F = Lanes<W>;
    SurfaceBlock<W>& surface = *block.surface;
    const F old = read<W>(surface.slides);
    const F loaded = select(load > F(2.0f) * read<W>(surface.warm_load), old, F(1.0f));
    write<W>(surface.slides, select(mask, exceeds * loaded, old));
    return acting_friction<W>(block);
}

/// Whether any lane is 1, not 0.
template <int W>
RIGOR_INLINE bool any_lane(Lanes<W> ones) {
    Column<W> lanes;
    write<W>(lanes, ones);
    return std::any_of(lanes.begin(), lanes.end(), [](float x) { return x > 0.5f; });
}

/// Friction of a manifold: an impulse in the plane, and a twist about the normal.
template <int W>
struct LaneFriction {
    Lanes<W> impulse_1, impulse_2, twist;
};

/// What bounds it: a twist that would hold, the sum of the loads of the points, that of loads times
/// lever arms, the coefficient that acts, and the twist that torsion can hold.
template <int W>
struct FrictionBounds {
    Lanes<W> wanted_twist, load, leverage, friction, torsion;
};

/// Twist of a manifold without what torsion can hold of it.
template <int W>
RIGOR_INLINE Lanes<W> twist_beyond(Lanes<W> twist, Lanes<W> torsion) {
    const Lanes<W> zero = 0.0f;
    return select(zero > twist, min(twist + torsion, zero), max(twist - torsion, zero));
}

/// Whether friction in the plane and a twist by friction are more than points can give together:
/// outside of the ellipsoid [Howe 1996] of a ring with their mean lever arm. 1, else 0.
template <int W>
RIGOR_INLINE Lanes<W> is_beyond_ellipsoid(const LaneFriction<W>& f, Lanes<W> max_impulse,
                                          Lanes<W> max_twist, Lanes<W> torsion) {
    using F = Lanes<W>;
    const F zero = 0.0f, squared = max_impulse * max_impulse;
    const F turn = twist_beyond<W>(f.twist, torsion) * inverse_or_zero<W>(max_twist) * max_impulse;
    const F length = f.impulse_1 * f.impulse_1 + f.impulse_2 * f.impulse_2 + turn * turn;
    return select(max_twist > zero, select(length > squared, F(1.0f), zero), zero);
}

/// Friction of a manifold that slides and twists at once: each point has the friction of its own
/// load against its own slip. As one, a body that slides would twist as if it stuck: a puck that
/// spins slid no further than one that does not. Slow slip is that without the old friction, so
/// that one step from there is implicit; torsion is what the twist has beside the points.
template <int W>
RIGOR_INLINE LaneFriction<W> friction_of_points(const ContactBlock<W>& block,
                                                const PointBlock<W>* points, const LaneVec<W>& n,
                                                const LaneFriction<W>& old,
                                                const LaneFriction<W>& slip,
                                                const FrictionBounds<W>& bounds) {
    using F = Lanes<W>;
    const F load = bounds.load, friction = bounds.friction, torsion = bounds.torsion;
    const F zero = 0.0f, tiny = 1e-30f;
    const auto [t, s] = tangents_of<W>(block, n);
    const F inv_load = inverse_or_zero<W>(load);
    F squared_arm = zero, there = zero;
    LaneVec<W> middle{zero, zero, zero};
    for (int k = 0; k < block.point_count; ++k) {
        const F arm = read<W>(points[k].lever_arm),
                one = select(read<W>(points[k].mass) > zero, F(1.0f), zero);
        squared_arm = squared_arm + read<W>(points[k].impulse) * inv_load * arm * arm;
        there = there + one;
        middle = middle + read_vector<W>(points[k].anchor_a) * one;
    }
    // Where friction acts among the points: its anchors move during the step, those do not.
    const LaneVec<W> center =
        middle * inverse_or_zero<W>(there) + read_vector<W>(block.load_center);
    const F mass = min(read<W>(block.tangent_mass[0]), read<W>(block.tangent_mass[1]));
    const F k11 = read<W>(block.tangent_mass[0]), k22 = read<W>(block.tangent_mass[1]),
            k12 = read<W>(block.tangent_mass[2]);
    const F per_det = inverse_or_zero<W>(k11 * k22 - k12 * k12);
    // Where it slides faster than the friction of a substep could stop, the slip is as it is.
    const F stopped = friction * load * inverse_or_zero<W>(mass);
    const F speed_squared = slip.impulse_1 * slip.impulse_1 + slip.impulse_2 * slip.impulse_2 +
                            squared_arm * slip.twist * slip.twist;
    const F slow = select(speed_squared > stopped * stopped, zero, F(1.0f));
    const F slip_1 = slip.impulse_1 - slow * (k22 * old.impulse_1 - k12 * old.impulse_2) * per_det,
            slip_2 = slip.impulse_2 - slow * (k11 * old.impulse_2 - k12 * old.impulse_1) * per_det,
            spin = slip.twist - slow * twist_beyond<W>(old.twist, torsion) *
                                    inverse_or_zero<W>(read<W>(block.twist_mass));
    LaneFriction<W> sum{zero, zero, zero};
    for (int k = 0; k < block.point_count; ++k) {
        const LaneVec<W> turning = cross(n, read_vector<W>(points[k].anchor_a) - center);
        const F u_1 = slip_1 + spin * dot(turning, t), u_2 = slip_2 + spin * dot(turning, s);
        const F speed = sqrt(u_1 * u_1 + u_2 * u_2);
        const F gain =
            read<W>(points[k].impulse) * min(mass * inv_load, friction / max(speed, tiny));
        sum.impulse_1 = sum.impulse_1 - gain * u_1;
        sum.impulse_2 = sum.impulse_2 - gain * u_2;
        sum.twist = sum.twist - gain * (u_1 * dot(turning, t) + u_2 * dot(turning, s));
    }
    sum.twist = sum.twist + max(-torsion, min(bounds.wanted_twist - sum.twist, torsion));
    return sum;
}

/// Sliding and twisting share the friction of bodies that spin about the normal. For those that
/// slide alone or tumble the friction of points was less accurate: they keep what was `found`.
template <int W>
RIGOR_INLINE LaneFriction<W> share_friction(const ContactBlock<W>& block,
                                            const PointBlock<W>* points, const BodyPair<W>& pair,
                                            const LaneVec<W>& n, const LaneFriction<W>& old,
                                            const LaneFriction<W>& slip,
                                            const LaneFriction<W>& found,
                                            const FrictionBounds<W>& bounds) {
    using F = Lanes<W>;
    const LaneVec<W> turning = pair.b.w - pair.a.w;
    const F spins = slip.twist * slip.twist,
            arm = bounds.leverage * inverse_or_zero<W>(bounds.load);
    const F sliding = slip.impulse_1 * slip.impulse_1 + slip.impulse_2 * slip.impulse_2;
    const F shares =
        select(F(2.0f) * spins > dot(turning, turning),
               select(F(100.0f) * arm * arm * spins > sliding, F(1.0f), F(0.0f)), F(0.0f));
    const F beyond =
        shares * is_beyond_ellipsoid<W>(found, bounds.friction * bounds.load,
                                        bounds.friction * bounds.leverage, bounds.torsion);
    if (!any_lane<W>(beyond)) return found;
    const auto slides = beyond > F(0.5f);
    const LaneFriction<W> shared = friction_of_points<W>(block, points, n, old, slip, bounds);
    return {select(slides, shared.impulse_1, found.impulse_1),
            select(slides, shared.impulse_2, found.impulse_2),
            select(slides, shared.twist, found.twist)};
}

/// Friction of the whole manifold, within the cone that the normal impulses span. Lanes outside the
/// mask keep their impulses.
template <int W>
RIGOR_INLINE void solve_friction(ContactBlock<W>& block, const PointBlock<W>* points,
                                 BodyPair<W>& pair, const LaneVec<W>& n,
                                 typename Lanes<W>::Mask mask) {
    using F = Lanes<W>;
    const auto [t, s] = tangents_of<W>(block, n);
    const LaneVec<W> friction_anchor_a = read_vector<W>(block.friction_anchor_a),
                     friction_anchor_b = read_vector<W>(block.friction_anchor_b);
    F friction = acting_friction<W>(block);
    F load = 0.0f, leverage = 0.0f;
    for (int k = 0; k < block.point_count; ++k) {
        const PointBlock<W>& point = points[k];
        const F impulse = read<W>(point.impulse);
        load = load + impulse;
        leverage = leverage + impulse * read<W>(point.lever_arm);
    }
    const auto slip_now = [&] {
        const LaneVec<W> slip = pair.relative_velocity(friction_anchor_a, friction_anchor_b);
        return LaneFriction<W>{dot(slip, t) - read<W>(block.surface_velocity_1),
                               dot(slip, s) - read<W>(block.surface_velocity_2),
                               dot(n, pair.b.w - pair.a.w)};
    };
    const LaneFriction<W> slip = slip_now();
    // About the normal.
    const F torsion = read<W>(block.torsion) * load;
    const F twist = read<W>(block.twist), max_twist = friction * leverage + torsion;
    const F wanted_twist = twist - read<W>(block.twist_mass) * slip.twist;
    const F new_twist = select(mask, max(-max_twist, min(wanted_twist, max_twist)), twist);
    pair.apply_angular_impulse(n * (new_twist - twist));
    // In the plane: both directions at once, then clamped to the cone.
    const LaneFriction<W> after = slip_now();
    const F k11 = read<W>(block.tangent_mass[0]), k22 = read<W>(block.tangent_mass[1]),
            k12 = read<W>(block.tangent_mass[2]);
    const F old_1 = read<W>(block.friction_1), old_2 = read<W>(block.friction_2);
    F new_1 = old_1 - (k11 * after.impulse_1 + k12 * after.impulse_2);
    F new_2 = old_2 - (k12 * after.impulse_1 + k22 * after.impulse_2);
    const F squared = new_1 * new_1 + new_2 * new_2;
    if (block.sticks_and_slides) {
        const F one = 1.0f, zero = 0.0f, limit = friction * load;
        const F twists =
            select(wanted_twist > max_twist, one, select(-wanted_twist > max_twist, one, zero));
        friction =
            update_slides<W>(block, select(squared > limit * limit, one, twists), load, mask);
    }
    const F max_impulse = friction * load;
    const F scale = select(squared > max_impulse * max_impulse,
                           max_impulse / sqrt(max(squared, F(1e-30f))), F(1.0f));
    LaneFriction<W> found{new_1 * scale, new_2 * scale, new_twist};
    found = share_friction<W>(block, points, pair, n, {old_1, old_2, twist}, slip, found,
                              {wanted_twist, load, leverage, friction, torsion});
    new_1 = select(mask, found.impulse_1, old_1);
    new_2 = select(mask, found.impulse_2, old_2);
    const F shared_twist = select(mask, found.twist, twist);
    write<W>(block.friction_1, new_1);
    write<W>(block.friction_2, new_2);
    write<W>(block.twist, shared_twist);
    pair.apply_angular_impulse(n * (shared_twist - new_twist));
    pair.apply_impulse(t * (new_1 - old_1) + s * (new_2 - old_2), friction_anchor_a,
                       friction_anchor_b);
}

/// Rolling resistance: against rotation about the tangents, by no more than a length times the
/// load.
template <int W>
RIGOR_INLINE void solve_rolling(ContactBlock<W>& block, const PointBlock<W>* points,
                                BodyPair<W>& pair, const LaneVec<W>& n) {
    using F = Lanes<W>;
    SurfaceBlock<W>& surface = *block.surface;
    const auto [t, s] = rolling_axes<W>(block, n);
    F load = 0.0f;
    for (int k = 0; k < block.point_count; ++k) load = load + read<W>(points[k].impulse);
    const LaneVec<W> turning = pair.b.w - pair.a.w;
    const F mass = read<W>(surface.rolling_mass), max_impulse = read<W>(surface.rolling) * load;
    const F old_1 = read<W>(surface.rolling_1), old_2 = read<W>(surface.rolling_2);
    F new_1 = old_1 - mass * dot(turning, t), new_2 = old_2 - mass * dot(turning, s);
    const F squared = new_1 * new_1 + new_2 * new_2;
    const F scale = select(squared > max_impulse * max_impulse,
                           max_impulse / sqrt(max(squared, F(1e-30f))), F(1.0f));
    new_1 = new_1 * scale;
    new_2 = new_2 * scale;
    write<W>(surface.rolling_1, new_1);
    write<W>(surface.rolling_2, new_2);
    pair.apply_angular_impulse(t * (new_1 - old_1) + s * (new_2 - old_2));
}

/// The work of the rolling resistance of a substep, and the rates of rolling at its end.
template <int W>
RIGOR_INLINE Lanes<W> accumulate_rolling_work(SurfaceBlock<W>& surface, const LaneTangents<W>& axes,
                                              const BodyPair<W>& pair) {
    using F = Lanes<W>;
    const LaneVec<W> turning = pair.b.w - pair.a.w;
    const F rate_1 = dot(turning, axes.t), rate_2 = dot(turning, axes.s);
    const F work = read<W>(surface.rolling_1) * (read<W>(surface.rolling_rate_1) + rate_1) +
                   read<W>(surface.rolling_2) * (read<W>(surface.rolling_rate_2) + rate_2);
    write<W>(surface.rolling_rate_1, rate_1);
    write<W>(surface.rolling_rate_2, rate_2);
    return F(0.5f) * work;
}

} // namespace rigor::fast
