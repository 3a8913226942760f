// Soft constraints: a spring and damper by frequency and damping ratio, stable at any stiffness
// [Catto 2011].
#pragma once

#include <algorithm>
#include <numbers>

namespace rigor::fast {

struct Softness {
    float bias_rate = 0, mass_scale = 1, impulse_scale = 0;
};

inline Softness make_soft(float hertz, float damping_ratio, float h) {
    const float omega = 2 * std::numbers::pi_v<float> * hertz;
    const float a1 = 2 * damping_ratio + h * omega;
    const float a2 = h * omega * a1;
    const float a3 = 1 / (1 + a2);
    return {omega / a1, a2 * a3, a3};
}

/// A spring that oscillates at its frequency. The implicit formula above evaluates it at the end of
/// the substep, which adds a damping ratio of h omega/2: that is subtracted, as long as a substep
/// is a small part of a period.
inline Softness make_spring(float hertz, float damping_ratio, float h) {
    const float turn = 2 * std::numbers::pi_v<float> * hertz * h;
    const float part = turn < 0.5f ? 1.0f : (turn < 1.0f ? 2 - 2 * turn : 0.0f);
    const float least = -0.45f * turn; // the damper may not vanish: it carries the spring
    return make_soft(hertz, std::max(damping_ratio - 0.5f * turn * part, least), h);
}

/// A spring of which half of the impulse acts before the bodies move and half after, so that it is
/// of second order and positions and velocities are those of the same instant.
///
/// With the velocity u in between, x' = x + h u, the first half is that of the middle of the way,
///
///     P₁ = -h/2 m (w² (x + s h u) + c u) ,   s = 1/2 ,
///
/// and the second is the same again, with the effective mass of the new place: the implicit
/// midpoint rule, which keeps the energy of an undamped spring however stiff. But it rings for ever
/// where a substep is longer than what it follows. There s = 1 and the second half is solved anew
/// at the end, P₂ = -h/2 m (w² (x' + h v') + c v'), which damps both; in between a part r of P₂ is
/// from there. In no case does energy grow, and under a constant load the body rests at load/w²
/// with no velocity.
struct SplitSpring {
    Softness first;
    /// At the end P₂ changes by -mass_scale m (v + bias_rate x) - impulse_scale (P₂ - kept P₁).
    float end_mass_scale = 0, end_impulse_scale = 0, end_kept = 1;
};

/// `together` is the rate, in rad/s, at which it and the other springs of its bodies would swing or
/// decay together. They are iterated to agree, which does not suffice beyond a radian.
inline SplitSpring make_split_spring(float hertz, float damping_ratio, float h, float together) {
    const float turn = 2 * std::numbers::pi_v<float> * hertz * h;
    const float decay = 2 * damping_ratio * turn;
    const float r = std::clamp(2 * std::max({turn, decay, together * h - 0.25f}) - 1, 0.0f, 1.0f);
    const float rate = decay + (0.5f + 0.5f * r) * turn * turn; // h (c + s h w²)
    const float a = 0.5f * rate, end = 1 / (1 + r * a);
    return {
        {turn * turn / (rate * h), a / (1 + a), 1 / (1 + a)}, r * a * end, r > 0 ? end : 0, 1 - r};
}

} // namespace rigor::fast
