#include "literature/method_projection.h"

#include "literature/method_work.h"

namespace rigor::literature {
namespace {

/// Stops bodies: by the impulse that is minus their momentum, at the mean of their velocities.
void stop(const WorldState& state, const std::vector<bool>& moved, MethodState& step) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, step.island);
    for (std::size_t i = 0; i < moved.size(); ++i) {
        if (!moved[i]) continue;
        BodyMotion& m = step.island.motion[i];
        step.work[i].impact -= 0.5 * (dot(m.p, bodies[i].v) + dot(m.l, bodies[i].w));
        m.p = m.l = {};
    }
}

} // namespace

bool project_positions(const WorldState& state, const MethodParts& method, MethodState& step) {
    Island& island = step.island;
    const std::vector<BodyMotion> before = island.motion;
    std::vector<bool> moved(island.bodies.size());
    bool any = false;
    for (const Contact& c : step.contacts) {
        const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
        const ContactFrame frame = frame_of(c, bodies);
        const double a = max_component(bodies[c.a].inv_mass),
                     b = max_component(bodies[c.b].inv_mass);
        if (!(frame.gap < 0) || !(a + b > 0)) continue;
        island.motion[c.a].x += frame.normal * (frame.gap * a / (a + b));
        island.motion[c.b].x -= frame.normal * (frame.gap * b / (a + b));
        moved[c.a] = moved[c.a] || a > 0;
        moved[c.b] = moved[c.b] || b > 0;
        any = true;
    }
    record_displacement(state, before, step);
    if (!method.keep_velocity) stop(state, moved, step);
    return any;
}

} // namespace rigor::literature
