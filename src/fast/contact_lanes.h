// The bodies of W contact constraints in lanes: velocities, impulses, effective masses, slip.
//
// Always inlined into the kernels, which choose the instruction set.
#pragma once

#include "fast/contact_block.h"
#include "fast/lane_gather.h"

namespace rigor::fast {

/// From the centers of mass of W pairs of bodies.
template <int W>
struct LaneAnchors {
    LaneVec<W> a, b;
};

/// The two pair of W manifolds, and what impulses do to them.
template <int W>
struct BodyPair {
    using F = Lanes<W>;

    RIGOR_INLINE BodyPair(const ContactBlock<W>& block, const SolverBody* bodies)
        : block_(block),
          a(gather_velocity<W>(bodies, block.body_a)),
          b(gather_velocity<W>(bodies, block.body_b)),
          inv_mass_a(read<W>(block.inv_mass_a)),
          inv_mass_b(read<W>(block.inv_mass_b)) {}

    RIGOR_INLINE LaneVec<W> relative_velocity(const LaneVec<W>& anchor_a,
                                              const LaneVec<W>& anchor_b) const {
        return b.v + cross(b.w, anchor_b) - a.v - cross(a.w, anchor_a);
    }
    RIGOR_INLINE void apply_impulse(const LaneVec<W>& impulse, const LaneVec<W>& anchor_a,
                                    const LaneVec<W>& anchor_b) {
        a.v = a.v - impulse * inv_mass_a;
        b.v = b.v + impulse * inv_mass_b;
        a.w = a.w - read_tensor<W>(block_.inv_inertia_a) * cross(anchor_a, impulse);
        b.w = b.w + read_tensor<W>(block_.inv_inertia_b) * cross(anchor_b, impulse);
    }
    RIGOR_INLINE void apply_angular_impulse(const LaneVec<W>& impulse) {
        a.w = a.w - read_tensor<W>(block_.inv_inertia_a) * impulse;
        b.w = b.w + read_tensor<W>(block_.inv_inertia_b) * impulse;
    }
    RIGOR_INLINE void write(SolverBody* bodies) const {
        scatter_velocity<W>(bodies, block_.body_a, a);
        scatter_velocity<W>(bodies, block_.body_b, b);
    }

    const ContactBlock<W>& block_;
    LaneVelocity<W> a, b;
    F inv_mass_a, inv_mass_b;
};

/// 0 where a body has infinite mass, else 1.
template <int W>
RIGOR_INLINE Lanes<W> has_finite_mass(Lanes<W> inv_mass, const Sym3<Lanes<W>>& inv_inertia) {
    const Lanes<W> zero = 0.0f, one = 1.0f;
    return select(inv_mass + inv_inertia.xx + inv_inertia.yy + inv_inertia.zz > zero, one, zero);
}

/// The pair as the ledger of friction sees it. The energy of the world changes by the work on
/// bodies with finite mass: a kinematic body that moves works on the other one, so its own velocity
/// counts as zero, in each substep, since what goes round with a turntable turns within a step.
template <int W>
RIGOR_INLINE BodyPair<W> without_drivers(BodyPair<W> pair) {
    const ContactBlock<W>& block = pair.block_;
    if (!block.is_driven) return pair;
    const Lanes<W> a = has_finite_mass<W>(pair.inv_mass_a, read_tensor<W>(block.inv_inertia_a)),
                   b = has_finite_mass<W>(pair.inv_mass_b, read_tensor<W>(block.inv_inertia_b));
    pair.a = {pair.a.v * a, pair.a.w * a};
    pair.b = {pair.b.v * b, pair.b.w * b};
    return pair;
}

/// u·K v, where K maps an impulse at these anchors to the change of relative velocity.
template <int W>
RIGOR_INLINE Lanes<W> inverse_effective_mass(const ContactBlock<W>& block,
                                             const LaneAnchors<W>& anchors, const LaneVec<W>& u,
                                             const LaneVec<W>& v) {
    const Sym3<Lanes<W>> a = read_tensor<W>(block.inv_inertia_a),
                         b = read_tensor<W>(block.inv_inertia_b);
    return (read<W>(block.inv_mass_a) + read<W>(block.inv_mass_b)) * dot(u, v) +
           dot(cross(anchors.a, u), a * cross(anchors.a, v)) +
           dot(cross(anchors.b, u), b * cross(anchors.b, v));
}
/// The same for angular impulses about u.
template <int W>
RIGOR_INLINE Lanes<W> inverse_effective_inertia(const ContactBlock<W>& block, const LaneVec<W>& u) {
    return dot(u, read_tensor<W>(block.inv_inertia_a) * u) +
           dot(u, read_tensor<W>(block.inv_inertia_b) * u);
}

template <int W>
RIGOR_INLINE Lanes<W> inverse_or_zero(Lanes<W> x) {
    const Lanes<W> zero = 0.0f, one = 1.0f;
    const auto positive = x > zero;
    return select(positive, one / select(positive, x, one), zero);
}

/// Tangents of friction. The first is scaled for anisotropic friction, so that impulses and
/// velocities along the two obey the isotropic law (model/friction_ellipse.h).
template <int W>
struct LaneTangents {
    LaneVec<W> t, s;
};
template <int W>
RIGOR_INLINE LaneTangents<W> tangents_of(const ContactBlock<W>& block, const LaneVec<W>& n) {
    const LaneVec<W> t = read_vector<W>(block.tangent);
    LaneVec<W> s = cross(n, t);
    if (block.is_anisotropic) s = s * read<W>(block.surface->inv_tangent_scale);
    return {t, s};
}
/// Unit tangents, about which bodies roll.
template <int W>
RIGOR_INLINE LaneTangents<W> rolling_axes(const ContactBlock<W>& block, const LaneVec<W>& n) {
    LaneTangents<W> axes = tangents_of<W>(block, n);
    if (block.is_anisotropic) axes.t = axes.t * read<W>(block.surface->inv_tangent_scale);
    return axes;
}

/// Relative velocity at the friction anchor, along the two tangents and about the normal.
template <int W>
struct Slip {
    Lanes<W> t, s, twist;
};
template <int W>
RIGOR_INLINE Slip<W> slip_of(const ContactBlock<W>& block, const BodyPair<W>& pair,
                             const LaneVec<W>& n) {
    const LaneTangents<W> along = tangents_of<W>(block, n);
    const LaneVec<W> v = pair.relative_velocity(read_vector<W>(block.friction_anchor_a),
                                                read_vector<W>(block.friction_anchor_b));
    return {dot(v, along.t), dot(v, along.s), dot(n, pair.b.w - pair.a.w)};
}
template <int W>
RIGOR_INLINE void write_slip(ContactBlock<W>& block, const Slip<W>& slip) {
    write<W>(block.slip_1, slip.t);
    write<W>(block.slip_2, slip.s);
    write<W>(block.slip_twist, slip.twist);
}

} // namespace rigor::fast
