// Restitution of W contact constraints in lanes, after the last substep.
//
// Each point is to separate at e times the speed at which it met (Newton's law). Where several
// points, or contacts, of a body act on each other this law alone may create energy: the speeds at
// which they met were those before any of them acted, and one sweep does not reach all targets at
// once. And it loses energy where the body has turned between the two. So the impulses of a contact
// are scaled until they obey Stronge's law as well: the work of restitution is e² times that of
// compression [Stronge 1990]. Both hold for a single point without friction, which is not changed.
#pragma once

#include <array>

#include "fast/contact_friction.h"
#include "fast/contact_kernels.h"

namespace rigor::fast {

constexpr float kMaxShare = 2; // of Newton's impulses
constexpr float kKept = 0.99f; // of the work of compression, at least

template <int W>
RIGOR_INLINE bool has_restitution(const ContactBlock<W>& block) {
    bool any = false;
    for (const float e : block.restitution) any |= e > 0;
    return any;
}

template <int W>
RIGOR_INLINE typename Lanes<W>::Mask turns_far(const BodyPair<W>& pair, float h) {
    const Lanes<W> limit = kMaxKnownTurn / h;
    return max(dot(pair.a.w, pair.a.w), dot(pair.b.w, pair.b.w)) > limit * limit;
}

/// Notes the speed at which points approach that have not met yet: bodies that turn, or that others
/// push, may meet faster than it seemed at the beginning of the step.
template <int W>
RIGOR_INLINE void update_impact_velocities(const ContactBlock<W>& block, PointBlock<W>* points,
                                           const BodyPair<W>& pair, float h) {
    using F = Lanes<W>;
    if (!has_restitution<W>(block)) return;
    const auto far = turns_far<W>(pair, h);
    for (int k = 0; k < block.point_count; ++k) {
        PointBlock<W>& point = points[k];
        const F old = read<W>(point.impact_velocity);
        const F now = select(far, old, min(old, read<W>(point.normal_velocity)));
        write<W>(point.impact_velocity, select(read<W>(point.max_impulse) > F(0.0f), old, now));
    }
}

/// Impulses that a contact adds, of all its points.
template <int W>
struct RestitutionImpulses {
    std::array<Lanes<W>, 4> added; ///< beyond those of compression
    Lanes<W> bounced = 0.0f;       ///< 1 in lanes that have any
    Lanes<W> first_order = 0.0f;   ///< part of their work: with the velocities before all of them
    Lanes<W> work = 0.0f;
};

/// Bounds of the work of compression, of kinetic and potential energy together. In a substep in
/// which an impulse J acts on a body, gravity changes its velocity by g h and its position by that
/// of the end, but the mean velocity is J/2m less: the ledger enters up to half of g h J too much
/// or too little. And free rotations between impulses keep energy not exactly: their errors may not
/// add up, so where Newton's law gives back less a small part is lost.
template <int W>
struct CompressionWork {
    RIGOR_INLINE CompressionWork(const ContactBlock<W>& block, const PointBlock<W>* points,
                                 float h) {
        using F = Lanes<W>;
        const F zero = 0.0f;
        F total = zero;
        for (int k = 0; k < block.point_count; ++k)
            total = total + read<W>(points[k].total_impulse);
        const F by_gravity = F(h) * max(-read<W>(block.relative_gravity), zero) * total;
        const F work = -read<W>(block.normal_work);
        most = max(work + F(0.25f) * by_gravity, zero);
        least = max(F(kKept) * work - by_gravity, zero);
    }
    Lanes<W> least, most;
};

/// The share s of the impulses whose work is e² times that of compression. Their work is
/// s first_order + s² second_order, where s = 1 gives `work`. Where surfaces still approach,
/// the first part of it ends the compression.
template <int W>
RIGOR_INLINE Lanes<W> energetic_share(const RestitutionImpulses<W>& impulses, Lanes<W> restitution,
                                      Lanes<W> compression) {
    using F = Lanes<W>;
    const F zero = 0.0f, two = 2.0f, four = 4.0f, tiny = 1e-30f, first = impulses.first_order;
    const F second = max(impulses.work - first, zero);
    const F rest = select(zero > first, first * first / max(four * second, tiny), zero);
    const F work = restitution * restitution * (compression + rest) - rest;
    const F root = sqrt(max(first * first + four * second * work, zero));
    // Of the two forms of the solution the one without cancellation.
    const F from_rest = two * max(work, zero) / max(first + root, tiny);
    const F approaching = (root - first) / max(two * second, tiny);
    return select(second > zero, select(zero > first, approaching, from_rest), F(1.0f));
}

/// 1, Newton's law, within what Stronge's law allows. Where bodies turn far in a substep that
/// is only an upper bound.
template <int W>
RIGOR_INLINE Lanes<W> allowed_share(const RestitutionImpulses<W>& impulses,
                                    const ContactBlock<W>& block,
                                    const CompressionWork<W>& compression,
                                    typename Lanes<W>::Mask turns_far) {
    using F = Lanes<W>;
    const F e = read<W>(block.restitution);
    // What other contacts of a body gave back already leaves small impulses, which mean little.
    const F most = min(energetic_share<W>(impulses, e, compression.most), F(kMaxShare));
    const F least = min(energetic_share<W>(impulses, e, compression.least), F(kMaxShare));
    return max(min(F(1.0f), most), select(turns_far, F(0.0f), least));
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

/// A contact that has bounced separates: with its impulses the next step would begin by throwing
/// the bodies, and one sweep does not take that back from all of them.
template <int W>
RIGOR_INLINE void forget_bounce(ContactBlock<W>& block, PointBlock<W>* points,
                                const RestitutionImpulses<W>& impulses) {
    using F = Lanes<W>;
    const F zero = 0.0f;
    F left = zero, load = zero;
    for (int k = 0; k < block.point_count; ++k) {
        PointBlock<W>& point = points[k];
        // A share of more than 1 of impulses that were taken back leaves one that pulls.
        const F impulse = max(read<W>(point.impulse), zero);
        const F kept = select(impulses.added[static_cast<std::size_t>(k)] > zero, zero, impulse);
        write<W>(point.impulse, kept);
        left = left + kept;
        load = load + impulse;
    }
    const F share = select(load > left, left / max(load, F(1e-30f)), F(1.0f));
    write<W>(block.friction_1, share * read<W>(block.friction_1));
    write<W>(block.friction_2, share * read<W>(block.friction_2));
    write<W>(block.twist, share * read<W>(block.twist));
}

template <int W>
RIGOR_INLINE void apply_restitution_block(ContactBlock<W>& block, PointBlock<W>* points,
                                          SolverBody* bodies, float h, float threshold) {
    if (!has_restitution<W>(block)) return;
    BodyPair<W> pair(block, bodies);
    const LaneVec<W> n = read_vector<W>(block.normal);
    BodyPair<W> tried(block, bodies);
    const RestitutionImpulses<W> impulses = newton_impulses<W>(block, points, n, threshold, tried);
    const Lanes<W> share = allowed_share<W>(impulses, block, CompressionWork<W>(block, points, h),
                                            turns_far<W>(pair, h));
    apply_normal_restitution<W>(block, points, n, share, impulses, pair);
    apply_restitution_friction<W>(block, points, n, impulses.bounced, pair);
    forget_bounce<W>(block, points, impulses);
    pair.write(bodies);
}

} // namespace rigor::fast
