// Effective masses of friction, and the lever arms of a manifold's points.
//
// Always inlined into the kernels, which choose the instruction set.
#pragma once

#include "fast/contact_lanes.h"

namespace rigor::fast {

/// With a grain, one mass for both tangents: the least, so that iterations converge. An impulse
/// that is clamped to the disc is then opposite to the slip along the scaled tangents, which is the
/// law. The inverse of the 2x2 matrix would cancel the scale, and give an impulse opposite to the
/// slip in space.
template <int W>
RIGOR_INLINE void use_one_tangent_mass(ContactBlock<W>& block, Lanes<W> k11, Lanes<W> k22,
                                       Lanes<W> k12) {
    using F = Lanes<W>;
    const F half = F(0.5f) * (k11 - k22), mean = F(0.5f) * (k11 + k22), one = 1.0f, zero = 0.0f;
    const F mass = inverse_or_zero<W>(mean + sqrt(half * half + k12 * k12));
    const F inv_scale = read<W>(block.surface->inv_tangent_scale);
    const auto choose = [&](Column<W>& column, F value) {
        const F old = read<W>(column);
        write<W>(column, select(inv_scale > one, value, select(one > inv_scale, value, old)));
    };
    choose(block.tangent_mass[0], mass);
    choose(block.tangent_mass[1], mass);
    choose(block.tangent_mass[2], zero);
}

template <int W>
RIGOR_INLINE void prepare_friction(ContactBlock<W>& block, const LaneVec<W>& n) {
    using F = Lanes<W>;
    const auto [t, s] = tangents_of<W>(block, n);
    const LaneAnchors<W> anchors{read_vector<W>(block.friction_anchor_a),
                                 read_vector<W>(block.friction_anchor_b)};
    const F k11 = inverse_effective_mass<W>(block, anchors, t, t),
            k22 = inverse_effective_mass<W>(block, anchors, s, s);
    const F k12 = inverse_effective_mass<W>(block, anchors, t, s);
    const F per_det = inverse_or_zero<W>(k11 * k22 - k12 * k12);
    write<W>(block.tangent_mass[0], k22 * per_det);
    write<W>(block.tangent_mass[1], k11 * per_det);
    write<W>(block.tangent_mass[2], -(k12 * per_det));
    if (block.is_anisotropic) use_one_tangent_mass<W>(block, k11, k22, k12);
    write<W>(block.twist_mass, inverse_or_zero<W>(inverse_effective_inertia<W>(block, n)));
    if (!block.rolls) return;
    const LaneTangents<W> axes = rolling_axes<W>(block, n);
    write<W>(block.surface->rolling_mass,
             inverse_or_zero<W>(max(inverse_effective_inertia<W>(block, axes.t),
                                    inverse_effective_inertia<W>(block, axes.s))));
}

/// Distance of a point from the middle, by which its friction resists a twist. With a
/// grain it is the speed of the point in the metric of the ellipse, at a unit rate of the twist.
template <int W>
RIGOR_INLINE Lanes<W> lever_arm(const ContactBlock<W>& block, const LaneVec<W>& n,
                                const LaneVec<W>& off) {
    using F = Lanes<W>;
    const F distance = sqrt(dot(off, off));
    if (!block.is_anisotropic) return distance;
    const auto [t, s] = tangents_of<W>(block, n);
    const LaneVec<W> u = cross(n, off);
    const F u_1 = dot(t, u), u_2 = dot(s, u);
    const F inv_scale = read<W>(block.surface->inv_tangent_scale), one = 1.0f;
    const F by_grain = sqrt(u_1 * u_1 + u_2 * u_2);
    return select(inv_scale > one, by_grain, select(one > inv_scale, by_grain, distance));
}

} // namespace rigor::fast
