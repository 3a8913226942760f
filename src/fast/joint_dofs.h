// Joint motors, limits and friction: the degrees of freedom of W joints in lanes.
//
// Always inlined into the kernels, which choose the instruction set.
#pragma once

#include "fast/joint_bodies.h"
#include "fast/joint_kernels.h"
#include "fast/joint_springs.h"

namespace rigor::fast {

/// One degree of freedom: its drive, its friction, its two limits.
template <int W>
class DofSolver {
  public:
    using F = Lanes<W>;
    using Dof = typename JointBlock<W>::Dof;
    using Row = typename JointBlock<W>::Row;

    RIGOR_INLINE DofSolver(Dof& dof, const Row& row, JointBlock<W>& block, JointBodies<W>& pair,
                           const JointSolveSettings& settings)
        : f_(dof),
          row_(row),
          block_(block),
          pair_(pair),
          settings_(settings),
          mass_(read<W>(dof.mass)),
          response_(select(mass_ > zero_, F(1.0f) / select(mass_ > zero_, mass_, F(1.0f)), zero_)),
          rate_(pair.rate(row)),
          is_sprung_(block.layout.is_sprung && &dof == block.dofs.data()) {}

    RIGOR_INLINE void solve() {
        solve_drive();
        solve_friction();
        const F x = read<W>(f_.coordinate);
        solve_limit(f_.lower_impulse, x - read<W>(f_.lower_limit), 1.0f);
        solve_limit(f_.upper_impulse, read<W>(f_.upper_limit) - x, -1.0f);
    }

  private:
    RIGOR_INLINE void apply(F impulse) {
        pair_.accumulate(row_, impulse);
        pair_.apply();
        rate_ = rate_ + response_ * impulse;
    }

    RIGOR_INLINE void add_to_second_half(F change) {
        if (is_sprung_ && !settings_.use_bias)
            write<W>(block_.spring_second_half, read<W>(block_.spring_second_half) + change);
    }

    RIGOR_INLINE void solve_drive() {
        const F share = is_sprung_ && settings_.use_bias ? read<W>(block_.first_half_share) : 1.0f;
        const F limit = share * read<W>(f_.max_drive_impulse), old = read<W>(f_.drive_impulse);
        const F spring = read<W>(f_.drive_bias_rate);
        const F off =
            rate_ - read<W>(f_.speed) + spring * (read<W>(f_.coordinate) - read<W>(f_.target));
        const F wanted = old - mass_ * read<W>(f_.drive_mass_scale) * off -
                         read<W>(f_.drive_impulse_scale) * old;
        F at_end = old;
        if (is_sprung_ && !settings_.use_bias)
            at_end = old +
                     change_at_end<W>(block_, mass_ * off, old, read<W>(block_.spring_second_half));
        const F kept = settings_.use_bias ? wanted : select(spring > zero_, at_end, wanted);
        const F now = max(-limit, min(kept, limit));
        write<W>(f_.drive_impulse, now);
        add_to_second_half(select(spring > zero_, now - old, zero_));
        apply(now - old);
    }

    RIGOR_INLINE void solve_friction() {
        const F limit = read<W>(f_.max_friction_impulse), old = read<W>(f_.friction_impulse);
        const F now = max(-limit, min(old - mass_ * rate_, limit));
        write<W>(f_.friction_impulse, now);
        apply(now - old);
    }

    /// A limit that is not reached yet may be reached exactly; a violation is corrected softly.
    /// That of an elastic cord pulls beyond the range alone, by its spring.
    RIGOR_INLINE void solve_limit(Column<W>& column, F room, F sign) {
        const bool may_be_cord = block_.layout.type == JointType::distance;
        const auto cord = F(0.5f) > read<W>(block_.relax_scale);
        // Where a half of its impulse acts before the bodies move, what counts is the middle of
        // the way.
        const F ahead =
            may_be_cord && settings_.use_bias
                ? select(cord, F(1 / settings_.inv_h) * (1.0f - read<W>(block_.first_half_share)),
                         zero_)
                : zero_;
        const auto apart = room + ahead * sign * rate_ > zero_;
        const F soft = settings_.use_bias ? max(read<W>(block_.bias_rate) * room,
                                                -read<W>(block_.max_bias_velocity))
                                          : zero_;
        const F bias = select(apart, room * F(settings_.inv_h), soft);
        const F scale =
            settings_.use_bias ? select(apart, F(1.0f), read<W>(block_.mass_scale)) : 1.0f;
        const F back =
            settings_.use_bias ? select(apart, zero_, read<W>(block_.impulse_scale)) : zero_;
        const F old = read<W>(column);
        const F wanted = old - mass_ * scale * (sign * rate_ + bias) - back * old;
        const F now = may_be_cord ? select(cord, cord_impulse(cord, apart, room, sign, old, wanted),
                                           max(wanted, zero_))
                                  : max(wanted, zero_);
        write<W>(column, now);
        apply(sign * (now - old));
    }

    template <class Mask>
    RIGOR_INLINE F cord_impulse(Mask cord, Mask apart, F room, F sign, F old, F wanted) {
        if (settings_.use_bias) return select(apart, zero_, wanted);
        if (!is_sprung_) return old;
        const F off = mass_ * (sign * rate_ + read<W>(block_.bias_rate) * room);
        const F second = sign * read<W>(block_.spring_second_half);
        const F change = change_at_end<W>(block_, off, old, second);
        const F pull = select(apart, old, old + change);
        add_to_second_half(select(cord, sign * (pull - old), zero_));
        return pull;
    }

    Dof& f_;
    const Row& row_;
    JointBlock<W>& block_;
    JointBodies<W>& pair_;
    const JointSolveSettings& settings_;
    const F zero_ = 0.0f;
    const F mass_;
    const F response_; ///< the mass may be that with all joints of a system held, which respond
                       ///< later
    F rate_;
    const bool is_sprung_; ///< its spring has a second half: that along the first one
};

template <int W>
RIGOR_INLINE void solve_dof(typename JointBlock<W>::Dof& dof,
                            const typename JointBlock<W>::Row& row, JointBlock<W>& block,
                            JointBodies<W>& pair, const JointSolveSettings& settings) {
    DofSolver<W>(dof, row, block, pair, settings).solve();
}

/// Whether degrees of freedom are the rows of the friction of a ball joint.
template <int W>
RIGOR_INLINE bool has_ball_friction(const JointBlock<W>& block) {
    return block.layout.type == JointType::ball && block.layout.dofs == 3;
}

/// Friction of a ball joint is bounded in length, not about each axis of the world: the bounds of
/// its rows are the components of a vector of that length. Its direction is that of the impulse
/// after a step against the rotation, so it slips against its rotation.
template <int W>
RIGOR_INLINE void direct_ball_friction(JointBlock<W>& block, const JointBodies<W>& pair) {
    using F = Lanes<W>;
    auto& dofs = block.dofs;
    const F mass = min(read<W>(dofs[0].mass), min(read<W>(dofs[1].mass), read<W>(dofs[2].mass)));
    F stepped[3], bound = 0.0f, length = 0.0f;
    for (std::size_t i = 0; i < 3; ++i) {
        const F most = read<W>(dofs[i].max_friction_impulse);
        const F rate = pair.rate(block.rows[block.layout.equality_rows + i]);
        const F after = read<W>(dofs[i].friction_impulse) - mass * rate;
        stepped[i] = max(after, -after);
        bound = bound + most * most;
        length = length + stepped[i] * stepped[i];
    }
    const F scale = sqrt(bound / max(length, F(1e-30f)));
    for (std::size_t i = 0; i < 3; ++i)
        write<W>(dofs[i].max_friction_impulse, select(length > F(1e-30f), stepped[i] * scale,
                                                      read<W>(dofs[i].max_friction_impulse)));
}

} // namespace rigor::fast
