#include "fast/store_impulses.h"

#include "fast/constraint_blocks.h"
#include "fast/store_joint_impulses.h"

namespace rigor::fast {
namespace {

/// A moving body of infinite mass works through its contacts. The kernels have the work of the load
/// at relative velocities, which restitution needs; on the world it is that on the other body.
/// Normals and anchors are constant in a step.
void add_work_of_driver(const SolverBodies& bodies, ContactConstraint& contact) {
    const bool is_a = !contact.body_a.responds_to_impulses();
    const SolverBodyIndex index = is_a ? contact.body_a : contact.body_b;
    if (index.responds_to_impulses() || index == kStaticSolverBody || !(contact.total_impulse > 0))
        return;
    const ContactManifold& manifold = *contact.manifold;
    float pushed = 0;
    for (const ManifoldPoint& point : manifold.used()) {
        const Vec3f anchor = is_a ? point.anchor_a : manifold.anchor_b(point);
        pushed += point.total_impulse * dot(manifold.normal, velocity_at(bodies[index], anchor));
    }
    (contact.impact_work != 0 ? contact.impact_work : contact.normal_work) +=
        is_a ? pushed : -pushed;
}

} // namespace

template <int W>
void store_all_impulses(StepData& step) {
    Scratch& scratch = step.scratch;
    std::vector<ContactBlock<W>>& contact_blocks = scratch.contact_blocks.of<W>();
    const PointBlock<W>* points = scratch.contact_points.of<W>().data();
    for_blocks(
        step.context.team, scratch.contact_plan, [&](std::size_t i, const BlockPlan::Block& plan) {
            prefetch_contacts(scratch, i + 1);
            const std::uint32_t first = scratch.contact_plan.order[plan.first];
            const SolverPart& part = scratch.parts.parts[scratch.parts.number_of_contact(first)];
            const auto divisions = static_cast<float>(part.divisions);
            for (std::uint32_t lane = 0; lane < plan.count; ++lane) {
                const std::uint32_t at = scratch.contact_plan.order[plan.first + lane];
                store_impulses<W>(contact_blocks[i], points, lane, scratch.contacts[at], divisions);
                add_work_of_driver(scratch.bodies, scratch.contacts[at]);
            }
        });
    std::vector<JointBlock<W>>& joint_blocks = scratch.joint_blocks.of<W>();
    for_blocks(step.context.team, scratch.joint_plan,
               [&](std::size_t i, const BlockPlan::Block& plan) {
                   for (std::uint32_t lane = 0; lane < plan.count; ++lane) {
                       const std::uint32_t at = scratch.joint_plan.order[plan.first + lane];
                       JointConstraint& joint = scratch.joints[at];
                       joint.work = joint_blocks[i].work[lane];
                       joint.impulse = vector_at<W>(joint_blocks[i].total, lane);
                       store_impulses<W>(joint_blocks[i], lane, step.memory.joints[joint.joint],
                                         scratch.parts.of(at).substep(step.h));
                   }
               });
    for (const SolverPart& part : scratch.parts.parts) {
        for (std::uint32_t i = part.gears_begin; i < part.gears_end; ++i)
            store_impulses(scratch.gears[i], step.state, step.memory.joints, part.substep(step.h));
        for (std::uint32_t i = part.tracks_begin; i < part.tracks_end; ++i)
            store_impulses(scratch.tracks[i], step.memory.joints[scratch.tracks[i].joint],
                           part.substep(step.h));
    }
}

void find_broken_joints(StepData& step) {
    const auto check = [&](std::uint32_t slot) {
        const JointRecord& joint = step.state.joints[slot];
        const JointMemory& memory = step.memory.joints[slot];
        if (static_cast<double>(length(memory.force)) > joint.break_force ||
            static_cast<double>(length(memory.torque)) > joint.break_torque)
            step.outcome.broken.push_back(slot);
    };
    for (const std::vector<JointConstraint>* joints :
         {&step.scratch.joints, &step.scratch.track_joints})
        for (const JointConstraint& constraint : *joints) check(constraint.joint);
    for (const GearConstraint& gear : step.scratch.gears) check(gear.joint);
}

template void store_all_impulses<1>(StepData&);
template void store_all_impulses<4>(StepData&);
template void store_all_impulses<8>(StepData&);

} // namespace rigor::fast
