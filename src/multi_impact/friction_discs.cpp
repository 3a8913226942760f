// Friction impulses of simultaneous impacts, each within its friction disc.

#include <cmath>

#include "base/deadline.h"
#include "impact/tangent_plane.h"
#include "multi_impact/multi_impact_state.h"

namespace rigor::contact_dynamics {
namespace {

/// The impulse, within its disc, that dissipates most energy at one contact with all others fixed:
/// the change is d·u + d·Md/2 for d added to `now`.
Vec2 best_friction(const Mat3d& w, const Vec3d& u, const Vec2& now, double radius) {
    const Sym2 m{w(0, 0), w(0, 1), w(1, 1)};
    const Vec2 rest = now - m.solve({u.x, u.y}); // where sliding would stop
    if (length(rest) <= radius) return rest;
    return least_on_circle(m, m * now - Vec2{u.x, u.y}, radius);
}

} // namespace

// Block coordinate descent: contact by contact, each minimized exactly, until nothing changes. The
// function is convex, so it converges to the minimum.
void apply_friction(MultiImpactState& state, const std::vector<double>& normal_impulses) {
    constexpr int kMaxSweeps = 1000;
    std::vector<Vec2> friction(state.size());
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
        double change = 0, size = 0;
        for (std::size_t i = 0; i < state.size(); ++i) {
            const double radius = state.problem().friction[i] * normal_impulses[i];
            if (!(radius > 0)) continue;
            const Vec2 best = best_friction(state.problem().w.diagonal(i), state.velocity(i),
                                            friction[i], radius);
            const Vec2 step = best - friction[i];
            state.apply(i, {step.x, step.y, 0});
            friction[i] = best;
            change = std::max(change, length(step));
            size = std::max(size, radius);
        }
        if (change <= 1e-14 * size || deadline_has_passed()) return;
    }
}

} // namespace rigor::contact_dynamics
