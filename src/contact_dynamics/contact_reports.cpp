#include "contact_dynamics/contact_reports.h"

#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/contact_forces.h"

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

void report_contacts(const WorldState& state, const Island& island,
                     std::vector<ContactView>& views) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    for (const Contact& c : island.contacts) {
        const ContactFrame frame = frame_of(c, bodies);
        ContactView& v = views.emplace_back();
        v.a = contact_side(state, c.shapes.a);
        v.b = contact_side(state, c.shapes.b);
        v.normal = frame.normal;
        v.friction = frame.tangent_1 * c.impulse.x + frame.tangent_2 * c.impulse.y;
        v.points[0] = {frame.point, frame.gap, c.impulse.z};
        v.count = 1;
    }
}

void report_angles(const WorldState& state, Island& island, std::vector<JointOutcome>& joints) {
    if (island.joints.empty()) return;
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    for (IslandJoint& joint : island.joints) {
        update_angles(state, bodies, joint);
        const bool has_angle = state.joints[joint.joint].type != JointType::gear;
        joints.push_back({joint.joint, has_angle ? joint.angle : 0});
    }
}

void report_joints(const WorldState& state, Island& island, std::vector<JointOutcome>& joints) {
    const std::size_t first = joints.size();
    report_angles(state, island, joints);
    if (island.joints.empty()) return;
    const IslandForces forces = forces_in_modes(state, island);
    for (std::size_t i = 0; i < island.joints.size(); ++i) {
        joints[first + i].force = forces.joints[i].linear;
        joints[first + i].torque = forces.joints[i].angular;
    }
}

} // namespace rigor::contact_dynamics
