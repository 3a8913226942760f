// Friction anchors: friction acts where the contact or its load is, and turns with both bodies.
//
// Always inlined into the kernels, which choose the instruction set.
#pragma once

#include "fast/friction_masses.h"

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

/// Moves the friction of lanes that follow the load to its center: where a body tumbles, most
/// points of a manifold carry nothing.
template <int W>
RIGOR_INLINE void move_friction_to_load(ContactBlock<W>& block, PointBlock<W>* points,
                                        const LaneVec<W>& n) {
    using F = Lanes<W>;
    const F zero = 0.0f;
    F load = zero, there = zero;
    LaneVec<W> sum{zero, zero, zero}, loads{zero, zero, zero};
    for (int k = 0; k < block.point_count; ++k) {
        const LaneVec<W> anchor = read_vector<W>(points[k].anchor_a);
        const F impulse = read<W>(points[k].impulse),
                one = select(read<W>(points[k].mass) > zero, F(1.0f), zero);
        load = load + impulse;
        loads = loads + anchor * impulse;
        there = there + one;
        sum = sum + anchor * one;
    }
    const auto follows = select(load > zero, read<W>(block.friction_follows_load), zero) > zero;
    const LaneVec<W> center = loads * inverse_or_zero<W>(load);
    const LaneVec<W> offset = center - sum * inverse_or_zero<W>(there);
    const LaneVec<W> old = read_vector<W>(block.load_center);
    const LaneVec<W> now{select(follows, offset.x, old.x), select(follows, offset.y, old.y),
                         select(follows, offset.z, old.z)};
    write_vector<W>(block.load_center, now);
    const auto move = [&](std::array<Column<W>, 3>& column) {
        write_vector<W>(column, read_vector<W>(column) + (now - old));
    };
    move(block.friction_anchor_a);
    move(block.friction_anchor_b);
    for (int k = 0; k < block.point_count; ++k) {
        const LaneVec<W> off = read_vector<W>(points[k].anchor_a) - center;
        const F one = select(read<W>(points[k].mass) > zero, F(1.0f), zero);
        write<W>(points[k].lever_arm,
                 select(follows, lever_arm<W>(block, n, off) * one, read<W>(points[k].lever_arm)));
    }
    prepare_friction<W>(block, n);
}

} // namespace rigor::fast
