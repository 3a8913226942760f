// Anchors of friction that follow the contact, and friction that turns with both bodies.
//
// Always inlined into the kernels, which choose the instruction set.
#pragma once

#include "fast/contact_lanes.h"

namespace rigor::fast {

/// The rotation that two bodies share: the slower of two rates of the same sense.
template <int W>
RIGOR_INLINE Lanes<W> common_spin(Lanes<W> a, Lanes<W> b) {
    const Lanes<W> zero = 0.0f;
    return max(zero, min(a, b)) + min(zero, max(a, b));
}

/// Turns the friction of the last substep, with which the next one begins, by a small angle with
/// both bodies. Otherwise it would lag behind and push forward a body that goes round.
template <int W>
RIGOR_INLINE void turn_friction(ContactBlock<W>& block, Lanes<W> angle) {
    using F = Lanes<W>;
    if (block.is_anisotropic) {
        const F scale = read<W>(block.surface->inv_tangent_scale), one = 1.0f, zero = 0.0f;
        angle = select(scale > one, zero, select(one > scale, zero, angle));
    }
    const F cosine = F(1.0f) - F(0.5f) * angle * angle;
    const F f_1 = read<W>(block.friction_1), f_2 = read<W>(block.friction_2);
    write<W>(block.friction_1, cosine * f_1 - angle * f_2);
    write<W>(block.friction_2, cosine * f_2 + angle * f_1);
}

template <int W>
RIGOR_INLINE void move_friction_anchors_block(ContactBlock<W>& block, const SolverBody* bodies,
                                              Lanes<W> moved_for, Lanes<W> turned_for) {
    using F = Lanes<W>;
    const LaneVelocity<W> a = gather_velocity<W>(bodies, block.body_a);
    const LaneVelocity<W> b = gather_velocity<W>(bodies, block.body_b);
    const LaneVec<W> n = read_vector<W>(block.normal);
    const F share = read<W>(block.carrier_share), zero = 0.0f;
    const auto stays = zero > share;
    const F time = select(stays, zero, moved_for);
    const LaneVec<W> contact = a.v * (F(1.0f) - share) + b.v * share +
                               cross(a.w, read_vector<W>(block.carrier_a)) +
                               cross(b.w, read_vector<W>(block.carrier_b));
    const auto move = [&](std::array<Column<W>, 3>& column, const LaneVelocity<W>& body) {
        const LaneVec<W> anchor = read_vector<W>(column), turn = cross(body.w, anchor);
        const LaneVec<W> along = contact - body.v - turn;
        write_vector<W>(column, anchor + (turn + along - n * dot(n, along)) * time);
    };
    move(block.friction_anchor_a, a);
    move(block.friction_anchor_b, b);
    turn_friction<W>(block,
                     common_spin<W>(dot(n, a.w), dot(n, b.w)) * select(stays, zero, turned_for));
}

} // namespace rigor::fast
