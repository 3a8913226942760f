#include "fast/wake_islands.h"

#include <algorithm>

#include "dynamics/angular_velocity.h"

namespace rigor::fast {
namespace {

/// Of all points of a pair after dt, if bodies keep their velocities.
double predicted_separation(const BodyStore& bodies, const PairStore& store,
                            const ContactPair& pair, double dt) {
    const Vec3d v_a = velocity(bodies, pair.body_a), v_b = velocity(bodies, pair.body_b);
    const Vec3d w_a = angular_velocity(bodies, pair.body_a),
                w_b = angular_velocity(bodies, pair.body_b);
    double least = 1e30;
    for_manifolds(store, pair, [&](const ContactManifold& manifold) {
        for (const ManifoldPoint& point : manifold.used()) {
            const Vec3d v = v_b + cross(w_b, cast<double>(manifold.anchor_b(point))) - v_a -
                            cross(w_a, cast<double>(point.anchor_a));
            least = std::min(least, static_cast<double>(point.separation) +
                                        dt * dot(cast<double>(manifold.normal), v));
        }
    });
    return least;
}

} // namespace

std::vector<std::uint32_t> touched_islands(const WorldState& state, const Sleep& sleep,
                                           const PairStore& store, double dt) {
    constexpr double kNear = 1e-3; // m
    std::vector<std::uint32_t> islands;
    for (const PairStore::Entry& entry : store.order) {
        if (!entry.active) continue;
        const ContactPair& pair = store.pairs[entry.slot];
        const std::uint32_t a = sleep.island_of[pair.body_a], b = sleep.island_of[pair.body_b];
        if (a == b || pair.sensor) continue;
        const std::uint32_t other = a == Sleep::kAwake ? pair.body_a : pair.body_b;
        const bool moves =
            (a == Sleep::kAwake || b == Sleep::kAwake) &&
            (responds_to_impulses(state.bodies, other) || is_driven(state.bodies, other));
        // A contact just after this step may have its impact within it already.
        if (moves && predicted_separation(state.bodies, store, pair, 2 * dt) < kNear)
            islands.push_back(std::min(a, b));
    }
    std::sort(islands.begin(), islands.end());
    islands.erase(std::unique(islands.begin(), islands.end()), islands.end());
    return islands;
}

void wake_touched_islands(StepData& step) {
    Sleep& sleep = step.memory.sleep;
    if (sleep.islands.size() == sleep.free.size()) return; // none sleeps
    for (const std::uint32_t island :
         touched_islands(step.state, sleep, step.memory.pairs, step.dt)) {
        for (const std::uint32_t body : wake_island(island, sleep, step.memory.pairs)) {
            step.context.proxies.find_pairs_again(step.state, body);
            step.outcome.woken.push_back(body);
        }
    }
}

} // namespace rigor::fast
