#include "fast/constraint_blocks.h"

#include <algorithm>

#include "fast/contact_kernels.h"
#include "fast/system_kernels.h"

namespace rigor::fast {
namespace {

// Of contact softness, times the length of a substep: 30 Hz at 60 Hz with 4 substeps. What one
// sweep can damp depends on this product, and the sag of what rests falls with the square of h.
constexpr float kContactFrequency = 0.125f;
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

/// Contacts of demanding islands get colors of their own, after all others. Returns how many colors
/// there are.
std::uint32_t set_apart_demanding(Scratch& scratch, std::uint32_t colors) {
    scratch.swept_colors = colors;
    if (scratch.demanding.count == 0) return colors;
    for (std::size_t i = 0; i < scratch.contacts.size(); ++i)
        if (scratch.demanding.of_contact[i] != DemandingIslands::kNone) scratch.colors[i] += colors;
    return 2 * colors;
}

/// The largest point count of a block: its lanes are sorted, those with the most points first.
int max_points(const Scratch& scratch, const BlockPlan::Block& plan) {
    return scratch.contacts[scratch.contact_plan.order[plan.first]].count;
}

/// Where the points of each block begin. Returns how many there are in all.
std::size_t number_points(Scratch& scratch) {
    std::uint32_t points = 0;
    scratch.first_points.clear();
    scratch.first_points.reserve(scratch.contact_plan.blocks.capacity());
    for (const BlockPlan::Block& plan : scratch.contact_plan.blocks) {
        scratch.first_points.push_back(points);
        points += static_cast<std::uint32_t>(max_points(scratch, plan));
    }
    return points;
}

ContactSoftness contact_softness(const StepData& step, const SolverPart& part) {
    const float h = part.substep(step.h), hertz = kContactFrequency / h;
    return {make_soft(hertz, kContactDamping, h), make_soft(2 * hertz, kContactDamping, h),
            0.5f * static_cast<float>(step.dt), static_cast<float>(part.divisions)};
}

/// Gives the contacts of each part colors of their own, after those of the common part. Returns how
/// many there are.
std::uint32_t separate_contacts(Scratch& scratch, std::uint32_t colors) {
    std::vector<SolverPart>& parts = scratch.parts.parts;
    parts[0].contact_colors_end = colors;
    if (scratch.parts.of_contact.empty()) return colors;
    const std::vector<std::uint32_t>& part_of = scratch.parts.of_contact;
    for (std::size_t i = 0; i < part_of.size(); ++i) {
        if (part_of[i] == 0) continue;
        std::uint32_t& count = parts[part_of[i]].contact_colors_end;
        count = std::max(count, scratch.colors[i] + 1);
    }
    for (std::size_t p = 1; p < parts.size(); ++p) {
        parts[p].contact_colors_begin = colors;
        parts[p].contact_colors_end = colors += parts[p].contact_colors_end;
    }
    for (std::size_t i = 0; i < part_of.size(); ++i)
        if (part_of[i] != 0) scratch.colors[i] += parts[part_of[i]].contact_colors_begin;
    return colors;
}

/// Where the contact blocks of a part begin.
void find_contact_blocks(const BlockPlan& plan, SolverPart& part) {
    if (part.contact_colors_begin == part.contact_colors_end) return;
    part.contacts_begin = static_cast<std::uint32_t>(plan.colors[part.contact_colors_begin].begin);
    part.contacts_end = static_cast<std::uint32_t>(plan.colors[part.contact_colors_end - 1].end);
}

/// Gives the joints of each part colors of their own: first those of systems, each position of a
/// bundle one, then those of the others. Returns how many there are.
std::uint32_t separate_parts(Scratch& scratch) {
    std::vector<SolverPart>& parts = scratch.parts.parts;
    const std::vector<std::uint32_t>& part_of = scratch.parts.of_joint;
    for (SolverPart& part : parts) part.colors_end = part.system_colors;
    for (std::size_t i = 0; i < part_of.size(); ++i) {
        SolverPart& part = parts[part_of[i]];
        const std::uint32_t direct = scratch.systems.colors[i];
        std::uint32_t& color = scratch.colors[i];
        color = direct != JointSystems::kNone ? direct : part.system_colors + color;
        part.colors_end = std::max(part.colors_end, color + 1);
    }
    std::uint32_t colors = 0;
    for (SolverPart& part : parts) {
        part.colors_begin = colors;
        part.colors_end = colors += part.colors_end;
    }
    for (std::size_t i = 0; i < part_of.size(); ++i)
        scratch.colors[i] += parts[part_of[i]].colors_begin;
    return colors;
}

/// Where the blocks of a part and of its systems begin, once there is a plan, and what the latter
/// need.
template <int W>
void find_blocks(Scratch& scratch, SolverPart& part, std::size_t& values, std::size_t& rows) {
    if (part.colors_begin == part.colors_end) return;
    const std::vector<BlockPlan::Color>& colors = scratch.joint_plan.colors;
    part.blocks_begin = static_cast<std::uint32_t>(colors[part.colors_begin].begin);
    part.blocks_end = static_cast<std::uint32_t>(colors[part.colors_end - 1].end);
    for (std::uint32_t b = part.bundles_begin; b < part.bundles_end; ++b) {
        JointSystems::Bundle& bundle = scratch.systems.bundles[b];
        const EliminationPlan& plan = scratch.systems.plans[bundle.plan];
        bundle.first_block =
            static_cast<std::uint32_t>(colors[part.colors_begin + bundle.first_color].begin);
        bundle.values = values;
        bundle.rows = rows;
        values += values_needed<W>(plan);
        rows += 2 * 6 * plan.joints.size(); // and as many to find the mass of a freedom
    }
}

/// Of a joint whose axis is held from the other side now. What is solved with one linear step must
/// not begin with these impulses: four-bar linkages of thin rods would gain energy.
void forget_axes(StepData& step, const JointConstraint& joint) {
    JointMemory& memory = memory_of(step.memory.joints, step.state, joint.joint);
    if (memory.a_spins != joint.layout.a_spins) memory.impulses[3] = memory.impulses[4] = 0;
}

template <int W>
void fill_joint_block(StepData& step, std::size_t i) {
    Scratch& scratch = step.scratch;
    const BlockPlan::Block& plan = scratch.joint_plan.blocks[i];
    JointBlock<W>& block = scratch.joint_blocks.of<W>()[i];
    reset_block<W>(block, scratch.joints[scratch.joint_plan.order[plan.first]].layout);
    for (std::uint32_t lane = 0; lane < plan.count; ++lane) {
        const std::uint32_t at = scratch.joint_plan.order[plan.first + lane];
        if (!scratch.parts.of(at).may_divide) forget_axes(step, scratch.joints[at]);
        fill_lane<W>(block, lane, scratch.joints[at], step.state, scratch.bodies,
                     step.memory.joints, scratch.parts.of(at).substep(step.h));
    }
    const std::uint32_t at = scratch.joint_plan.order[plan.first];
    if (scratch.parts.of(at).is_careful) // limits are no rows of the matrix then
        for (std::size_t k = 0; k < block.layout.dofs; ++k) block.dofs[k].side = {};
    // All lanes are alike.
    block.is_of_tree = scratch.systems.colors[at] != JointSystems::kNone &&
                       scratch.parts.of(at).may_divide && block.relax_scale[0] > 0;
}

void fill_tracks(StepData& step, const SolverPart& part) {
    Scratch& scratch = step.scratch;
    for (std::uint32_t i = part.tracks_begin; i < part.tracks_end; ++i)
        scratch.tracks[i] = make_track(scratch.track_joints[i], step.state, scratch.bodies,
                                       step.memory.joints, part.substep(step.h));
}

void fill_gears(StepData& step, const SolverPart& part) {
    Scratch& scratch = step.scratch;
    for (std::uint32_t i = part.gears_begin; i < part.gears_end; ++i)
        scratch.gears[i] = make_gear(scratch.gear_joints[i], step.state, scratch.bodies,
                                     step.memory.joints, part.substep(step.h));
}

template <int W>
void fill_contact_block(StepData& step, std::size_t i) {
    Scratch& scratch = step.scratch;
    const BlockPlan::Block& plan = scratch.contact_plan.blocks[i];
    ContactBlock<W>& block = scratch.contact_blocks.of<W>()[i];
    PointBlock<W>* points = scratch.contact_points.of<W>().data();
    const std::uint32_t first = scratch.contact_plan.order[plan.first];
    const SolverPart& part = scratch.parts.parts[scratch.parts.number_of_contact(first)];
    const ContactSoftness softness = contact_softness(step, part);
    reset_block<W>(block, points, scratch.first_points[i], max_points(scratch, plan),
                   scratch.has_surfaces ? &scratch.surface_blocks.of<W>()[i] : nullptr);
    for (std::uint32_t lane = 0; lane < plan.count; ++lane) {
        const std::uint32_t at = scratch.contact_plan.order[plan.first + lane];
        fill_lane<W>(block, points, lane, scratch.contacts[at], scratch.bodies, softness);
    }
    prepare_blocks<W>(&block, 1, points, scratch.bodies.bodies.data(),
                      step.restitution_threshold());
}

} // namespace

void prefetch_contacts(const Scratch& scratch, std::size_t block) {
    const BlockPlan& plan = scratch.contact_plan;
    if (block >= plan.blocks.size()) return;
    const BlockPlan::Block& next = plan.blocks[block];
    for (std::uint32_t lane = 0; lane < next.count; ++lane)
        prefetch_manifold(*scratch.contacts[plan.order[next.first + lane]].manifold);
}

namespace {

/// The number of blocks varies a little from step to step: with an eighth more room than they need
/// they are soon at rest in their memory.
template <class T>
void resize_with_room(std::vector<T>& blocks, std::size_t size) {
    if (size > blocks.capacity()) blocks.reserve(size + size / 8);
    blocks.resize(size);
}

} // namespace

template <int W>
void fill_contact_blocks(StepData& step) {
    Scratch& scratch = step.scratch;
    const std::vector<ContactConstraint>& contacts = scratch.contacts;
    const std::uint32_t colors =
        separate_contacts(scratch, set_apart_demanding(scratch, color(scratch, contacts)));
    scratch.contact_plan.make(
        scratch.colors, colors, 4,
        [&](std::size_t i) { return static_cast<std::uint32_t>(4 - contacts[i].count); }, W, false);
    std::vector<ContactBlock<W>>& blocks = scratch.contact_blocks.of<W>();
    resize_with_room(blocks, scratch.contact_plan.blocks.size());
    resize_with_room(scratch.contact_points.of<W>(), number_points(scratch));
    if (scratch.has_surfaces) resize_with_room(scratch.surface_blocks.of<W>(), blocks.size());
    for (SolverPart& part : scratch.parts.parts) find_contact_blocks(scratch.contact_plan, part);
    for_blocks(step.context.team, scratch.contact_plan,
               [&](std::size_t i, const BlockPlan::Block&) {
                   prefetch_contacts(scratch, i + 1);
                   fill_contact_block<W>(step, i);
               });
    find_facet_contacts(scratch.pairs, contacts, scratch.contact_plan, scratch.facets);
    find_fresh_contacts(contacts, scratch.bodies, scratch.contact_plan, step.dt, scratch.fresh);
}

template <int W>
void fill_joint_blocks(StepData& step) {
    Scratch& scratch = step.scratch;
    const std::vector<JointConstraint>& joints = scratch.joints;
    const std::vector<std::uint64_t>& layouts = scratch.joint_layouts;
    find_systems(step, W);
    color(scratch, joints);
    scratch.joint_plan.make(
        scratch.colors, separate_parts(scratch), static_cast<std::uint32_t>(layouts.size()),
        [&](std::size_t i) {
            const auto at = std::find(layouts.begin(), layouts.end(), joints[i].layout.key());
            return static_cast<std::uint32_t>(at - layouts.begin());
        },
        W, true, scratch.systems.sequence);
    std::size_t values = 0, rows = 0;
    for (SolverPart& part : scratch.parts.parts) find_blocks<W>(scratch, part, values, rows);
    scratch.systems.values.resize(values);
    scratch.system_rows.of<W>().resize(rows);
    scratch.system_errors.of<W>().resize(scratch.systems.bundles.size());
    std::vector<JointBlock<W>>& blocks = scratch.joint_blocks.of<W>();
    blocks.resize(scratch.joint_plan.blocks.size());
    for_blocks(step.context.team, scratch.joint_plan,
               [&](std::size_t i, const BlockPlan::Block&) { fill_joint_block<W>(step, i); });
    scratch.tracks.resize(scratch.track_joints.size());
    scratch.gears.resize(scratch.gear_joints.size());
    for (const SolverPart& part : scratch.parts.parts) {
        fill_tracks(step, part);
        fill_gears(step, part);
    }
}

template <int W>
void fill_blocks_of(StepData& step, const SolverPart& part) {
    fill_tracks(step, part);
    fill_gears(step, part);
    for (std::size_t i = part.blocks_begin; i < part.blocks_end; ++i) fill_joint_block<W>(step, i);
    for (std::size_t i = part.contacts_begin; i < part.contacts_end; ++i)
        fill_contact_block<W>(step, i);
}

#define RIGOR_INSTANTIATE(W)                         \
    template void fill_contact_blocks<W>(StepData&); \
    template void fill_joint_blocks<W>(StepData&);   \
    template void fill_blocks_of<W>(StepData&, const SolverPart&);
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)
#undef RIGOR_INSTANTIATE

} // namespace rigor::fast
