// Friction of a manifold that slides or twists, as the sum of that of its points.
//
// Always inlined into the kernels, which choose the instruction set.
#pragma once

#include "fast/contact_lanes.h"

namespace rigor::fast {

/// Friction of a manifold: an impulse in the plane, and a twist about the normal.
template <int W>
struct LaneFriction {
    Lanes<W> impulse_1, impulse_2, twist;
};

/// What bounds it: the sum of the loads of the points, that of loads times lever arms, the
/// coefficient that acts, and the twist that torsional friction can hold.
template <int W>
struct FrictionBounds {
    Lanes<W> load, leverage, friction, torsion;
};

/// The slip of the points of a manifold by that of the manifold (u_1, u_2, w), at the place where
/// friction acts: each point adds w times its lever arm.
template <int W>
struct PointSlip {
    Lanes<W> arm_1, arm_2; ///< n x r along the tangents

    RIGOR_INLINE Lanes<W> speed(const LaneFriction<W>& slip) const {
        const Lanes<W> u_1 = slip.impulse_1 + slip.twist * arm_1,
                       u_2 = slip.impulse_2 + slip.twist * arm_2;
        return sqrt(u_1 * u_1 + u_2 * u_2);
    }
};

/// The symmetric system A v = b of a manifold's slip at the end of a substep.
template <int W>
struct SlipSystem {
    Lanes<W> a11, a22, a12, a13, a23, a33, b1, b2, b3;

    /// Adds friction of a point that is viscous, with this force per speed.
    RIGOR_INLINE void add(const PointSlip<W>& point, Lanes<W> gain) {
        a11 = a11 + gain;
        a22 = a22 + gain;
        a13 = a13 + gain * point.arm_1;
        a23 = a23 + gain * point.arm_2;
        a33 = a33 + gain * (point.arm_1 * point.arm_1 + point.arm_2 * point.arm_2);
    }
    /// By elimination of the twist, and of the second direction.
    RIGOR_INLINE LaneFriction<W> solve() const {
        using F = Lanes<W>;
        const F per_33 = inverse_or_zero<W>(a33);
        const F m13 = a13 * per_33, m23 = a23 * per_33;
        const F c11 = a11 - a13 * m13, c22 = a22 - a23 * m23, c12 = a12 - a13 * m23;
        const F d1 = b1 - b3 * m13, d2 = b2 - b3 * m23;
        const F per_22 = inverse_or_zero<W>(c22), m12 = c12 * per_22;
        const F u_1 = (d1 - d2 * m12) * inverse_or_zero<W>(c11 - c12 * m12);
        const F u_2 = (d2 - c12 * u_1) * per_22;
        return {u_1, u_2, (b3 - a13 * u_1 - a23 * u_2) * per_33};
    }
};

/// Friction of the points of a manifold: each has that of its own load against its own slip. As one
/// a body that slides would twist as if it stuck, and a puck that spins would slide no further than
/// one that does not.
///
/// The slip v is that of the end of the substep, where it is least in the norm of the masses from
/// the slip v_0 without friction, and dissipates at the rate of Coulomb:
///
///     min  (v - v_0)·M (v - v_0) / 2 + mu sum N_k |v_k| + T |w| ,
///
/// T of torsional friction: by one step with friction that is viscous in each point, mu N_k / |v_k|
/// with the slip that there is. More gained nothing, as substeps follow each other.
template <int W>
class PointFriction {
  public:
    using F = Lanes<W>;

    RIGOR_INLINE PointFriction(const ContactBlock<W>& block, const PointBlock<W>* points,
                               const LaneVec<W>& n, const FrictionBounds<W>& bounds)
        : block_(block), points_(points), bounds_(bounds) {
        const auto [t, s] = tangents_of<W>(block, n);
        const F zero = 0.0f;
        F there = zero;
        LaneVec<W> middle{zero, zero, zero};
        for (int k = 0; k < block.point_count; ++k) {
            const F one = select(read<W>(points[k].mass) > zero, F(1.0f), zero);
            there = there + one;
            middle = middle + read_vector<W>(points[k].anchor_a) * one;
        }
        const F mass = min(read<W>(block.tangent_mass[0]), read<W>(block.tangent_mass[1]));
        const F part = 1e-3f, tiny = 1e-30f;
        still_ = max(part * bounds.friction * bounds.load * inverse_or_zero<W>(mass), tiny);
        still_turn_ =
            max(part * bounds.torsion * inverse_or_zero<W>(read<W>(block.twist_mass)), tiny);
        // Where friction acts among the points: its anchors move during the step, those do not.
        const LaneVec<W> center =
            middle * inverse_or_zero<W>(there) + read_vector<W>(block.load_center);
        for (int k = 0; k < block.point_count; ++k) {
            const LaneVec<W> turning = cross(n, read_vector<W>(points[k].anchor_a) - center);
            slips_[k] = {dot(turning, t), dot(turning, s)};
        }
    }

    /// From the slip that there is with the old friction.
    RIGOR_INLINE LaneFriction<W> solve(const LaneFriction<W>& slip,
                                       const LaneFriction<W>& old) const {
        SlipSystem<W> system = without_friction(slip, old);
        for (int k = 0; k < block_.point_count; ++k) system.add(slips_[k], gain(k, slip));
        system.a33 = system.a33 + torsion_gain(slip.twist);
        return friction_at(system.solve());
    }

  private:
    RIGOR_INLINE SlipSystem<W> without_friction(const LaneFriction<W>& slip,
                                                const LaneFriction<W>& old) const {
        const F k11 = read<W>(block_.tangent_mass[0]), k22 = read<W>(block_.tangent_mass[1]),
                k12 = read<W>(block_.tangent_mass[2]), turn = read<W>(block_.twist_mass),
                zero = 0.0f;
        return {k11,
                k22,
                k12,
                zero,
                zero,
                turn,
                k11 * slip.impulse_1 + k12 * slip.impulse_2 - old.impulse_1,
                k12 * slip.impulse_1 + k22 * slip.impulse_2 - old.impulse_2,
                turn * slip.twist - old.twist};
    }
    RIGOR_INLINE F gain(int k, const LaneFriction<W>& slip) const {
        return bounds_.friction * read<W>(points_[k].impulse) / max(slips_[k].speed(slip), still_);
    }
    RIGOR_INLINE F torsion_gain(F twist) const {
        return bounds_.torsion / max(max(twist, -twist), still_turn_);
    }
    RIGOR_INLINE LaneFriction<W> friction_at(const LaneFriction<W>& slip) const {
        const F zero = 0.0f;
        LaneFriction<W> sum{zero, zero, -torsion_gain(slip.twist) * slip.twist};
        for (int k = 0; k < block_.point_count; ++k) {
            const F by_speed = gain(k, slip);
            const F f_1 = by_speed * (slip.impulse_1 + slip.twist * slips_[k].arm_1),
                    f_2 = by_speed * (slip.impulse_2 + slip.twist * slips_[k].arm_2);
            sum.impulse_1 = sum.impulse_1 - f_1;
            sum.impulse_2 = sum.impulse_2 - f_2;
            sum.twist = sum.twist - (f_1 * slips_[k].arm_1 + f_2 * slips_[k].arm_2);
        }
        return sum;
    }

    const ContactBlock<W>& block_;
    const PointBlock<W>* points_;
    const FrictionBounds<W>& bounds_;
    std::array<PointSlip<W>, 4> slips_;
    F still_, still_turn_; ///< a thousandth of what friction can stop in a substep
};

} // namespace rigor::fast
