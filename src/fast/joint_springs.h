// Joint springs in lanes: half of the impulse acts before the bodies move, half after.
//
// Always inlined into the kernels, which choose the instruction set. What a spring does is in
// soft_constraint.h.
#pragma once

#include "dynamics/joint_stiffness.h"
#include "fast/joint_bodies.h"

namespace rigor::fast {

/// How a spring with a stiffness acts along the first degree of freedom, by its mass now: one of a
/// cord softens the limits.
template <int W>
RIGOR_INLINE void set_spring_scales(JointBlock<W>& block) {
    using F = Lanes<W>;
    const F gain = read<W>(block.spring_gain), mass = read<W>(block.dofs[0].mass), zero = 0.0f;
    const auto known = gain > zero;
    const auto is_cord = F(0.5f) > read<W>(block.relax_scale);
    const auto set = [&](Column<W>& column, F value, auto where) {
        write<W>(column, select(where, select(known, value, read<W>(column)), read<W>(column)));
    };
    const F inverse = F(1.0f) / max(mass + gain, F(1e-30f)), mass_scale = gain * inverse,
            impulse_scale = mass * inverse;
    auto& f = block.dofs[0];
    set(block.mass_scale, mass_scale, is_cord);
    set(block.impulse_scale, impulse_scale, is_cord);
    set(f.drive_mass_scale, select(is_cord, read<W>(f.drive_mass_scale), mass_scale), known);
    set(f.drive_impulse_scale, select(is_cord, read<W>(f.drive_impulse_scale), impulse_scale),
        known);
    const F share = read<W>(block.end_share), at_end = share * gain;
    const F end = F(1.0f) / max(mass + at_end, F(1e-30f));
    set(block.end_mass_scale, at_end * end, known);
    set(block.end_impulse_scale, select(share > zero, mass * end, zero), known);
}

/// The motion of a spring in a substep, of which the second half of its impulse is a function.
template <int W>
class SpringMotion {
  public:
    using F = Lanes<W>;

    /// Before the bodies move.
    RIGOR_INLINE explicit SpringMotion(const JointBlock<W>& block) {
        if (!block.layout.is_sprung) return;
        for (std::size_t i = 0; i < block.layout.equality_rows; ++i)
            errors_[i] = read<W>(block.rows[i].error);
        if (block.layout.dofs > 0) coordinate_ = read<W>(block.dofs[0].coordinate);
    }
    /// When rows are those of the new place.
    RIGOR_INLINE void find_second_half(JointBlock<W>& block, float h) const {
        if (!block.layout.is_sprung) return;
        const F inv_h = 1 / h, zero = 0.0f;
        const F kept = read<W>(block.end_kept); // 0 where it does not act after the motion
        const auto is_soft = F(0.5f) > read<W>(block.relax_scale);
        const F rate = read<W>(block.bias_rate),
                scale = scale_of(block.mass_scale, block.impulse_scale);
        F x[6];
        const int n = block.layout.equality_rows;
        for (int i = 0; i < n; ++i) {
            const F old = errors_[i], now = read<W>(block.rows[static_cast<std::size_t>(i)].error);
            x[i] = (now - old) * inv_h + rate * old;
        }
        if (block.layout.has_stiffness) {
            for (int i = 0; i < n; ++i) {
                F sum = zero;
                for (int j = 0; j < n; ++j)
                    sum = sum + read<W>(block.gains[triangle_index(i, j)]) * x[j];
                write<W>(block.rows[static_cast<std::size_t>(i)].second_half, -(kept * sum));
            }
            return;
        }
        solve_factors<W>(block, x);
        for (int i = 0; i < n; ++i) {
            auto& half = block.rows[static_cast<std::size_t>(i)].second_half;
            write<W>(half, select(is_soft, -(kept * scale * x[i]), read<W>(half)));
        }
        if (block.layout.dofs == 0) return;
        const auto& f = block.dofs[0];
        const F velocity = (read<W>(f.coordinate) - coordinate_) * inv_h, mass = read<W>(f.mass);
        const F most = F(0.5f) * read<W>(f.max_drive_impulse);
        const F off = velocity - read<W>(f.speed) +
                      read<W>(f.drive_bias_rate) * (coordinate_ - read<W>(f.target));
        const F drive = -(scale_of(f.drive_mass_scale, f.drive_impulse_scale) * mass * off);
        const auto has_lower = read<W>(f.lower_impulse) > zero,
                   has_upper = read<W>(f.upper_impulse) > zero;
        const F limit = select(has_lower, read<W>(f.lower_limit), read<W>(f.upper_limit));
        const F cord = -(scale * mass * (velocity + rate * (coordinate_ - limit)));
        const F pull = select(has_lower, cord, select(has_upper, cord, zero));
        const auto has_drive = read<W>(f.drive_bias_rate) > zero;
        const F all = select(is_soft, pull, select(has_drive, max(-most, min(drive, most)), zero));
        write<W>(block.spring_second_half, kept * all);
    }

  private:
    /// That of an impulse that is not solved for but follows from the motion.
    RIGOR_INLINE static F scale_of(const Column<W>& mass_scale, const Column<W>& impulse_scale) {
        return read<W>(mass_scale) / max(read<W>(impulse_scale), F(1e-6f));
    }

    F errors_[6], coordinate_;
};

/// The second half of what a spring does along the first degree of freedom.
template <int W>
RIGOR_INLINE void add_second_half_of_spring(JointBlock<W>& block, JointBodies<W>& pair) {
    using F = Lanes<W>;
    auto& f = block.dofs[0];
    const F all = read<W>(block.spring_second_half), zero = 0.0f;
    const auto is_cord = F(0.5f) > read<W>(block.relax_scale);
    const auto is_lower = read<W>(f.lower_impulse) > zero;
    const auto add = [](Column<W>& impulse, F change) {
        write<W>(impulse, read<W>(impulse) + change);
    };
    add(f.drive_impulse, select(is_cord, zero, all));
    add(f.lower_impulse, select(is_cord, select(is_lower, all, zero), zero));
    add(f.upper_impulse, select(is_cord, select(is_lower, zero, -all), zero));
    pair.accumulate(block.rows[block.layout.equality_rows], all);
}

/// How the second half of a spring's impulse changes at the end of a substep (SplitSpring). `off`
/// is the velocity and the error that it should not have, `all` its impulse so far in the substep.
template <int W>
RIGOR_INLINE Lanes<W> change_at_end(const JointBlock<W>& block, Lanes<W> off, Lanes<W> all,
                                    Lanes<W> second) {
    return -(read<W>(block.end_mass_scale) * off) -
           read<W>(block.end_impulse_scale) * (second - read<W>(block.end_kept) * (all - second));
}

} // namespace rigor::fast
