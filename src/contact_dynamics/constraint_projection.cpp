#include "contact_dynamics/constraint_projection.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_couples.h"
#include "contact_dynamics/directed_surfaces.h"
#include "contact_dynamics/joint_actions.h"
#include "numeric/least_norm.h"
#include "rigor/rotation.h"

namespace rigor::contact_dynamics {
namespace {

/// The rows that positions or velocities are projected on, what is to change along them, and where
/// the work of each belongs.
struct Projection {
    std::vector<ConstraintRow> rows;
    std::vector<double> target;
    std::vector<double WorkLedger::*> entries;

    void add(const ConstraintRow& row, double change, double WorkLedger::*entry) {
        rows.push_back(row);
        target.push_back(change);
        entries.push_back(entry);
    }
    double largest_change() const {
        double largest = 0;
        for (const double change : target) largest = std::max(largest, std::abs(change));
        return largest;
    }
};

/// The impulses that give all rows the rates wanted.
std::vector<RowImpulse> impulses_for(const Projection& projection,
                                     std::span<const BodyKinematics> bodies) {
    std::vector<double> lambda(projection.rows.size());
    LeastNormSolver(couplings(projection.rows, projection.rows, bodies), true)
        .solve(projection.target, lambda);
    std::vector<RowImpulse> impulses;
    for (std::size_t i = 0; i < lambda.size(); ++i)
        impulses.push_back({projection.rows[i], lambda[i], projection.entries[i]});
    return impulses;
}

} // namespace

std::vector<WorkLedger> project_positions(const WorldState& state, Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    const IslandDofs dofs = island_dofs(state, island, bodies);
    Projection projection;
    for (const HeldRow& held : held_rows(state, island, bodies, dofs, HeldDrives::unlimited))
        if (held.drive == UINT32_MAX)
            projection.add(held.row, -held.row.error, &WorkLedger::joints);
    for (const Contact& c : island.contacts) {
        if (c.mode == ContactMode::open) continue;
        const ConstraintRow normal = contact_rows(frame_of(c, bodies), c.a, c.b, bodies)[2];
        projection.add(normal, -normal.error, &WorkLedger::contact_normal);
    }
    for (const JointLimit& limit : island.limits) {
        if (limit.mode == ContactMode::open) continue;
        const ConstraintRow normal = limit_rows(dofs, limit)[2];
        projection.add(normal, -normal.error, &WorkLedger::joints);
    }
    std::vector<WorkLedger> work(bodies.size());
    if (projection.largest_change() < 1e-15) return work;
    const std::vector<BodyMotion> before = island.motion;
    std::vector<SpatialVector> impulses(bodies.size());
    for (const RowImpulse& impulse : impulses_for(projection, bodies))
        add_impulse(impulse.row, impulse.impulse, impulses);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!responds_to_impulses(state, island.bodies[i])) continue;
        const SpatialVector displacement = response(bodies[i], impulses[i]);
        island.motion[i].x += displacement.linear;
        island.motion[i].q =
            normalize(from_rotation_vector(displacement.angular) * island.motion[i].q);
    }
    double WorkLedger::*const entry =
        island.joints.empty() ? &WorkLedger::contact_normal : &WorkLedger::joints;
    const std::vector<double> done = displacement_work(state, before, island);
    for (std::size_t i = 0; i < done.size(); ++i) work[i].*entry = done[i];
    return work;
}

std::vector<RowImpulse> velocity_corrections(const WorldState& state, const Island& island,
                                             double WorkLedger::*normal_entry) {
    double WorkLedger::*const along_surface = friction_entry(normal_entry);
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    const IslandDofs dofs = island_dofs(state, island, bodies);
    Projection projection;
    for (const HeldRow& held : held_rows(state, island, bodies, dofs, HeldDrives::all))
        projection.add(held.row, held.target_rate - rate(held.row, bodies), &WorkLedger::joints);
    for (const Contact& c : island.contacts) {
        if (c.mode == ContactMode::open) continue;
        const ContactFrame frame = frame_of(c, bodies);
        const std::array<ConstraintRow, 3> axes = contact_rows(frame, c.a, c.b, bodies);
        projection.add(axes[2], -rate(axes[2], bodies), normal_entry);
        if (c.mode != ContactMode::stick) continue;
        const Vec3d belt = surface_velocity(frame);
        projection.add(axes[0], -rate(axes[0], bodies) - belt.x, along_surface);
        projection.add(axes[1], -rate(axes[1], bodies) - belt.y, along_surface);
    }
    for (const JointLimit& limit : island.limits) {
        if (limit.mode == ContactMode::open) continue;
        const ConstraintRow normal = limit_rows(dofs, limit)[2];
        projection.add(normal, -rate(normal, bodies), &WorkLedger::joints);
    }
    if (has_couples(island.contacts))
        for (const ConstraintRow& row :
             held_couple_rows(island, bodies, frames_of(island.contacts, bodies)))
            projection.add(row, -rate(row, bodies), along_surface);
    if (projection.largest_change() < 1e-16) return {};
    return impulses_for(projection, bodies);
}

std::vector<WorkLedger> project_constraints(const WorldState& state, Island& island,
                                            double WorkLedger::*normal_entry) {
    if (island.contacts.empty() && island.joints.empty())
        return std::vector<WorkLedger>(island.bodies.size());
    std::vector<WorkLedger> work = project_positions(state, island);
    const std::vector<WorkLedger> of_velocities =
        apply_impulses(state, velocity_corrections(state, island, normal_entry), island);
    for (std::size_t i = 0; i < work.size(); ++i) add(work[i], of_velocities[i]);
    return work;
}

} // namespace rigor::contact_dynamics
