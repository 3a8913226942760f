// Restitution of W contact constraints in lanes, after the last substep.
//
// Each point is to separate at e times the speed at which it met (Newton's law). Where several
// points, or contacts, of a body act on each other this law alone may create energy: the speeds at
// which they met were those before any of them acted, and one sweep does not reach all targets at
// once. So the impulses of a contact are scaled until they obey Stronge's law as well: the work of
// restitution is at most e² times that of compression [Stronge 1990]. Both hold for a single point
// without friction, which is not changed.
#pragma once

#include <array>

#include "fast/contact_friction.h"

namespace rigor::fast {

template <int W>
RIGOR_INLINE bool has_restitution(const ContactBlock<W>& block) {
    bool any = false;
    for (const float e : block.restitution) any |= e > 0;
    return any;
}

/// Impulses that a contact adds, of all its points.
template <int W>
struct RestitutionImpulses {
    std::array<Lanes<W>, 4> added; ///< beyond those of compression
    Lanes<W> bounced = 0.0f;       ///< 1 in lanes that have any
    Lanes<W> first_order = 0.0f;   ///< part of their work: with the velocities before all of them
    Lanes<W> work = 0.0f;
};

/// e² times the work of compression. Gravity acts until the surfaces meet, which the ledger
/// enters under its own name; within a substep this is at most what the impulse of the contact
/// would do against it.
template <int W>
RIGOR_INLINE Lanes<W> max_restitution_work(const ContactBlock<W>& block,
                                           const PointBlock<W>* points, float h) {
    using F = Lanes<W>;
    const F zero = 0.0f, e = read<W>(block.restitution);
    F total = zero;
    for (int k = 0; k < block.point_count; ++k) total = total + read<W>(points[k].total_impulse);
    const F by_gravity = F(h) * max(-read<W>(block.relative_gravity), zero) * total;
    return e * e * max(by_gravity - read<W>(block.normal_work), zero);
}

/// The share s of the impulses that does no more than that: s first_order + s² second_order, where
/// s = 1 gives `work`.
template <int W>
RIGOR_INLINE Lanes<W> allowed_share(const RestitutionImpulses<W>& impulses, Lanes<W> max_work) {
    using F = Lanes<W>;
    const F zero = 0.0f, one = 1.0f, two = 2.0f, first = impulses.first_order;
    const F second = max(impulses.work - first, zero);
    const F root = sqrt(first * first + F(4.0f) * second * max_work);
    const auto exceeds = impulses.work > max_work;
    // Of the two forms of the solution the one without cancellation.
    const F from_rest = two * max_work / select(exceeds, max(first + root, F(1e-30f)), one);
    const F approaching = (root - first) / select(exceeds, max(two * second, F(1e-30f)), one);
    return select(exceeds, min(select(zero > first, approaching, from_rest), one), one);
}

/// One sweep over the points towards Newton's law. Changes the velocities and no impulse yet.
template <int W>
RIGOR_INLINE RestitutionImpulses<W> newton_impulses(const ContactBlock<W>& block,
                                                    const PointBlock<W>* points,
                                                    const LaneVec<W>& n, float threshold,
                                                    BodyPair<W>& pair) {
    using F = Lanes<W>;
    const BodyPair<W> before = pair;
    const F restitution = read<W>(block.restitution), zero = 0.0f, one = 1.0f;
    RestitutionImpulses<W> result;
    for (int k = 0; k < block.point_count; ++k) {
        const PointBlock<W>& point = points[k];
        const F approach = read<W>(point.impact_velocity);
        const F fast = select(-approach > F(threshold), one, zero);
        const F pushed = select(read<W>(point.max_impulse) > zero, one, zero);
        const F active = fast * pushed * select(restitution > zero, one, zero);
        const LaneVec<W> anchor_a = read_vector<W>(point.anchor_a),
                         anchor_b = read_vector<W>(point.anchor_b);
        const F speed = dot(n, pair.relative_velocity(anchor_a, anchor_b));
        const F old = read<W>(point.impulse);
        const F wanted = old - read<W>(point.mass) * (speed + restitution * approach);
        const F added = select(active > zero, max(wanted, zero), old) - old;
        pair.apply_impulse(n * added, anchor_a, anchor_b);
        const F after = dot(n, pair.relative_velocity(anchor_a, anchor_b));
        result.work = result.work + F(0.5f) * added * (speed + after);
        result.first_order =
            result.first_order + added * dot(n, before.relative_velocity(anchor_a, anchor_b));
        result.bounced = max(result.bounced, active);
        result.added[static_cast<std::size_t>(k)] = added;
    }
    return result;
}

/// Scales the impulses to what Stronge's law allows, and adds them to those of the points.
template <int W>
RIGOR_INLINE void apply_normal_restitution(ContactBlock<W>& block, PointBlock<W>* points,
                                           const LaneVec<W>& n, Lanes<W> share,
                                           const RestitutionImpulses<W>& impulses,
                                           BodyPair<W>& pair) {
    using F = Lanes<W>;
    const F second = impulses.work - impulses.first_order;
    for (int k = 0; k < block.point_count; ++k) {
        PointBlock<W>& point = points[k];
        const F added = share * impulses.added[static_cast<std::size_t>(k)];
        write<W>(point.impulse, read<W>(point.impulse) + added);
        write<W>(point.total_impulse, read<W>(point.total_impulse) + added);
        pair.apply_impulse(n * added, read_vector<W>(point.anchor_a),
                           read_vector<W>(point.anchor_b));
    }
    write<W>(block.restitution_work, share * (impulses.first_order + share * second));
}

/// The restitution impulse also widens the friction cone.
template <int W>
RIGOR_INLINE void apply_restitution_friction(ContactBlock<W>& block, const PointBlock<W>* points,
                                             const LaneVec<W>& n, Lanes<W> bounced,
                                             BodyPair<W>& pair) {
    using F = Lanes<W>;
    const F old_1 = read<W>(block.friction_1), old_2 = read<W>(block.friction_2);
    const F old_twist = read<W>(block.twist);
    const Slip<W> before = slip_of<W>(block, without_drivers<W>(pair), n);
    solve_friction<W>(block, points, pair, n, bounced > F(0.0f));
    const Slip<W> after = slip_of<W>(block, without_drivers<W>(pair), n);
    const F d_1 = read<W>(block.friction_1) - old_1, d_2 = read<W>(block.friction_2) - old_2;
    const F d_twist = read<W>(block.twist) - old_twist;
    write<W>(block.total_friction_1, read<W>(block.total_friction_1) + d_1);
    write<W>(block.total_friction_2, read<W>(block.total_friction_2) + d_2);
    write<W>(block.friction_work,
             read<W>(block.friction_work) +
                 F(0.5f) * (d_1 * (before.t + after.t) + d_2 * (before.s + after.s) +
                            d_twist * (before.twist + after.twist)));
}

template <int W>
RIGOR_INLINE void apply_restitution_block(ContactBlock<W>& block, PointBlock<W>* points,
                                          SolverBody* bodies, float h, float threshold) {
    if (!has_restitution<W>(block)) return;
    BodyPair<W> pair(block, bodies);
    const LaneVec<W> n = read_vector<W>(block.normal);
    BodyPair<W> tried(block, bodies);
    const RestitutionImpulses<W> impulses = newton_impulses<W>(block, points, n, threshold, tried);
    const Lanes<W> share = allowed_share<W>(impulses, max_restitution_work<W>(block, points, h));
    apply_normal_restitution<W>(block, points, n, share, impulses, pair);
    apply_restitution_friction<W>(block, points, n, impulses.bounced, pair);
    pair.write(bodies);
}

} // namespace rigor::fast
