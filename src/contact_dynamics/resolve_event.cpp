#include "contact_dynamics/resolve_event.h"

#include <algorithm>

#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/contact_problem.h"
#include "dynamics/energy.h"
#include "rigor/rotation.h"

namespace rigor::contact_dynamics {
namespace {

double fastest_approach(std::span<const Vec3d> u) {
    double fastest = 0;
    for (const Vec3d& v : u) fastest = std::max(fastest, -v.z);
    return fastest;
}

double rest_speed(const Laws& laws, const Island& island) {
    const auto is_ball = [](const BodyFeature& feature) {
        return feature.form == FeatureForm::point && feature.radius > 0;
    };
    const auto is_round = [&](const Contact& c) {
        return is_ball(c.geometry.a) || is_ball(c.geometry.b);
    };
    const bool is_alone = island.contacts.size() == 1 && island.joints.empty();
    return is_alone && is_round(island.contacts[0]) ? laws.tolerances.ball_rest
                                                    : laws.tolerances.rest;
}

struct Collision {
    double fastest = 0;   ///< approach; zero where nothing hit
    std::vector<Vec3d> u; ///< of the contacts, afterwards
};

/// All contacts that touch take part in an impact, also those that rest, as if they approached by
/// `approach` more than they do.
Collision collide(const WorldState& state, const Laws& laws, double approach, Island& island,
                  Story& story) {
    const ContactProblem contacts(state, island, island.contacts);
    ImpactProblem problem;
    problem.u = contacts.velocities();
    for (Vec3d& u : problem.u) u.z -= approach;
    const double fastest = fastest_approach(problem.u);
    if (!(fastest > laws.tolerances.slip)) return {0, std::move(problem.u)};
    // One that only touches is hit through the others, and bounces like them.
    const bool bounces = fastest > rest_speed(laws, island);
    problem.w = contacts.matrix();
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const ContactMaterial& material = island.contacts[i].material;
        problem.friction.push_back(material.kinetic_friction);
        problem.restitution.push_back(bounces ? material.restitution : 0);
    }
    MultiImpactSettings settings;
    settings.multi = laws.multi;
    settings.law = laws.impact;
    settings.delta = laws.delta;
    const ImpactsOutcome outcome = solve_impacts(problem, settings);
    const double before = kinetic_energy(state, island);
    apply(island, state, contacts.pushes(outcome.r));
    island.works.impact += kinetic_energy(state, island) - before;
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const ContactFrame& frame = contacts.frames()[i];
        if (problem.u[i].z < 0 && outcome.r[i].z > 0)
            story.hits.push_back({island.contacts[i].shapes, frame.point, frame.normal,
                                  -problem.u[i].z, outcome.r[i].z});
    }
    ++story.impacts;
    story.impulses += outcome.impulses;
    if (outcome.ambiguous) ++story.ambiguous;
    if (!outcome.converged) ++story.unsolved;
    add_product(problem.w, outcome.r, problem.u);
    return {fastest, std::move(problem.u)};
}

/// Contacts that part now, with velocities u, are near ones from here on.
void release_parting(std::span<const Vec3d> u, double slowest, Island& island) {
    std::vector<Contact> kept;
    for (std::size_t i = 0; i < u.size(); ++i)
        (u[i].z > slowest ? island.near : kept).push_back(island.contacts[i]);
    island.contacts = std::move(kept);
}

/// For the projection: which contacts keep their velocities along the surface.
void hold_slow(const WorldState& state, double slowest, Island& island) {
    const std::vector<BodyMoment> bodies = moments_of(state, island);
    for (Contact& c : island.contacts) {
        const ContactFrame frame = frame_of(c, bodies);
        const bool slides = c.material.static_friction == 0 ||
                            length(slip_velocity(frame, bodies[c.a], bodies[c.b])) > slowest;
        c.mode = slides ? ContactMode::slide : ContactMode::stick;
    }
}

void release_lifting(Island& island) {
    const auto kept = std::stable_partition(island.contacts.begin(), island.contacts.end(),
                                            [](const Contact& c) { return !c.parts; });
    island.near.insert(island.near.end(), kept, island.contacts.end());
    island.contacts.erase(kept, island.contacts.end());
}

/// The impulses that give all rows the rates wanted.
std::vector<Push> impulses_for(std::span<const Row> rows, std::span<const double> wanted,
                               std::span<const BodyMoment> bodies) {
    std::vector<double> lambda(rows.size());
    LeastNormSolver(couplings(rows, rows, bodies), true).solve(wanted, lambda);
    std::vector<Push> pushes(bodies.size());
    for (std::size_t i = 0; i < rows.size(); ++i) push(rows[i], lambda[i], pushes);
    return pushes;
}

void project_positions(const WorldState& state, Island& island) {
    const std::vector<BodyMoment> bodies = moments_of(state, island);
    std::vector<Row> rows = joint_rows(state, island, bodies);
    for (const Contact& c : island.contacts) {
        if (c.mode == ContactMode::open) continue;
        rows.push_back(contact_rows(frame_of(c, bodies), c.a, c.b, bodies)[2]);
    }
    std::vector<double> wanted;
    double worst = 0;
    for (const Row& row : rows) {
        wanted.push_back(-row.error);
        worst = std::max(worst, std::abs(row.error));
    }
    if (worst < 1e-15) return;
    const std::vector<Push> pushes = impulses_for(rows, wanted, bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!is_mover(state, island.bodies[i])) continue;
        const Push moved = response(bodies[i], pushes[i]);
        island.motion[i].x += moved.linear;
        island.motion[i].q = normalize(from_rotation_vector(moved.angular) * island.motion[i].q);
    }
}

void project_velocities(const WorldState& state, Island& island) {
    const std::vector<BodyMoment> bodies = moments_of(state, island);
    std::vector<Row> rows = joint_rows(state, island, bodies);
    for (const Contact& c : island.contacts) {
        if (c.mode == ContactMode::open) continue;
        const std::array<Row, 3> axes = contact_rows(frame_of(c, bodies), c.a, c.b, bodies);
        rows.push_back(axes[2]);
        if (c.mode == ContactMode::stick) rows.insert(rows.end(), {axes[0], axes[1]});
    }
    std::vector<double> wanted;
    double worst = 0;
    for (const Row& row : rows) {
        wanted.push_back(-rate(row, bodies));
        worst = std::max(worst, std::abs(wanted.back()));
    }
    if (worst < 1e-16) return;
    apply(island, state, impulses_for(rows, wanted, bodies));
}

} // namespace

double kinetic_energy(const WorldState& state, const Island& island) {
    double sum = 0;
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        const std::uint32_t body = island.bodies[i];
        if (is_mover(state, body))
            sum += rigor::kinetic_energy(island.motion[i], state.bodies.inertia[body],
                                         state.bodies.traits[body]);
    }
    return sum;
}

void project(const WorldState& state, Island& island, double Works::*entry) {
    if (island.contacts.empty() && island.joints.empty()) return;
    const double before = kinetic_energy(state, island);
    project_positions(state, island);
    project_velocities(state, island);
    island.works.*entry += kinetic_energy(state, island) - before;
}

double Works::*holding_entry(const Island& island) {
    return island.joints.empty() ? &Works::contact_normal : &Works::joints;
}

void settle(const WorldState& state, const Laws& laws, Island& island, Story& story) {
    // Where an impact is slow, what parts from it too slowly to be followed does not: so cascades
    // come to an end.
    constexpr double kSlow = 100; // times the speed that cannot be followed
    const double rest = rest_speed(laws, island);
    const Collision hit = collide(state, laws, 0, island, story);
    const bool ends = hit.fastest > 0 && hit.fastest < kSlow * rest;
    const double slowest = ends ? rest : laws.tolerances.slip;
    release_parting(hit.u, slowest, island);
    island.is_settled = true;
    if (island.contacts.empty() && island.joints.empty()) return;
    hold_slow(state, slowest, island);
    // What is too slow to be followed is taken off: after an impact, the last of its bounces.
    double Works::*const entry = hit.fastest > 0 ? &Works::impact : holding_entry(island);
    project(state, island, entry);
    // Where no force can hold a sliding contact, an impulse does, though nothing collides.
    constexpr double kNext = 1e-8; // m/s: what nothing approaches by, for the law of impact
    if (!decide_modes(state, laws, island, story) &&
        !(collide(state, laws, kNext, island, story).fastest > 0 &&
          decide_modes(state, laws, island, story)))
        ++story.unsolved;
    release_lifting(island);
    project(state, island, entry);
}

} // namespace rigor::contact_dynamics
