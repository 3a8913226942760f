// Friction of W contact constraints in lanes: sliding, torsion and rolling.
#pragma once

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
    // About the normal.
    const F twist = read<W>(block.twist),
            max_twist = friction * leverage + read<W>(block.torsion) * load;
    const F spin = dot(n, pair.b.w - pair.a.w);
    const F wanted_twist = twist - read<W>(block.twist_mass) * spin;
    const F new_twist = select(mask, max(-max_twist, min(wanted_twist, max_twist)), twist);
    write<W>(block.twist, new_twist);
    pair.apply_angular_impulse(n * (new_twist - twist));
    // In the plane: both directions at once, then clamped to the cone.
    const LaneVec<W> slip = pair.relative_velocity(friction_anchor_a, friction_anchor_b);
    const F slip_1 = dot(slip, t) - read<W>(block.surface_velocity_1);
    const F slip_2 = dot(slip, s) - read<W>(block.surface_velocity_2);
    const F k11 = read<W>(block.tangent_mass[0]), k22 = read<W>(block.tangent_mass[1]),
            k12 = read<W>(block.tangent_mass[2]);
    const F old_1 = read<W>(block.friction_1), old_2 = read<W>(block.friction_2);
    F new_1 = old_1 - (k11 * slip_1 + k12 * slip_2);
    F new_2 = old_2 - (k12 * slip_1 + k22 * slip_2);
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
    new_1 = select(mask, new_1 * scale, old_1);
    new_2 = select(mask, new_2 * scale, old_2);
    write<W>(block.friction_1, new_1);
    write<W>(block.friction_2, new_2);
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
