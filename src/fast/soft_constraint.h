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

} // namespace rigor::fast
