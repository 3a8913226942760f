#include "literature/joint_loads.h"

#include <algorithm>

#include "contact_dynamics/contact_reports.h"

namespace rigor::literature {

void add_joint_load(const WorldState& state, std::span<const BodyKinematics> bodies,
                    std::uint32_t joint, const ConstraintRow& row, double impulse,
                    MethodState& step) {
    const IslandJoint& j = step.island.joints[joint];
    step.joint_loads.resize(step.island.joints.size());
    const Vec3d arm = anchor_on_b(state, j, bodies) - bodies[j.b].x;
    for (const ConstraintRow::Side& side : row.sides()) {
        if (side.body != j.b) continue;
        SpatialVector& load = step.joint_loads[joint];
        load.linear += side.linear * impulse;
        load.angular += (side.angular - cross(arm, side.linear)) * impulse;
    }
}

void add_reactions(const WorldState& state, const ContactProblem& contacts,
                   std::span<const Vec3d> impulses, MethodState& step) {
    const std::vector<double> reactions = contacts.joint_reactions(impulses);
    for (std::size_t i = 0; i < reactions.size(); ++i)
        add_joint_load(state, contacts.bodies(), contacts.joint_of_row()[i],
                       contacts.joint_rows()[i], reactions[i], step);
}

void report_joint_loads(const WorldState& state, MethodState& step) {
    std::vector<JointOutcome> joints;
    report_angles(state, step.island, joints);
    step.joint_loads.resize(joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
        JointOutcome& joint = joints[i];
        joint.force = step.joint_loads[i].linear * (1 / step.duration);
        joint.torque = step.joint_loads[i].angular * (1 / step.duration);
        const JointRecord& record = state.joints[joint.joint];
        if (length(joint.force) < record.break_force && length(joint.torque) < record.break_torque)
            step.outcome.joints.push_back(joint);
        else
            step.outcome.statistics.broken.push_back(joint.joint);
    }
}

} // namespace rigor::literature
