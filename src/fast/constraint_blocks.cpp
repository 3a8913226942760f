#include "fast/constraint_blocks.h"

#include <algorithm>

#include "fast/contact_kernels.h"

namespace rigor::fast {
namespace {

constexpr float kContactHertz = 30;   // largest frequency of contact softness
constexpr float kContactDamping = 10; // far beyond critical: no oscillation

/// Colors of constraints in the order given, into scratch.colors. Returns how many there are.
template <class Constraint>
std::uint32_t color(Scratch& scratch, const std::vector<Constraint>& constraints) {
    scratch.coloring.reset(scratch.bodies.size());
    scratch.colors.clear();
    std::uint32_t colors = 0;
    for (const Constraint& c : constraints) {
        const std::uint32_t color = scratch.coloring.color(c.body_a, c.body_b);
        scratch.colors.push_back(color);
        colors = std::max(colors, color + 1);
    }
    return colors;
}

/// The largest point count of a block: its lanes are sorted, those with the most points first.
int max_points(const Scratch& scratch, const BlockPlan::Block& plan) {
    return scratch.contacts[scratch.contact_plan.order[plan.first]].count;
}

/// Where the points of each block begin. Returns how many there are in all.
std::size_t number_points(Scratch& scratch) {
    std::uint32_t points = 0;
    scratch.first_points.clear();
    for (const BlockPlan::Block& plan : scratch.contact_plan.blocks) {
        scratch.first_points.push_back(points);
        points += static_cast<std::uint32_t>(max_points(scratch, plan));
    }
    return points;
}

ContactSoftness contact_softness(const StepData& step) {
    const float hertz = std::min(kContactHertz, 0.25f / step.h);
    return {make_soft(hertz, kContactDamping, step.h),
            make_soft(2 * hertz, kContactDamping, step.h), 0.5f * static_cast<float>(step.dt)};
}

} // namespace

void prefetch_contacts(const Scratch& scratch, std::size_t block) {
    const BlockPlan& plan = scratch.contact_plan;
    if (block >= plan.blocks.size()) return;
    const BlockPlan::Block& next = plan.blocks[block];
    for (std::uint32_t lane = 0; lane < next.count; ++lane)
        prefetch_manifold(*scratch.contacts[plan.order[next.first + lane]].manifold);
}

template <int W>
void fill_contact_blocks(StepData& step) {
    Scratch& scratch = step.scratch;
    const std::vector<ContactConstraint>& contacts = scratch.contacts;
    const std::uint32_t colors = color(scratch, contacts);
    scratch.contact_plan.make(
        scratch.colors, colors, 4,
        [&](std::size_t i) { return static_cast<std::uint32_t>(4 - contacts[i].count); }, W, false);
    std::vector<ContactBlock<W>>& blocks = scratch.contact_blocks.of<W>();
    blocks.resize(scratch.contact_plan.blocks.size());
    scratch.contact_points.of<W>().resize(number_points(scratch));
    PointBlock<W>* points = scratch.contact_points.of<W>().data();
    std::vector<SurfaceBlock<W>>& surfaces = scratch.surface_blocks.of<W>();
    if (scratch.has_surfaces) surfaces.resize(blocks.size());
    const ContactSoftness softness = contact_softness(step);
    const float hit_speed = step.restitution_threshold();
    for_blocks(step.context.team, scratch.contact_plan,
               [&](std::size_t i, const BlockPlan::Block& plan) {
                   ContactBlock<W>& block = blocks[i];
                   prefetch_contacts(scratch, i + 1);
                   reset_block<W>(block, points, scratch.first_points[i], max_points(scratch, plan),
                                  scratch.has_surfaces ? &surfaces[i] : nullptr);
                   for (std::uint32_t lane = 0; lane < plan.count; ++lane) {
                       const std::uint32_t at = scratch.contact_plan.order[plan.first + lane];
                       fill_lane<W>(block, points, lane, contacts[at], scratch.bodies, softness);
                   }
                   prepare_blocks<W>(&block, 1, points, scratch.bodies.bodies.data(), hit_speed);
               });
    find_facet_contacts(scratch.pairs, contacts, scratch.contact_plan, scratch.facets);
    find_fresh_contacts(contacts, scratch.bodies, scratch.contact_plan, step.dt, scratch.fresh);
}

template <int W>
void fill_joint_blocks(StepData& step) {
    Scratch& scratch = step.scratch;
    const std::vector<JointConstraint>& joints = scratch.joints;
    const std::vector<std::uint64_t>& layouts = scratch.joint_layouts;
    const std::uint32_t colors = color(scratch, joints);
    scratch.joint_plan.make(
        scratch.colors, colors, static_cast<std::uint32_t>(layouts.size()),
        [&](std::size_t i) {
            const auto at = std::find(layouts.begin(), layouts.end(), joints[i].layout.key());
            return static_cast<std::uint32_t>(at - layouts.begin());
        },
        W, true);
    std::vector<JointBlock<W>>& blocks = scratch.joint_blocks.of<W>();
    blocks.resize(scratch.joint_plan.blocks.size());
    for_blocks(
        step.context.team, scratch.joint_plan, [&](std::size_t i, const BlockPlan::Block& plan) {
            reset_block<W>(blocks[i]);
            for (std::uint32_t lane = 0; lane < plan.count; ++lane) {
                const JointConstraint& joint = joints[scratch.joint_plan.order[plan.first + lane]];
                fill_lane<W>(blocks[i], lane, joint, step.state, scratch.bodies, step.memory.joints,
                             step.h);
            }
        });
}

#define RIGOR_INSTANTIATE(W)                         \
    template void fill_contact_blocks<W>(StepData&); \
    template void fill_joint_blocks<W>(StepData&);
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)
#undef RIGOR_INSTANTIATE

} // namespace rigor::fast
