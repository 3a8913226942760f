// Soft constraints: a spring and damper by frequency and damping ratio, stable at any stiffness
// [Catto 2011].
#pragma once

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

} // namespace rigor::fast
