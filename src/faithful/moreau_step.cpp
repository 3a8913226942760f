#include "faithful/moreau_step.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_reports.h"
#include "contact_dynamics/initial_overlap.h"
#include "contact_dynamics/joint_impulses.h"
#include "contact_dynamics/record_motion.h"
#include "faithful/moreau/contact_impulses.h"
#include "faithful/moreau/detect_contacts.h"
#include "faithful/moreau/group_reports.h"
#include "faithful/moreau/position_correction.h"
#include "faithful/moreau/substep_motion.h"

namespace rigor::faithful {
namespace {

constexpr double kMaxSubstep = 1.0 / 240; // s
constexpr int kMaxContactRounds = 4;      // to find all contacts that close within a substep

std::vector<ContactGroup> solve_groups(MoreauData& data, double h) {
    std::vector<ContactGroup> groups = contact_groups(data.state, data.world);
    for (ContactGroup& group : groups) {
        apply_impulses(data.state, joint_impulses(data.state, {h, h}, group.island), group);
        project_joints(data.state, group);
        solve_contact_impulses(data, group, h);
        store_motion(data.state, group, data.world);
    }
    return groups;
}

/// Solves the contacts of a substep and moves the bodies to its end. If contacts that were not
/// detected at the start penetrate there, the substep is solved again with them included.
std::vector<ContactGroup> solve_contacts_and_move(MoreauData& data, double h) {
    Island& world = data.world;
    const std::vector<BodyMotion> start = world.motion;
    for (int round = 1;; ++round) {
        std::vector<ContactGroup> groups = solve_groups(data, h);
        std::vector<Contact> known_contacts = world.contacts;
        const std::vector<BodyMotion> solved = world.motion;
        integrate_positions(data.state, world, h);
        correct_free_flight(data, groups, h);
        detect_contacts(data, 0, 0);
        if (deepest_gap(world) > -kMaxPenetration || round == kMaxContactRounds ||
            deadline_has_passed()) {
            record_external_work(data, solved, h);
            return groups;
        }
        for (const Contact& c : world.contacts)
            if (closest_points_of(c, world).gap < -kMaxPenetration) known_contacts.push_back(c);
        world.contacts = std::move(known_contacts);
        world.motion = start;
    }
}

/// A substep from its begin, a time of the step, with the impulses of all groups.
void record_substep(MoreauData& data, std::span<const ContactGroup> groups, double begin,
                    double h) {
    if (!data.world.joints.empty()) {
        data.outcome.trace.records.push_back(unrecorded(begin, "fixed substeps with joints"));
        return;
    }
    Island before = data.world, after = data.world;
    before.motion = data.motion_before;
    before.time = begin, after.time = begin + h;
    ImpulseRecord record(data.state, before, MotionRecord::Kind::substep);
    for (const ContactGroup& group : groups)
        for (std::size_t i = 0; i < group.impulses.size(); ++i)
            if (group.impulses[i] != Vec3d{})
                record.add_contact(group.island.contacts[i], group.frames[i], group.impulses[i],
                                   group.island.contacts[i].material.kinetic_friction,
                                   group.island.contacts[i].material.restitution);
    record.finish(after);
    data.outcome.trace.add(after.trace);
}

void substep(MoreauData& data, double begin, double h) {
    data.motion_before = data.world.motion;
    apply_external_forces(data, h);
    detect_contacts(data, h, 0);
    std::vector<ContactGroup> groups = solve_contacts_and_move(data, h);
    report_groups(data, h, groups);
    remove_penetration(data);
    if (data.outcome.trace.is_wanted) record_substep(data, groups, begin, h);
}

/// Deep overlaps pair by pair first: the least displacement of a heap that begins at one position
/// is a problem of thousands of contacts.
void part_deep_overlaps(MoreauData& data) {
    const std::vector<BodyMotion> before = data.world.motion;
    if (!resolve_initial_overlap(data.state, data.world.bodies, 0, data.context.team, data.world))
        return;
    const std::vector<double> work = displacement_work(data.state, before, data.world);
    for (std::size_t i = 0; i < work.size(); ++i)
        if (data.world.bodies[i] != kWorldBody)
            data.outcome.work.by_body[data.world.bodies[i]].contact_normal += work[i];
}

} // namespace

StepOutcome moreau_step(const StepContext& context, double dt) {
    const StageTimer timer(context.profile, "fixed steps");
    MoreauData data(context, dt);
    const int substeps = std::max(1, static_cast<int>(std::ceil(dt / kMaxSubstep)));
    const double h = dt / substeps;
    for (int i = 0; i < substeps && !deadline_has_passed(); ++i) substep(data, i * h, h);
    write_motion(data);
    report_impulses(data);
    report_angles(data.state, data.world, data.outcome.joints);
    data.outcome.statistics.fixed_steps = substeps;
    data.outcome.statistics.crowded_count = data.pair_predictor.crowded_count();
    data.outcome.reached = dt;
    return std::move(data.outcome);
}

StepWork resolve_penetration(const StepContext& context, MotionTrace& corrections) {
    MoreauData data(context, 0);
    const Island before = data.world;
    part_deep_overlaps(data);
    detect_contacts(data, 0, 0);
    remove_penetration(data);
    write_motion(data);
    if (context.records_motion) {
        Island after = before;
        after.motion = data.world.motion;
        ImpulseRecord(data.state, before, MotionRecord::Kind::correction).finish(after);
        corrections.add(after.trace);
    }
    return std::move(data.outcome.work);
}

} // namespace rigor::faithful
