#include "contact_dynamics/resolve_event.h"

#include <algorithm>
#include <cmath>

#include "base/deadline.h"
#include "contact_dynamics/constraint_projection.h"
#include "contact_dynamics/contact_couples.h"
#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/contact_modes.h"
#include "contact_dynamics/contact_problem.h"
#include "contact_dynamics/record_motion.h"
#include "dynamics/energy.h"

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

/// Whether the time of the next impact of a ball has a closed form, however soon it is.
bool has_closed_form(const WorldState& state, const ShapePair& pair) {
    const auto is_exact = [&](std::uint32_t shape) {
        const auto& solid = state.shapes[shape].geometry.solid;
        return std::holds_alternative<Sphere<double>>(solid) ||
               std::holds_alternative<Plane<double>>(solid);
    };
    return is_exact(pair.a) && is_exact(pair.b);
}

double restitution_threshold(const WorldState& state, const Laws& laws, const Island& island) {
    const auto is_ball = [](const BodyFeature& feature) {
        return feature.form == FeatureForm::point && feature.radius > 0;
    };
    const auto is_round = [&](const Contact& c) {
        return is_ball(c.geometry.a) || is_ball(c.geometry.b);
    };
    const bool is_alone = island.contacts.size() == 1 && island.joints.empty();
    const Tolerances& t = laws.tolerances;
    if (!is_alone || !is_round(island.contacts[0])) return t.restitution_threshold;
    return has_closed_form(state, island.contacts[0].shapes)
               ? t.ball_restitution_threshold
               : t.searched_ball_restitution_threshold;
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
                   std::span<const Vec3d> impulses, const Island& before, Island& after) {
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
    const std::vector<double> reactions = contacts.joint_reactions(impulses);
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
    const bool bounces = fastest_approach > restitution_threshold(state, laws, island);
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
    // Contacts that rest approach by rounding errors: whether one hits alone must not depend on it.
    settings.threshold = laws.tolerances.slip_speed;
    const ImpactsOutcome outcome = solve_impacts(problem, settings);
    const Island before = island.trace.is_wanted ? island : Island{};
    const std::vector<RowImpulse> applied =
        contacts.row_impulses(outcome.r, [](std::size_t) { return &WorkLedger::impact; });
    record_work(apply_impulses(state, applied, island), island);
    if (island.trace.is_wanted)
        record_impact(state, laws, approach, problem, contacts, outcome.r, before, island);
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const ContactFrame& frame = contacts.frames()[i];
        island.contacts[i].impulse += in_world(frame, outcome.r[i]);
        if (problem.u[i].z < 0 && outcome.r[i].z > 0)
            statistics.hits.push_back({island.contacts[i].shapes, frame.point, frame.normal,
                                       -problem.u[i].z, outcome.r[i].z});
    }
    ++statistics.impact_count;
    statistics.impulse_count += outcome.impulses;
    constexpr double kEffortOfProduct = 0.05; // that of an evaluation of forces takes 6 a contact
    statistics.impact_effort += kEffortOfProduct * static_cast<double>(outcome.products);
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
    for (int round = 0; round < kMaxRounds && !deadline_has_passed(); ++round) {
        Island trial = island;
        apply_impulses(state, couples.row_impulses(&WorkLedger::impact), trial);
        StepStatistics unused;
        std::vector<Vec3d> impulses(island.contacts.size());
        apply_impact_law(state, laws, approach, trial, unused, impulses);
        const double change = couples.update(kinematics_of(state, trial), impulses);
        if (change <= 1e-14 * largest_normal(impulses)) break;
    }
    Island with_couples = island;
    StepStatistics own;
    std::vector<Vec3d> impulses(island.contacts.size());
    record_work(apply_impulses(state, couples.row_impulses(&WorkLedger::impact), with_couples),
                with_couples);
    ImpactResult result = apply_impact_law(state, laws, approach, with_couples, own, impulses);
    // Friction turns a rotation around during an impact in rare cases, where a couple that acts
    // against the final one would have driven it. Such an impact is left to the contacts alone.
    if (couples.work(bodies, kinematics_of(state, with_couples)) >
        1e-12 * kinetic_energy(state, island))
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

/// Contacts that touch and were parting, until an impact of others drove them back, are hit too.
bool include_approaching(const WorldState& state, const Tolerances& tolerances, Island& island) {
    if (island.near_contacts.empty()) return false;
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    const auto hit = std::stable_partition(
        island.near_contacts.begin(), island.near_contacts.end(), [&](const Contact& c) {
            const ContactFrame frame = frame_of(c, bodies);
            return !(frame.gap <= tolerances.touch_distance &&
                     dot(relative_velocity(frame, bodies[c.a], bodies[c.b]), frame.normal) <
                         -tolerances.slip_speed);
        });
    const bool any = hit != island.near_contacts.end();
    island.contacts.insert(island.contacts.end(), hit, island.near_contacts.end());
    island.near_contacts.erase(hit, island.near_contacts.end());
    return any;
}

/// Impacts at one instant: those of the touching contacts, and of all that these drive together.
ImpactResult solve_impacts_at_instant(const WorldState& state, const Laws& laws, Island& island,
                                      StepStatistics& statistics) {
    ImpactResult result = solve_impacts_at_contacts(state, laws, 0, island, statistics);
    while (result.fastest_approach > 0 && include_approaching(state, laws.tolerances, island)) {
        ImpactResult next = solve_impacts_at_contacts(state, laws, 0, island, statistics);
        result.u = std::move(next.u);
        result.fastest_approach = std::max(result.fastest_approach, next.fastest_approach);
    }
    return result;
}

/// Contacts that part now, with velocities u, are near ones from here on.
void release_separating(std::span<const Vec3d> u, double slip_threshold, Island& island) {
    std::vector<Contact> remaining;
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const bool separates = u[i].z > slip_threshold;
        if (separates) end_contact(island.contacts[i], island);
        (separates ? island.near_contacts : remaining).push_back(island.contacts[i]);
    }
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

void resolve_event(const WorldState& state, const Laws& laws, Island& island,
                   StepStatistics& statistics) {
    update_joint_actions(state, laws, island);
    // Where an impact is slow, what parts from it too slowly to be followed does not: so cascades
    // come to an end.
    constexpr double kSlowImpactRatio = 100; // times the speed that cannot be followed
    const double threshold = restitution_threshold(state, laws, island);
    const ImpactResult hit = solve_impacts_at_instant(state, laws, island, statistics);
    const bool ends_bouncing =
        hit.fastest_approach > 0 && hit.fastest_approach < kSlowImpactRatio * threshold;
    const double slip_threshold = ends_bouncing ? threshold : laws.tolerances.slip_speed;
    release_separating(hit.u, slip_threshold, island);
    island.modes_decided = true;
    if (island.contacts.empty() && island.joints.empty()) return;
    set_projection_modes(state, slip_threshold, island);
    // What is too slow to be followed is taken off: after an impact, the last of its bounces.
    double WorkLedger::*const entry =
        hit.fastest_approach > 0 ? &WorkLedger::impact : &WorkLedger::contact_normal;
    record_work(project_constraints(state, island, entry), island);
    // Where no force can hold a sliding contact, an impulse does, though nothing collides.
    constexpr double kVirtualApproach =
        1e-8; // m/s: what nothing approaches by, for the law of impact
    if (!decide_modes(state, laws, island, statistics) &&
        !(solve_impacts_at_contacts(state, laws, kVirtualApproach, island, statistics)
                  .fastest_approach > 0 &&
          decide_modes(state, laws, island, statistics)))
        ++statistics.unsolved_count;
    for (Contact& c : island.contacts)
        if (c.is_separating) end_contact(c, island);
    release_open(island.contacts, island.near_contacts);
    release_open(island.limits, island.near_limits);
    record_work(project_constraints(state, island, entry), island);
}

} // namespace rigor::contact_dynamics
