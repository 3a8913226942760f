#include "literature/method_projection.h"

#include "literature/method_work.h"

namespace rigor::literature {

bool project_positions(const WorldState& state, const MethodParts& method, MethodState& step) {
    Island& island = step.island;
    const std::vector<double> before = kinetic_energies(state, island);
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
    if (method.keep_velocity) return any;
    for (std::size_t i = 0; i < moved.size(); ++i)
        if (moved[i]) island.motion[i].p = island.motion[i].l = {};
    record_energy_change(state, before, &WorkLedger::impact, step);
    return any;
}

} // namespace rigor::literature
