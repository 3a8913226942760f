#include "literature/method_separation.h"

#include <cmath>

namespace rigor::literature {

bool separate_resting_contacts(const WorldState& state, const MethodParts& method, Island& island) {
    bool moved = false;
    for (const Contact& c : island.contacts) {
        const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
        const ContactFrame frame = frame_of(c, bodies);
        const double displacement = method.separation_distance - frame.gap;
        const double a = max_component(bodies[c.a].inv_mass),
                     b = max_component(bodies[c.b].inv_mass);
        if (!(displacement > 0) || !(a + b > 0)) continue;
        island.motion[c.a].x -= frame.normal * (displacement * a / (a + b));
        island.motion[c.b].x += frame.normal * (displacement * b / (a + b));
        moved = true;
    }
    return moved;
}

double separation_time(const WorldState& state, const MethodParts& method, double dt) {
    const double g = length(state.gravity);
    return g > 0 ? std::sqrt(2 * method.separation_distance / g) * 0.1 : 0.1 * dt;
}

} // namespace rigor::literature
