// Friction of W contact constraints in lanes: sliding, torsion and rolling.
#pragma once

#include <algorithm>

#include "fast/contact_lanes.h"
#include "fast/point_friction.h"

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

/// Whether a manifold slides or twists, or nearly: outside of an ellipsoid [Howe 1996] that is
/// within what a ring of points with their mean lever arm can hold. Balls, of one mass in all
/// directions and one point, slide against their slip as it is. 1, else 0.
template <int W>
RIGOR_INLINE Lanes<W> needs_points(const ContactBlock<W>& block, const LaneFriction<W>& f,
                                   const LaneFriction<W>& slip, const FrictionBounds<W>& bounds) {
    using F = Lanes<W>;
    constexpr float kHeld = 0.99f, kEqual = 1e-3f;
    const F zero = 0.0f, one = 1.0f, torsion = bounds.torsion;
    const F max_impulse = bounds.friction * bounds.load,
            max_twist = bounds.friction * bounds.leverage;
    const F by_points =
        select(zero > f.twist, min(f.twist + torsion, zero), max(f.twist - torsion, zero));
    const F turn = by_points * inverse_or_zero<W>(max_twist) * max_impulse;
    const F length = f.impulse_1 * f.impulse_1 + f.impulse_2 * f.impulse_2 + turn * turn;
    const F k11 = read<W>(block.tangent_mass[0]), k22 = read<W>(block.tangent_mass[1]),
            k12 = read<W>(block.tangent_mass[2]);
    const F uneven = max(max(k12, -k12), max(k11 - k22, k22 - k11));
    const F differs =
        select(max_twist + torsion > zero, one, select(uneven > F(kEqual) * k11, one, zero));
    const F mass = min(k11, k22),
            rim = slip.twist * bounds.leverage * inverse_or_zero<W>(bounds.load);
    const F speed = slip.impulse_1 * slip.impulse_1 + slip.impulse_2 * slip.impulse_2 + rim * rim;
    const F squared = max_impulse * max_impulse;
    const F slides = select(speed * mass * mass > F(9.0f) * squared, differs, zero);
    return select(length > F(kHeld) * squared, slides, zero);
}

/// Sliding and twisting share the friction of a manifold; one that holds keeps what was `found`.
template <int W>
RIGOR_INLINE LaneFriction<W> share_friction(const ContactBlock<W>& block,
                                            const PointBlock<W>* points, const LaneVec<W>& n,
                                            const LaneFriction<W>& old, const LaneFriction<W>& slip,
                                            const LaneFriction<W>& found,
                                            const FrictionBounds<W>& bounds) {
    using F = Lanes<W>;
    const F needs =
        select(read<W>(block.hit) > F(0.0f), F(0.0f), needs_points<W>(block, found, slip, bounds));
    if (!any_lane<W>(needs)) return found;
    const auto slides = needs > F(0.5f);
    const LaneFriction<W> shared = PointFriction<W>(block, points, n, bounds).solve(slip, old);
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
    found = share_friction<W>(block, points, n, {old_1, old_2, twist}, slip, found,
                              {load, leverage, friction, torsion});
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
