#include "faithful/moreau_step.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_reports.h"
#include "contact_dynamics/joint_impulses.h"
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
        apply_impulses(data.state, joint_impulses(data.state, h, group.island), group);
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

void substep(MoreauData& data, double h) {
    data.motion_before = data.world.motion;
    data.outcome.touching.clear();
    apply_external_forces(data, h);
    detect_contacts(data, h, 0);
    std::vector<ContactGroup> groups = solve_contacts_and_move(data, h);
    report_groups(data, groups, h);
    remove_penetration(data);
}

} // namespace

StepOutcome moreau_step(const StepContext& context, double dt) {
    const StageTimer timer(context.profile, "fixed steps");
    MoreauData data(context, dt);
    const int substeps = std::max(1, static_cast<int>(std::ceil(dt / kMaxSubstep)));
    for (int i = 0; i < substeps && !deadline_has_passed(); ++i) substep(data, dt / substeps);
    write_motion(data);
    report_angles(data.state, data.world, data.outcome.joints);
    data.outcome.statistics.fixed_steps = substeps;
    data.outcome.reached = dt;
    return std::move(data.outcome);
}

StepWork resolve_penetration(const StepContext& context) {
    MoreauData data(context, 0);
    detect_contacts(data, 0, 0);
    remove_penetration(data);
    write_motion(data);
    return std::move(data.outcome.work);
}

} // namespace rigor::faithful
