#include "literature/method_resting.h"

#include "literature/method_impacts.h"

namespace rigor::literature {

void select_resting_contacts(const WorldState& state, const MethodParts& method,
                             MethodState& step) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, step.island);
    std::vector<Contact>& resting = step.island.contacts;
    resting.clear();
    for (const Contact& c : step.contacts) {
        const ContactFrame frame = frame_of(c, bodies);
        if (!touches(method, frame.gap)) continue;
        const Vec3d u = relative_velocity(frame, bodies[c.a], bodies[c.b]);
        if (dot(u, frame.normal) > method.resting_speed) continue;
        resting.push_back(c);
        resting.back().mode = ContactMode::open; // so that the projection enforces joints alone
        if (!method.has_friction)
            resting.back().material.static_friction = resting.back().material.kinetic_friction = 0;
    }
    if (method.resting == RestingRule::penalty)
        step.springs = contact_springs(state, method, step.island);
}

} // namespace rigor::literature
