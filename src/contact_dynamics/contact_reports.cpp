#include "contact_dynamics/contact_reports.h"

#include "contact_dynamics/contact_detection.h"

namespace rigor::contact_dynamics {

ContactSide contact_side(const WorldState& state, std::uint32_t shape) {
    return {state.bodies.ids.id_at(body_of(state, shape)), state.shapes.pool().id_at(shape)};
}

std::vector<ContactHit> report_hits(const WorldState& state, const StepStatistics& statistics,
                                    double speed) {
    std::vector<ContactHit> hits;
    for (const ImpactHit& hit : statistics.hits) {
        if (hit.speed < speed) continue;
        hits.push_back({contact_side(state, hit.shapes.a), contact_side(state, hit.shapes.b),
                        hit.point, hit.normal, hit.speed, hit.impulse});
    }
    return hits;
}

void report_contacts(const WorldState& state, const Island& island, double dt,
                     std::vector<ContactView>& views) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    for (const Contact& c : island.contacts) {
        const ContactFrame frame = frame_of(c, bodies);
        ContactView& v = views.emplace_back();
        v.a = contact_side(state, c.shapes.a);
        v.b = contact_side(state, c.shapes.b);
        v.normal = frame.normal;
        v.friction = (frame.tangent_1 * c.force.x + frame.tangent_2 * c.force.y) * dt;
        v.points[0] = {frame.point, frame.gap, c.force.z * dt};
        v.count = 1;
    }
}

} // namespace rigor::contact_dynamics
