#include "impact/tangent_plane.h"

#include <algorithm>

#include "math/tolerances.h"

namespace rigor::contact_dynamics {

// |(N + lambda)⁻¹ v| decreases to the radius as lambda grows. The inverse of that length is nearly
// linear in lambda, and concave: Newton's method converges to the root from below in a few steps,
// as in trust region methods [More 1983].
Vec2 least_on_circle(const Sym2& n, const Vec2& v, double radius) {
    double lambda = std::max(length(v) / radius - n.trace(), kEpsilon<double> * n.trace());
    Vec2 x = v;
    for (int i = 0; i < 50; ++i) {
        const Sym2 shifted{n.xx + lambda, n.xy, n.yy + lambda};
        x = shifted.solve(v);
        const double excess = length(x) / radius - 1;
        if (!(excess > 4 * kEpsilon<double>)) break;
        const double next = lambda + excess * dot(x, x) / dot(x, shifted.solve(x));
        if (next == lambda) break;
        lambda = next;
    }
    return x * (radius / length(x));
}

} // namespace rigor::contact_dynamics
