#include "fast/collect_joints.h"

#include <algorithm>

namespace rigor::fast {
namespace {

JointConstraint constraint_of(StepData& step, std::uint32_t slot) {
    const JointRecord& joint = step.state.joints[slot];
    return {slot, step.solver_body(joint.a.body.index), step.solver_body(joint.b.body.index),
            layout_of(joint), false};
}

void mark_has_joints(SolverBodies& bodies, const JointConstraint& joint) {
    for (const SolverBodyIndex body : {joint.body_a, joint.body_b})
        if (body.responds_to_impulses()) bodies.has_joints[body.index()] = 1;
}

/// Something other than rigid joints acts on the bodies.
void mark_not_only_rigid(SolverBodies& bodies, const JointConstraint& joint) {
    bodies.only_rigid_joints[joint.body_a.index()] = 0;
    bodies.only_rigid_joints[joint.body_b.index()] = 0;
}

void add_joints(StepData& step) {
    Scratch& scratch = step.scratch;
    scratch.joints.clear();
    scratch.track_joints.clear();
    scratch.joint_layouts.clear();
    step.memory.joints.resize(step.state.joints.slot_count());
    for (const std::uint32_t slot : step.memory.sleep.awake_joints) {
        if (step.state.joints[slot].type == JointType::gear) continue;
        const JointConstraint joint = constraint_of(step, slot);
        if (!joint.body_a.responds_to_impulses() && !joint.body_b.responds_to_impulses()) continue;
        mark_has_joints(scratch.bodies, joint);
        if (!is_rigid(step.state.joints[slot], joint.layout))
            mark_not_only_rigid(scratch.bodies, joint);
        if (joint.layout.type == JointType::track) {
            scratch.track_joints.push_back(joint);
            continue;
        }
        scratch.joints.push_back(joint);
        std::vector<std::uint64_t>& layouts = scratch.joint_layouts;
        if (std::find(layouts.begin(), layouts.end(), joint.layout.key()) == layouts.end())
            layouts.push_back(joint.layout.key());
    }
}

void add_gears(StepData& step) {
    Scratch& scratch = step.scratch;
    scratch.gears.clear();
    for (const std::uint32_t slot : step.memory.sleep.awake_joints) {
        const JointRecord& gear = step.state.joints[slot];
        if (gear.type != JointType::gear) continue;
        const JointConstraint driving = constraint_of(step, gear.gear_a),
                              driven = constraint_of(step, gear.gear_b);
        for (const JointConstraint& joint : {driving, driven}) {
            mark_has_joints(scratch.bodies, joint);
            mark_not_only_rigid(scratch.bodies, joint);
        }
        scratch.gears.push_back(make_gear(slot, driving, driven, step.state, scratch.bodies,
                                          step.memory.joints, step.h));
    }
}

bool find_contacts_on_joints(const Scratch& scratch) {
    const std::vector<std::uint8_t>& has_joints = scratch.bodies.has_joints;
    return std::any_of(
        scratch.contacts.begin(), scratch.contacts.end(), [&](const ContactConstraint& contact) {
            return (has_joints[contact.body_a.index()] | has_joints[contact.body_b.index()]) != 0;
        });
}

/// All bodies of a group integrate forces in the same way: in one go if anything but rigid joints
/// acts on one of them.
void spread_not_only_rigid(Scratch& scratch) {
    std::vector<std::uint8_t>& only_rigid = scratch.bodies.only_rigid_joints;
    DisjointSets& groups = scratch.joint_groups;
    for (std::uint32_t i = 1; i < only_rigid.size(); ++i)
        if (only_rigid[i] == 0) only_rigid[groups.find(i)] = 0;
    for (std::uint32_t i = 1; i < only_rigid.size(); ++i)
        only_rigid[i] = only_rigid[groups.find(i)];
}

void find_chains(Scratch& scratch) {
    constexpr std::uint8_t kFew = 4; // bodies
    std::vector<std::uint8_t>& sizes = scratch.group_sizes;
    sizes.assign(scratch.bodies.size(), 0);
    for (std::uint32_t i = 1; i < sizes.size(); ++i) {
        std::uint8_t& size = sizes[scratch.joint_groups.find(i)];
        if (size <= kFew) ++size;
    }
    for (std::vector<JointConstraint>* joints : {&scratch.joints, &scratch.track_joints})
        for (JointConstraint& joint : *joints) {
            const SolverBodyIndex body =
                joint.body_a.responds_to_impulses() ? joint.body_a : joint.body_b;
            joint.in_chain = sizes[scratch.joint_groups.find(body.index())] > kFew;
        }
}

} // namespace

void collect_joints(StepData& step) {
    Scratch& scratch = step.scratch;
    add_joints(step);
    add_gears(step);
    scratch.contacts_on_joints = false;
    scratch.tracks.clear();
    if (scratch.joints.empty() && scratch.track_joints.empty()) return;
    scratch.contacts_on_joints = find_contacts_on_joints(scratch);
    scratch.joint_groups.reset(scratch.bodies.size());
    for (const std::vector<JointConstraint>* joints : {&scratch.joints, &scratch.track_joints})
        for (const JointConstraint& joint : *joints)
            if (joint.body_a.responds_to_impulses() && joint.body_b.responds_to_impulses())
                scratch.joint_groups.unite(joint.body_a.index(), joint.body_b.index());
    spread_not_only_rigid(scratch);
    find_chains(scratch);
    for (const JointConstraint& joint : scratch.track_joints)
        scratch.tracks.push_back(
            make_track(joint, step.state, scratch.bodies, step.memory.joints, step.h));
}

} // namespace rigor::fast
