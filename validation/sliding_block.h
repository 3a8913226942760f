// Reference motion of a block on a surface with a grain, integrated to many more digits than any
// method is asked for.
#pragma once

#include <cmath>

#include "rigor/math.h"

namespace rigor::validation {

/// Position and velocity along the surface.
struct SlidingBlock {
    double x = 0, y = 0, u = 0, v = 0;
};

/// The motion after a time, under gravity g with friction D = diag(along, across):
///
///     dv/dt = g_T - mu |g_z| D² v / |D v|
///
/// by the classical Runge-Kutta method with 20,000 steps.
inline SlidingBlock slide(SlidingBlock s, const Vec3d& g, double mu, double along, double across,
                          double seconds) {
    const auto rate = [&](const SlidingBlock& p) {
        const double size = std::hypot(along * p.u, across * p.v);
        const double f = size > 0 ? mu * -g.z / size : 0;
        return SlidingBlock{p.u, p.v, g.x - f * along * along * p.u,
                            g.y - f * across * across * p.v};
    };
    const auto plus = [](const SlidingBlock& a, const SlidingBlock& b, double h) {
        return SlidingBlock{a.x + h * b.x, a.y + h * b.y, a.u + h * b.u, a.v + h * b.v};
    };
    constexpr int kSteps = 20000;
    const double h = seconds / kSteps;
    for (int i = 0; i < kSteps; ++i) {
        const SlidingBlock k1 = rate(s), k2 = rate(plus(s, k1, h / 2)),
                           k3 = rate(plus(s, k2, h / 2)), k4 = rate(plus(s, k3, h));
        s = plus(plus(plus(plus(s, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
    }
    return s;
}

} // namespace rigor::validation
