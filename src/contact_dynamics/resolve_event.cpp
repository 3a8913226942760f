#include "contact_dynamics/resolve_event.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_couples.h"
#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/contact_modes.h"
#include "contact_dynamics/contact_problem.h"
#include "contact_dynamics/directed_surfaces.h"
#include "contact_dynamics/record_motion.h"
#include "dynamics/energy.h"
#include "rigor/rotation.h"

namespace rigor::contact_dynamics {
namespace {

double fastest_approach_of(std::span<const Vec3d> u) {
    double fastest_approach = 0;
    for (const Vec3d& v : u) fastest_approach = std::max(fastest_approach, -v.z);
    return fastest_approach;
}

double largest_normal(std::span<const Vec3d> impulses) {
    double largest = 0;
    for (const Vec3d& r : impulses) largest = std::max(largest, r.z);
    return largest;
}

double restitution_threshold(const Laws& laws, const Island& island) {
    const auto is_ball = [](const BodyFeature& feature) {
        return feature.form == FeatureForm::point && feature.radius > 0;
    };
    const auto is_round = [&](const Contact& c) {
        return is_ball(c.geometry.a) || is_ball(c.geometry.b);
    };
    const bool is_alone = island.contacts.size() == 1 && island.joints.empty();
    return is_alone && is_round(island.contacts[0]) ? laws.tolerances.ball_restitution_threshold
                                                    : laws.tolerances.restitution_threshold;
}

struct ImpactResult {
    double fastest_approach = 0; ///< approach; zero where nothing hit
    std::vector<Vec3d> u;        ///< of the contacts, afterwards
};

/// By one contact alone its impact law decides, which is then known with its works; by several, the
/// rule of multiple impacts.
void name_law(const Laws& laws, const ImpactProblem& problem, std::span<const Vec3d> impulses,
              MotionRecord& record) {
    constexpr std::string_view kMultiNames[] = {"propagation", "simultaneous", "reflections"};
    record.law = kMultiNames[static_cast<std::size_t>(laws.multi)];
    const auto is_hit = [](const Vec3d& r) { return r != Vec3d{}; };
    if (std::count_if(impulses.begin(), impulses.end(), is_hit) != 1) return;
    const auto hit = std::find_if(impulses.begin(), impulses.end(), is_hit);
    const auto i = static_cast<std::size_t>(hit - impulses.begin());
    const ImpactOutcome alone = solve_impact(
        {problem.w.diagonal(i), problem.u[i], problem.friction[i], problem.restitution[i]},
        laws.impact, laws.delta);
    if (alone.impulse != *hit) return;
    record.law = name(laws.impact);
    record.work_compression = alone.work_compression;
    record.work_restitution = alone.work_decompression;
}

/// `before` is the island before the impulses, `after` the same with them.
void record_impact(const WorldState& state, const Laws& laws, double approach,
                   const ImpactProblem& problem, const ContactProblem& contacts,
                   std::span<const Vec3d> impulses, std::span<const double> reactions,
                   const Island& before, Island& after) {
    ImpulseRecord record(state, before, MotionRecord::Kind::impact);
    name_law(laws, problem, impulses, record.record());
    record.record().approach = approach;
    for (std::size_t i = 0; i < before.contacts.size(); ++i)
        record.add_contact(before.contacts[i], contacts.frames()[i], impulses[i],
                           problem.friction[i], problem.restitution[i]);
    for (std::size_t i = 0; i < before.limits.size(); ++i) {
        const std::size_t row = before.contacts.size() + i;
        record.add_limit(before.limits[i], contacts.rows()[row][2], impulses[row].z);
    }
    for (std::size_t i = 0; i < reactions.size(); ++i)
        record.add_joint_row(contacts.joint_of_row()[i], contacts.joint_rows()[i], reactions[i]);
    record.finish(after);
}

/// All contacts that touch take part in an impact, also those that rest, as if they approached by
/// `approach` more than they do. The impulses of the contacts are returned in `impulses`.
ImpactResult apply_impact_law(const WorldState& state, const Laws& laws, double approach,
                              Island& island, StepStatistics& statistics,
                              std::vector<Vec3d>& impulses) {
    const ContactProblem contacts(state, island, island.contacts);
    ImpactProblem problem;
    problem.u = contacts.velocities();
    for (Vec3d& u : problem.u) u.z -= approach;
    const double fastest_approach = fastest_approach_of(problem.u);
    if (!(fastest_approach > laws.tolerances.slip_speed)) return {0, std::move(problem.u)};
    // One that only touches is hit through the others, and bounces like them.
    const bool bounces = fastest_approach > restitution_threshold(laws, island);
    problem.w = contacts.matrix();
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const ContactMaterial& material = island.contacts[i].material;
        problem.friction.push_back(material.kinetic_friction);
        problem.restitution.push_back(bounces ? material.restitution : 0);
    }
    problem.friction.resize(problem.u.size()); // limits of joints: no friction, no bounce
    problem.restitution.resize(problem.u.size());
    MultiImpactSettings settings;
    settings.multi = laws.multi;
    settings.law = laws.impact;
    settings.delta = laws.delta;
    const ImpactsOutcome outcome = solve_impacts(problem, settings);
    const double before = kinetic_energy(state, island);
    std::vector<double> reactions;
    const std::vector<SpatialVector> on_bodies = contacts.body_impulses(outcome.r, &reactions);
    if (island.trace.is_wanted) {
        Island after = island;
        apply(after, state, on_bodies);
        record_impact(state, laws, approach, problem, contacts, outcome.r, reactions, island,
                      after);
        island.trace = std::move(after.trace);
    }
    apply(island, state, on_bodies);
    island.work.impact += kinetic_energy(state, island) - before;
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const ContactFrame& frame = contacts.frames()[i];
        if (problem.u[i].z < 0 && outcome.r[i].z > 0)
            statistics.hits.push_back({island.contacts[i].shapes, frame.point, frame.normal,
                                       -problem.u[i].z, outcome.r[i].z});
    }
    ++statistics.impact_count;
    statistics.impulse_count += outcome.impulses;
    if (outcome.ambiguous) ++statistics.ambiguous_count;
    if (!outcome.converged) ++statistics.unsolved_count;
    add_product(problem.w, outcome.r, problem.u);
    impulses = outcome.r;
    return {fastest_approach, std::move(problem.u)};
}

/// An impact with rolling resistance and torsional friction. Their impulses are bounded by those
/// along the normals, and change the velocities that the impact law starts from: both are found in
/// turn until they agree.
ImpactResult apply_impact_with_couples(const WorldState& state, const Laws& laws, double approach,
                                       Island& island, StepStatistics& statistics) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    CoupleImpulses couples(island.contacts, frames_of(island.contacts, bodies), bodies);
    constexpr int kMaxRounds = 200;
    for (int round = 0; round < kMaxRounds; ++round) {
        Island trial = island;
        apply(trial, state, couples.on_bodies());
        StepStatistics unused;
        std::vector<Vec3d> impulses(island.contacts.size());
        apply_impact_law(state, laws, approach, trial, unused, impulses);
        const double change = couples.update(kinematics_of(state, trial), impulses);
        if (change <= 1e-14 * largest_normal(impulses)) break;
    }
    Island with_couples = island;
    StepStatistics own;
    std::vector<Vec3d> impulses(island.contacts.size());
    const double before = kinetic_energy(state, island);
    apply(with_couples, state, couples.on_bodies());
    with_couples.work.impact += kinetic_energy(state, with_couples) - before;
    ImpactResult result = apply_impact_law(state, laws, approach, with_couples, own, impulses);
    // Friction turns a rotation around during an impact in rare cases, where a couple that acts
    // against the final one would have driven it. Such an impact is left to the contacts alone.
    if (couples.work(bodies, kinematics_of(state, with_couples)) > 1e-12 * before)
        return apply_impact_law(state, laws, approach, island, statistics, impulses);
    island = std::move(with_couples);
    add(statistics, own);
    return result;
}

ImpactResult solve_impacts_at_contacts(const WorldState& state, const Laws& laws, double approach,
                                       Island& island, StepStatistics& statistics) {
    std::vector<Vec3d> impulses;
    return has_couples(island.contacts)
               ? apply_impact_with_couples(state, laws, approach, island, statistics)
               : apply_impact_law(state, laws, approach, island, statistics, impulses);
}

/// Contacts that part now, with velocities u, are near ones from here on.
void release_separating(std::span<const Vec3d> u, double slip_threshold, Island& island) {
    std::vector<Contact> remaining;
    for (std::size_t i = 0; i < island.contacts.size(); ++i)
        (u[i].z > slip_threshold ? island.near_contacts : remaining).push_back(island.contacts[i]);
    std::vector<JointLimit> reached;
    for (std::size_t i = 0; i < island.limits.size(); ++i)
        (u[island.contacts.size() + i].z > slip_threshold ? island.near_limits : reached)
            .push_back(island.limits[i]);
    island.contacts = std::move(remaining);
    island.limits = std::move(reached);
}

/// For the projection: which contacts keep their velocities along the surface.
void set_projection_modes(const WorldState& state, double slip_threshold, Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    for (Contact& c : island.contacts) {
        const ContactFrame frame = frame_of(c, bodies);
        const bool slides = c.material.static_friction == 0 ||
                            length(slip_velocity(frame, bodies[c.a], bodies[c.b])) > slip_threshold;
        c.mode = slides ? ContactMode::slide : ContactMode::stick;
        c.rolling.holds = c.torsion.holds = false;
    }
    for (JointLimit& limit : island.limits) limit.mode = ContactMode::slide;
    // Only drives without a largest force have impulses.
    if (island.drives.empty()) return;
    const IslandDofs dofs = island_dofs(state, island, bodies);
    for (JointDrive& drive : island.drives)
        drive.holds = std::isinf(max_force(state, island, dofs, drive));
}

template <class C>
void release_open(std::vector<C>& reached, std::vector<C>& near) {
    const auto remaining = std::stable_partition(reached.begin(), reached.end(),
                                                 [](const C& c) { return !c.is_separating; });
    near.insert(near.end(), remaining, reached.end());
    reached.erase(remaining, reached.end());
}

/// The rows that positions or velocities are projected on, and what is to change along them.
struct Projection {
    std::vector<ConstraintRow> rows;
    std::vector<double> target;
    std::vector<double> impulses; ///< once solved

    void add(const ConstraintRow& row, double change) {
        rows.push_back(row);
        target.push_back(change);
    }
    double largest_change() const {
        double largest = 0;
        for (const double change : target) largest = std::max(largest, std::abs(change));
        return largest;
    }
};

/// The impulses that give all rows the rates wanted.
std::vector<SpatialVector> solve(Projection& projection, std::span<const BodyKinematics> bodies) {
    const std::vector<ConstraintRow>& rows = projection.rows;
    projection.impulses.resize(rows.size());
    LeastNormSolver(couplings(rows, rows, bodies), true)
        .solve(projection.target, projection.impulses);
    std::vector<SpatialVector> impulses(bodies.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        add_impulse(rows[i], projection.impulses[i], impulses);
    return impulses;
}

/// Returns the largest change wanted along a row.
double project_positions(const WorldState& state, Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    const IslandDofs dofs = island_dofs(state, island, bodies);
    Projection projection;
    for (const HeldRow& held : held_rows(state, island, bodies, dofs, HeldDrives::unlimited))
        if (held.drive == UINT32_MAX) projection.add(held.row, -held.row.error);
    for (const Contact& c : island.contacts) {
        if (c.mode == ContactMode::open) continue;
        const ConstraintRow normal = contact_rows(frame_of(c, bodies), c.a, c.b, bodies)[2];
        projection.add(normal, -normal.error);
    }
    for (const JointLimit& limit : island.limits) {
        if (limit.mode == ContactMode::open) continue;
        const ConstraintRow normal = limit_rows(dofs, limit)[2];
        projection.add(normal, -normal.error);
    }
    if (projection.largest_change() < 1e-15) return 0;
    const std::vector<SpatialVector> impulses = solve(projection, bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!responds_to_impulses(state, island.bodies[i])) continue;
        const SpatialVector displacement = response(bodies[i], impulses[i]);
        island.motion[i].x += displacement.linear;
        island.motion[i].q =
            normalize(from_rotation_vector(displacement.angular) * island.motion[i].q);
    }
    return projection.largest_change();
}

/// The impulses of a projection of velocities, in the order in which its rows were added.
void record_projection(const WorldState& state, const Projection& projection, const Island& before,
                       Island& after) {
    ImpulseRecord record(state, before, MotionRecord::Kind::projection);
    const std::vector<BodyKinematics> bodies = kinematics_of(state, before);
    const IslandDofs dofs = island_dofs(state, before, bodies);
    std::size_t row = 0;
    const auto next = [&] { return projection.impulses.empty() ? 0 : projection.impulses[row++]; };
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

Projection project_velocities(const WorldState& state, Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    const IslandDofs dofs = island_dofs(state, island, bodies);
    Projection projection;
    for (const HeldRow& held : held_rows(state, island, bodies, dofs, HeldDrives::all))
        projection.add(held.row, held.target_rate - rate(held.row, bodies));
    for (const Contact& c : island.contacts) {
        if (c.mode == ContactMode::open) continue;
        const ContactFrame frame = frame_of(c, bodies);
        const std::array<ConstraintRow, 3> axes = contact_rows(frame, c.a, c.b, bodies);
        projection.add(axes[2], -rate(axes[2], bodies));
        if (c.mode != ContactMode::stick) continue;
        const Vec3d belt = surface_velocity(frame);
        projection.add(axes[0], -rate(axes[0], bodies) - belt.x);
        projection.add(axes[1], -rate(axes[1], bodies) - belt.y);
    }
    for (const JointLimit& limit : island.limits) {
        if (limit.mode == ContactMode::open) continue;
        const ConstraintRow normal = limit_rows(dofs, limit)[2];
        projection.add(normal, -rate(normal, bodies));
    }
    if (has_couples(island.contacts))
        for (const ConstraintRow& row :
             held_couple_rows(island, bodies, frames_of(island.contacts, bodies)))
            projection.add(row, -rate(row, bodies));
    if (projection.largest_change() < 1e-16) return projection;
    apply(island, state, solve(projection, bodies));
    return projection;
}

} // namespace

double kinetic_energy(const WorldState& state, const Island& island) {
    double sum = 0;
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        const std::uint32_t body = island.bodies[i];
        if (responds_to_impulses(state, body))
            sum += rigor::kinetic_energy(island.motion[i], state.bodies.inertia[body],
                                         state.bodies.traits[body]);
    }
    return sum;
}

void project_constraints(const WorldState& state, Island& island, double WorkLedger::*entry) {
    if (island.contacts.empty() && island.joints.empty()) return;
    const Island start = island.trace.is_wanted ? island : Island{};
    const double before = kinetic_energy(state, island);
    const double moved = project_positions(state, island);
    const Projection velocities = project_velocities(state, island);
    island.work.*entry += kinetic_energy(state, island) - before;
    constexpr double kNegligible = 1e-12; // m, m/s: what a checker takes for rounding
    if (island.trace.is_wanted && std::max(moved, velocities.largest_change()) > kNegligible)
        record_projection(state, velocities, start, island);
}

double WorkLedger::*constraint_work_entry(const Island& island) {
    return island.joints.empty() ? &WorkLedger::contact_normal : &WorkLedger::joints;
}

void resolve_event(const WorldState& state, const Laws& laws, Island& island,
                   StepStatistics& statistics) {
    update_joint_actions(state, laws, island);
    // Where an impact is slow, what parts from it too slowly to be followed does not: so cascades
    // come to an end.
    constexpr double kSlowImpactRatio = 100; // times the speed that cannot be followed
    const double threshold = restitution_threshold(laws, island);
    const ImpactResult hit = solve_impacts_at_contacts(state, laws, 0, island, statistics);
    const bool ends_bouncing =
        hit.fastest_approach > 0 && hit.fastest_approach < kSlowImpactRatio * threshold;
    const double slip_threshold = ends_bouncing ? threshold : laws.tolerances.slip_speed;
    release_separating(hit.u, slip_threshold, island);
    island.modes_decided = true;
    if (island.contacts.empty() && island.joints.empty()) return;
    set_projection_modes(state, slip_threshold, island);
    // What is too slow to be followed is taken off: after an impact, the last of its bounces.
    double WorkLedger::*const entry =
        hit.fastest_approach > 0 ? &WorkLedger::impact : constraint_work_entry(island);
    project_constraints(state, island, entry);
    // Where no force can hold a sliding contact, an impulse does, though nothing collides.
    constexpr double kVirtualApproach =
        1e-8; // m/s: what nothing approaches by, for the law of impact
    if (!decide_modes(state, laws, island, statistics) &&
        !(solve_impacts_at_contacts(state, laws, kVirtualApproach, island, statistics)
                  .fastest_approach > 0 &&
          decide_modes(state, laws, island, statistics)))
        ++statistics.unsolved_count;
    release_open(island.contacts, island.near_contacts);
    release_open(island.limits, island.near_limits);
    project_constraints(state, island, entry);
}

} // namespace rigor::contact_dynamics
