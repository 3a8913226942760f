#include "contact_dynamics/contact_reports.h"

#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/contact_forces.h"

namespace rigor::contact_dynamics {
namespace {

/// One point, with an impulse on b.
void set_impulse(const Vec3d& normal, const Vec3d& impulse, ContactView& view) {
    view.count = 1;
    view.normal = normal;
    view.points[0].impulse = dot(impulse, normal);
    view.friction = impulse - normal * view.points[0].impulse;
}

} // namespace

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
        set_impulse(frame.normal, c.impulse, v);
        v.points[0].point = frame.point, v.points[0].separation = frame.gap;
    }
}

void report_past_contacts(const WorldState& state, std::span<const PastContact> contacts,
                          std::vector<ContactView>& views) {
    for (const PastContact& c : contacts) {
        const BodyMotion& a = state.bodies.motion[body_of(state, c.shapes.a)];
        const BodyMotion& b = state.bodies.motion[body_of(state, c.shapes.b)];
        ContactView& v = views.emplace_back();
        v.a = contact_side(state, c.shapes.a);
        v.b = contact_side(state, c.shapes.b);
        set_impulse(normalize(c.normal), c.impulse, v);
        v.points[0].point = c.point / c.weight;
        v.points[0].separation = separation(state, c.shapes, a, b).gap;
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
