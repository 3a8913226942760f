#include "faithful/moreau/position_correction.h"

#include <algorithm>

#include "contact_dynamics/constraint_projection.h"
#include "contact_dynamics/contact_problem.h"
#include "faithful/moreau/contact_impulses.h"
#include "faithful/moreau/detect_contacts.h"
#include "rigor/rotation.h"

namespace rigor::faithful {
namespace {

constexpr double kMarginRatio = 4; // detection margin relative to the deepest penetration

/// The contact problem without friction whose velocities are the gaps.
FrictionProblem gap_problem(const Island& island) {
    FrictionProblem problem;
    for (const Contact& c : island.contacts) {
        problem.q.push_back({0, 0, closest_points_of(c, island).gap});
        problem.mu.push_back(0);
    }
    return problem;
}

/// W with a compliance of each contact, relative to its own entry. Between walls that leave a body
/// less room than it needs, rigid contacts have no solution and threw it a kilometer away; soft
/// ones share the penetration out. Elsewhere they leave as much of it as the compliance is.
BlockMatrix with_compliance(const BlockMatrix& w) {
    constexpr double kCompliance = 1e-4;
    BlockMatrix soft;
    for (std::size_t i = 0; i < w.rows(); ++i) {
        std::vector<BlockEntry> row(w.row(i).begin(), w.row(i).end());
        for (BlockEntry& entry : row)
            if (entry.column == i) entry.block = entry.block + entry.block * kCompliance;
        soft.add_row(row);
    }
    return soft;
}

/// The part of a displacement that may be made: contacts are known up to a margin only, so that no
/// gap may change by more.
double trusted_part(const FrictionProblem& problem, std::span<const Vec3d> impulses,
                    double margin) {
    std::vector<Vec3d> displacements(impulses.size());
    add_product(problem.w, impulses, displacements);
    double farthest = 0;
    for (const Vec3d& d : displacements) farthest = std::max(farthest, length(d));
    return farthest > margin ? margin / farthest : 1;
}

/// Displaces the bodies of an island by the least amount, in the metric of kinetic energy, after
/// which no contact penetrates to first order.
void project_penetration(const WorldState& state, Island& island, StepStatistics& statistics) {
    FrictionProblem problem = gap_problem(island);
    double deepest = 0;
    for (const Vec3d& gap : problem.q) deepest = std::min(deepest, gap.z);
    if (deepest > -kMaxPenetration) return;
    const ContactProblem contacts(state, island, island.contacts);
    problem.w = with_compliance(contacts.matrix());
    const std::vector<Vec3d> of_contacts = solve_contact_problem(problem, statistics).r;
    const double part = trusted_part(problem, of_contacts, -kMarginRatio * deepest);
    const std::vector<SpatialVector> impulses = contacts.body_impulses(of_contacts);
    const std::vector<BodyMotion> before = island.motion;
    for (std::size_t k = 0; k < island.bodies.size(); ++k) {
        if (!responds_to_impulses(state, island.bodies[k])) continue;
        const SpatialVector displacement = response(contacts.bodies()[k], impulses[k]);
        BodyMotion& m = island.motion[k];
        m.x += part * displacement.linear;
        m.q = normalize(from_rotation_vector(part * displacement.angular) * m.q);
    }
    for (const double work : displacement_work(state, before, island))
        island.work.contact_normal += work;
}

} // namespace

void remove_penetration(MoreauData& data) {
    Island& world = data.world;
    for (int i = 0; i < kMaxIterations && deepest_gap(world) < -kMaxPenetration; ++i) {
        if (deadline_has_passed()) return;
        const double margin = -kMarginRatio * deepest_gap(world);
        const std::vector<Contact> known_contacts = std::move(world.contacts);
        detect_contacts(data, 0, margin);
        for (const Contact& c : known_contacts)
            if (closest_points_of(c, world).gap < margin) world.contacts.push_back(c);
        for (ContactGroup& group : contact_groups(data.state, world)) {
            project_penetration(data.state, group.island, data.outcome.statistics);
            const std::vector<BodyKinematics> before = kinematics_of(data.state, group.island);
            project_joints(data.state, group);
            record_work(work_of(group.applied, before, kinematics_of(data.state, group.island)),
                        group.island);
            data.outcome.work.record(data.state, group.island);
            store_motion(data.state, group, world);
        }
    }
}

void project_joints(const WorldState& state, ContactGroup& group) {
    Island& island = group.island;
    if (island.joints.empty()) return;
    std::vector<Contact> contacts;
    contacts.swap(island.contacts);
    record_work(project_positions(state, island), island);
    apply_impulses(state, velocity_corrections(state, island), group);
    contacts.swap(island.contacts);
}

} // namespace rigor::faithful
