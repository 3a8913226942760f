#include "contact_dynamics/constraint_projection.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_couples.h"
#include "contact_dynamics/joint_actions.h"
#include "contact_dynamics/record_motion.h"
#include "contact_dynamics/surface_directions.h"
#include "numeric/least_norm.h"
#include "rigor/rotation.h"

namespace rigor::contact_dynamics {
namespace {

/// The contact that a row belongs to, if any, and the direction of its force on b.
struct RowSource {
    std::size_t contact = SIZE_MAX;
    Vec3d direction = {};
};

/// The rows that positions or velocities are projected on, what is to change along them, where the
/// work of each belongs, and where each comes from.
struct Projection {
    std::vector<ConstraintRow> rows;
    std::vector<double> target;
    std::vector<double WorkLedger::*> entries;
    std::vector<RowSource> sources;

    void add(const ConstraintRow& row, double change, double WorkLedger::*entry,
             const RowSource& source = {}) {
        rows.push_back(row);
        target.push_back(change);
        entries.push_back(entry);
        sources.push_back(source);
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
    if (projection.largest_change() < 1e-16) return {};
    std::vector<double> lambda(projection.rows.size());
    LeastNormSolver(couplings(projection.rows, projection.rows, bodies), true)
        .solve(projection.target, lambda);
    std::vector<RowImpulse> impulses;
    for (std::size_t i = 0; i < lambda.size(); ++i)
        impulses.push_back({projection.rows[i], lambda[i], projection.entries[i]});
    return impulses;
}

/// The gap nearest to this one that a contact may keep. Closing it further would move a body in the
/// valley of two facets by as many times more as their slopes are alike, uphill or downhill.
double allowed_gap(double gap) {
    return std::clamp(gap, 0.0, 0.5 * Tolerances{}.touch_distance);
}

Projection position_projection(const WorldState& state, const Island& island,
                               std::span<const BodyKinematics> bodies) {
    const IslandDofs dofs = island_dofs(state, island, bodies);
    Projection projection;
    for (const HeldRow& held : held_rows(state, island, bodies, dofs, HeldDrives::unlimited))
        if (held.drive == UINT32_MAX)
            projection.add(held.row, -held.row.error, &WorkLedger::joints);
    for (const Contact& c : island.contacts) {
        if (c.mode == ContactMode::open) continue;
        const ConstraintRow normal = contact_rows(frame_of(c, bodies), c.a, c.b)[2];
        projection.add(normal, allowed_gap(normal.error) - normal.error,
                       &WorkLedger::contact_normal);
    }
    for (const JointLimit& limit : island.limits) {
        if (limit.mode == ContactMode::open) continue;
        const ConstraintRow normal = limit_rows(dofs, limit)[2];
        projection.add(normal, -normal.error, &WorkLedger::joints);
    }
    return projection;
}

Projection velocity_projection(const WorldState& state, const Island& island,
                               std::span<const BodyKinematics> bodies,
                               double WorkLedger::*normal_entry) {
    double WorkLedger::*const along_surface = friction_entry(normal_entry);
    const IslandDofs dofs = island_dofs(state, island, bodies);
    Projection projection;
    for (const HeldRow& held : held_rows(state, island, bodies, dofs, HeldDrives::all))
        projection.add(held.row, held.target_rate - rate(held.row, bodies), &WorkLedger::joints);
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        if (c.mode == ContactMode::open) continue;
        const ContactFrame frame = frame_of(c, bodies);
        const std::array<ConstraintRow, 3> axes = contact_rows(frame, c.a, c.b);
        projection.add(axes[2], -rate(axes[2], bodies), normal_entry, {i, frame.normal});
        if (c.mode != ContactMode::stick) continue;
        const Vec3d belt = surface_velocity(frame);
        projection.add(axes[0], -rate(axes[0], bodies) - belt.x, along_surface,
                       {i, frame.tangent_1});
        projection.add(axes[1], -rate(axes[1], bodies) - belt.y, along_surface,
                       {i, frame.tangent_2});
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
    return projection;
}

/// Moves the bodies of an island, and returns the work by body.
std::vector<WorkLedger> displace(const WorldState& state, const Projection& projection,
                                 std::span<const BodyKinematics> bodies, Island& island) {
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

/// The impulses of a projection of velocities, in the order in which its rows were added.
void record_projection(const WorldState& state, std::span<const RowImpulse> impulses,
                       const Island& before, Island& after) {
    ImpulseRecord record(state, before, MotionRecord::Kind::projection);
    const std::vector<BodyKinematics> bodies = kinematics_of(state, before);
    const IslandDofs dofs = island_dofs(state, before, bodies);
    std::size_t row = 0;
    const auto next = [&] { return impulses.empty() ? 0 : impulses[row++].impulse; };
    for (const HeldRow& held : held_rows(state, before, bodies, dofs, HeldDrives::all))
        record.add_joint_row(held.joint, held.row, next());
    for (const Contact& c : before.contacts) {
        if (c.mode == ContactMode::open) continue;
        Vec3d impulse{0, 0, next()};
        if (c.mode == ContactMode::stick) impulse.x = next(), impulse.y = next();
        record.add_contact(c, frame_of(c, bodies), impulse, c.material.kinetic_friction,
                           c.material.restitution);
    }
    for (const JointLimit& limit : before.limits)
        if (limit.mode != ContactMode::open)
            record.add_limit(limit, limit_rows(dofs, limit)[2], next());
    record.finish(after);
}

} // namespace

std::vector<WorkLedger> project_positions(const WorldState& state, Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    return displace(state, position_projection(state, island, bodies), bodies, island);
}

std::vector<RowImpulse> velocity_corrections(const WorldState& state, const Island& island,
                                             double WorkLedger::*normal_entry) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    return impulses_for(velocity_projection(state, island, bodies, normal_entry), bodies);
}

std::vector<WorkLedger> project_constraints(const WorldState& state, Island& island,
                                            double WorkLedger::*normal_entry) {
    if (island.contacts.empty() && island.joints.empty())
        return std::vector<WorkLedger>(island.bodies.size());
    const bool is_recorded = island.trace.is_wanted;
    const Island before = is_recorded ? island : Island{};
    const std::vector<BodyKinematics> start = kinematics_of(state, island);
    const Projection positions = position_projection(state, island, start);
    std::vector<WorkLedger> work = displace(state, positions, start, island);
    const Island displaced = is_recorded ? island : Island{};
    const std::vector<BodyKinematics> moved = kinematics_of(state, island);
    const Projection velocities = velocity_projection(state, island, moved, normal_entry);
    const std::vector<RowImpulse> impulses = impulses_for(velocities, moved);
    const std::vector<WorkLedger> of_velocities = apply_impulses(state, impulses, island);
    for (std::size_t i = 0; i < work.size(); ++i) add(work[i], of_velocities[i]);
    for (std::size_t i = 0; i < impulses.size(); ++i)
        if (const auto& [contact, direction] = velocities.sources[i]; contact != SIZE_MAX)
            island.contacts[contact].impulse += direction * impulses[i].impulse;
    constexpr double kNegligible = 1e-12; // m, m/s: what a checker takes for rounding
    if (is_recorded &&
        std::max(positions.largest_change(), velocities.largest_change()) > kNegligible) {
        // One after the other: the arms of the impulses are those of the bodies where they are now.
        Island recorded = displaced;
        record_projection(state, {}, before, recorded);
        recorded.motion = island.motion;
        record_projection(state, impulses, displaced, recorded);
        island.trace = std::move(recorded.trace);
    }
    return work;
}

} // namespace rigor::contact_dynamics
