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
RIGOR_INLINE void solve_dof(typename JointBlock<W>::Dof& f, const typename JointBlock<W>::Row& row,
                            JointBlock<W>& block, JointBodies<W>& pair,
                            const JointSolveSettings& settings) {
    using F = Lanes<W>;
    const F mass = read<W>(f.mass), zero = 0.0f;
    // The mass may be that with all joints of a system held, which respond later.
    const F response = select(mass > zero, F(1.0f) / select(mass > zero, mass, F(1.0f)), zero);
    F rate = pair.rate(row);
    const auto apply = [&](F impulse) {
        pair.accumulate(row, impulse);
        pair.apply();
        rate = rate + response * impulse;
    };
    const F x = read<W>(f.coordinate);
    // That of a spring along the first degree of freedom, which has a second half.
    const bool is_sprung = block.layout.is_sprung && &f == block.dofs.data();
    const auto add_to_second_half = [&](F change) {
        if (is_sprung && !settings.use_bias)
            write<W>(block.spring_second_half, read<W>(block.spring_second_half) + change);
    };
    {
        const F share = is_sprung && settings.use_bias ? read<W>(block.first_half_share) : 1.0f;
        const F limit = share * read<W>(f.max_drive_impulse), old = read<W>(f.drive_impulse);
        const F spring = read<W>(f.drive_bias_rate);
        const F off = rate - read<W>(f.speed) + spring * (x - read<W>(f.target));
        const F wanted =
            old - mass * read<W>(f.drive_mass_scale) * off - read<W>(f.drive_impulse_scale) * old;
        F at_end = old;
        if (is_sprung && !settings.use_bias)
            at_end =
                old + change_at_end<W>(block, mass * off, old, read<W>(block.spring_second_half));
        const F kept = settings.use_bias ? wanted : select(spring > zero, at_end, wanted);
        const F now = max(-limit, min(kept, limit));
        write<W>(f.drive_impulse, now);
        add_to_second_half(select(spring > zero, now - old, zero));
        apply(now - old);
    }
    {
        const F limit = read<W>(f.max_friction_impulse), old = read<W>(f.friction_impulse);
        const F now = max(-limit, min(old - mass * rate, limit));
        write<W>(f.friction_impulse, now);
        apply(now - old);
    }
    // A limit that is not reached yet may be reached exactly; a violation is corrected softly.
    // That of an elastic cord pulls beyond the range alone, by its spring.
    const bool may_be_cord = block.layout.type == JointType::distance;
    const auto cord = F(0.5f) > read<W>(block.relax_scale);
    // Where a half of its impulse acts before the bodies move, what counts is the middle of the
    // way.
    const F ahead =
        may_be_cord && settings.use_bias
            ? select(cord, F(1 / settings.inv_h) * (1.0f - read<W>(block.first_half_share)), zero)
            : zero;
    const auto limit = [&](Column<W>& column, F room, F sign) {
        const auto apart = room + ahead * sign * rate > zero;
        const F soft = settings.use_bias
                           ? max(read<W>(block.bias_rate) * room, -read<W>(block.max_bias_velocity))
                           : zero;
        const F bias = select(apart, room * F(settings.inv_h), soft);
        const F scale =
            settings.use_bias ? select(apart, F(1.0f), read<W>(block.mass_scale)) : 1.0f;
        const F back = settings.use_bias ? select(apart, zero, read<W>(block.impulse_scale)) : zero;
        const F old = read<W>(column);
        const F wanted = old - mass * scale * (sign * rate + bias) - back * old;
        F now = max(wanted, zero);
        if (may_be_cord) {
            F pull = old;
            if (settings.use_bias) {
                pull = select(apart, zero, wanted);
            } else if (is_sprung) {
                const F off = mass * (sign * rate + read<W>(block.bias_rate) * room);
                const F second = sign * read<W>(block.spring_second_half);
                const F change = change_at_end<W>(block, off, old, second);
                pull = select(apart, old, old + change);
                add_to_second_half(select(cord, sign * (pull - old), zero));
            }
            now = select(cord, pull, now);
        }
        write<W>(column, now);
        apply(sign * (now - old));
    };
    limit(f.lower_impulse, x - read<W>(f.lower_limit), 1.0f);
    limit(f.upper_impulse, read<W>(f.upper_limit) - x, -1.0f);
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
