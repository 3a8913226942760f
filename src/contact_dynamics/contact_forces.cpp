#include "contact_dynamics/contact_forces.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_problem.h"
#include "numeric/friction_problem.h"
#include "numeric/lcp.h"

namespace rigor::contact_dynamics {
namespace {

constexpr double kRelativeRounding =
    1e-11;                              // of accelerations, relative: what rounding makes of zero
constexpr double kMinSlipSpeed = 1e-10; // m/s: a slip faster than this has a direction of its own

/// Where it slips. Beyond the point where it stops, which a step of the integrator may try,
/// friction stays as it was: so the stop is a smooth place to pass, and can be found.
Vec3d slip_direction(const Contact& contact, const ContactFrame& frame, const BodyKinematics& a,
                     const BodyKinematics& b) {
    const Vec3d slip = slip_velocity(frame, a, b);
    if (dot(slip, contact.slip) > kMinSlipSpeed) return normalize(slip);
    return normalize(contact.slip - frame.normal * dot(contact.slip, frame.normal));
}

/// The rows that hold and the columns that push, of all contacts in their modes and all joints.
struct ModeSystem {
    std::vector<ConstraintRow> rows, columns;
    struct Owner {
        std::size_t contact;
        int axis; ///< 0, 1: tangents, 2: normal, 3: normal with the friction of a slide
        Vec3d slip;
    };
    std::vector<Owner> owners; ///< of the rows of contacts, which come first
    bool symmetric = true;
};

ModeSystem system_of(const WorldState& state, const Island& island,
                     std::span<const BodyKinematics> bodies, std::span<const ContactFrame> frames) {
    ModeSystem system;
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        if (c.mode == ContactMode::open) continue;
        const std::array<ConstraintRow, 3> rows = contact_rows(frames[i], c.a, c.b, bodies);
        if (c.mode == ContactMode::stick) {
            for (int k = 0; k < 3; ++k) {
                system.rows.push_back(rows[static_cast<std::size_t>(k)]);
                system.columns.push_back(system.rows.back());
                system.owners.push_back({i, k, {}});
            }
            continue;
        }
        system.rows.push_back(rows[2]);
        const double mu = c.material.kinetic_friction;
        ConstraintRow column = rows[2];
        Vec3d slip;
        if (mu > 0) {
            slip = slip_direction(c, frames[i], bodies[c.a], bodies[c.b]);
            const double s1 = dot(slip, frames[i].tangent_1), s2 = dot(slip, frames[i].tangent_2);
            column = combine(column, 1, combine(rows[0], s1, rows[1], s2), -mu);
            system.symmetric = false;
        }
        system.columns.push_back(column);
        system.owners.push_back({i, 3, slip});
    }
    for (const ConstraintRow& row : island_joint_rows(state, island, bodies)) {
        system.rows.push_back(row);
        system.columns.push_back(row);
    }
    return system;
}

Vec3d force_of(const ModeSystem::Owner& owner, double lambda, double mu,
               const ContactFrame& frame) {
    Vec3d force;
    if (owner.axis < 3) {
        force[owner.axis] = lambda;
        return force;
    }
    return {-mu * lambda * dot(owner.slip, frame.tangent_1),
            -mu * lambda * dot(owner.slip, frame.tangent_2), lambda};
}

/// Of a contact that touches without pushing, how fast it would part.
double slack_of(const Contact& contact, const Vec3d& force, double separation_acceleration) {
    if (contact.mode == ContactMode::open) return separation_acceleration;
    if (contact.mode == ContactMode::slide) return force.z;
    const double tangential = std::sqrt(force.x * force.x + force.y * force.y);
    return std::min(force.z, contact.material.static_friction * force.z - tangential);
}

double largest(std::span<const SpatialVector> impulses) {
    double largest_force = 0;
    for (const SpatialVector& push : impulses)
        largest_force = std::max(largest_force, length(push.linear));
    return largest_force;
}

/// As accelerations see it: which contacts already slide, and what would happen without forces.
FrictionProblem acceleration_problem(const ContactProblem& contacts, const Island& island,
                                     std::span<const SpatialVector> external,
                                     double slip_tolerance) {
    FrictionProblem problem;
    problem.w = contacts.matrix();
    problem.q = contacts.accelerations(external);
    const std::vector<Vec3d> u = contacts.velocities();
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const ContactMaterial& material = island.contacts[i].material;
        const double slip = std::sqrt(u[i].x * u[i].x + u[i].y * u[i].y);
        const bool slides = slip > slip_tolerance;
        problem.mu.push_back(slides ? material.kinetic_friction : material.static_friction);
        problem.slip.push_back(
            slides && problem.mu.back() > 0 ? Vec3d{u[i].x / slip, u[i].y / slip, 0} : Vec3d{});
    }
    return problem;
}

double largest(std::span<const Vec3d> vectors) {
    double largest_force = 0;
    for (const Vec3d& v : vectors) largest_force = std::max(largest_force, length(v));
    return largest_force;
}

bool has_direction(const FrictionProblem& problem, std::size_t i) {
    return problem.mu[i] == 0 || problem.slip[i] != Vec3d{};
}

/// Where every contact slides, or has no friction, only normals are to be found: a linear
/// complementarity problem, which pivoting decides. It may have no solution (Painleve).
FrictionResult solve_sliding(const FrictionProblem& problem) {
    const std::size_t n = problem.q.size();
    const auto force_direction = [&](std::size_t i) {
        return Vec3d{0, 0, 1} - problem.slip[i] * problem.mu[i];
    };
    DenseMatrix m(n, n);
    std::vector<double> q;
    for (std::size_t i = 0; i < n; ++i) {
        q.push_back(problem.q[i].z);
        for (const BlockEntry& entry : problem.w.row(i))
            m(i, entry.column) = (entry.block * force_direction(entry.column)).z;
    }
    const LcpResult lcp = solve_lcp(m, q);
    FrictionResult result;
    result.method = FrictionMethod::pivoting;
    result.r.resize(n);
    for (std::size_t i = 0; i < n && !lcp.z.empty(); ++i)
        result.r[i] = force_direction(i) * lcp.z[i];
    result.u = problem.q;
    add_product(problem.w, result.r, result.u);
    result.converged = lcp.status == LcpStatus::solved;
    result.merit = friction_merit(problem, result.r);
    return result;
}

FrictionResult solve(const FrictionProblem& problem, const Island& island) {
    bool all_slide = true;
    for (std::size_t i = 0; i < problem.q.size(); ++i)
        all_slide = all_slide && has_direction(problem, i);
    if (all_slide) return solve_sliding(problem);
    FrictionSettings settings;
    settings.tolerance = 1e-12;
    std::vector<Vec3d> start;
    for (const Contact& c : island.contacts) start.push_back(c.force);
    return solve_friction(problem, settings, start);
}

ContactMode mode_of(const Vec3d& slip, double mu, const Vec3d& a, double none) {
    if (a.z > none) return ContactMode::open;
    if (mu == 0 || length(slip) > 0) return ContactMode::slide;
    return std::sqrt(a.x * a.x + a.y * a.y) > none ? ContactMode::slide : ContactMode::stick;
}

/// The guess that is right most often: every contact stays, and what does not slip sticks. Contacts
/// that would have to pull are let go, those that would sink are taken back, a few times over;
/// where the forces are then such that contacts can give, they are the answer.
bool guess_modes(const WorldState& state, const Laws& laws, Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    const std::vector<ContactFrame> frames = frames_of(island.contacts, bodies);
    std::vector<ContactMode> closed;
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        Contact& c = island.contacts[i];
        const Vec3d slip = slip_velocity(frames[i], bodies[c.a], bodies[c.b]);
        const bool slides = length(slip) > laws.tolerances.slip_speed;
        c.mode =
            slides || c.material.static_friction == 0 ? ContactMode::slide : ContactMode::stick;
        if (slides) c.slip = normalize(slip);
        closed.push_back(c.mode);
    }
    constexpr int kMaxRounds = 8;
    for (int round = 0; round < kMaxRounds; ++round) {
        const IslandForces forces = forces_in_modes(state, island);
        bool changed = false;
        for (std::size_t i = 0; i < island.contacts.size(); ++i) {
            Contact& c = island.contacts[i];
            c.force = forces.contacts[i];
            const bool pulls = c.mode != ContactMode::open && c.force.z < 0;
            const bool sinks = c.mode == ContactMode::open && forces.slacks[i] < 0;
            if (pulls) c.mode = ContactMode::open;
            if (sinks) c.mode = closed[i];
            changed = changed || pulls || sinks;
        }
        if (changed) continue;
        for (std::size_t i = 0; i < island.contacts.size(); ++i)
            island.contacts[i].is_separating = island.contacts[i].mode == ContactMode::open &&
                                               forces.slacks[i] > laws.tolerances.relative_force;
        return forces.slack >= 0;
    }
    return false;
}

constexpr double kMaxMerit = 1e-8; // merit of a solution that modes are read from

} // namespace

Vec3d slip_velocity(const ContactFrame& frame, const BodyKinematics& a, const BodyKinematics& b) {
    const Vec3d u = velocity_at(b, frame.point_b) - velocity_at(a, frame.point);
    return u - frame.normal * dot(frame.normal, u);
}

std::vector<SpatialVector> external_forces(const WorldState& state, const Island& island,
                                           std::span<const BodyMotion> motion) {
    std::vector<SpatialVector> forces(island.bodies.size());
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        const std::uint32_t body = island.bodies[i];
        if (!responds_to_impulses(state, body)) continue;
        const BodyTraits& traits = state.bodies.traits[body];
        forces[i].linear =
            state.gravity * state.bodies.inertia[body].weight - motion[i].p * traits.linear_damping;
        forces[i].angular = -motion[i].l * traits.angular_damping;
        if (state.bodies.wrenches.empty()) continue;
        forces[i].linear += state.bodies.wrenches[body].force;
        forces[i].angular += state.bodies.wrenches[body].torque;
    }
    return forces;
}

IslandForces forces_in_modes(const WorldState& state, const Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    const std::vector<ContactFrame> frames = frames_of(island.contacts, bodies);
    const ModeSystem system = system_of(state, island, bodies, frames);

    IslandForces forces;
    forces.on_bodies = external_forces(state, island, island.motion);
    forces.contacts.resize(island.contacts.size());
    const double scale = std::max(largest(forces.on_bodies), 1e-300);
    std::vector<SpatialVector> accelerations(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
        accelerations[i] =
            response(bodies[i], {forces.on_bodies[i].linear,
                                 forces.on_bodies[i].angular - bodies[i].gyroscopic_torque});
    double fastest = 1e-300;
    for (const SpatialVector& a : accelerations) fastest = std::max(fastest, length(a.linear));
    std::vector<double> target, lambda(system.rows.size());
    for (const ConstraintRow& row : system.rows)
        target.push_back(-rate(row, accelerations) - row.bias_acceleration);
    const LeastNormSolver solver(couplings(system.rows, system.columns, bodies), system.symmetric);
    solver.solve(target, lambda);

    for (std::size_t i = 0; i < lambda.size(); ++i) {
        add_impulse(system.columns[i], lambda[i], forces.on_bodies);
        const double power = lambda[i] * rate(system.columns[i], bodies);
        if (i >= system.owners.size()) {
            forces.joint_power += power;
            continue;
        }
        const ModeSystem::Owner& owner = system.owners[i];
        const double normal = owner.axis < 2 ? 0 : lambda[i] * rate(system.rows[i], bodies);
        forces.contact_power += normal;
        forces.friction_power += power - normal;
        const double mu = island.contacts[owner.contact].material.kinetic_friction;
        forces.contacts[owner.contact] += force_of(owner, lambda[i], mu, frames[owner.contact]);
    }
    forces.slack = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bodies.size(); ++i)
        accelerations[i] =
            response(bodies[i], {forces.on_bodies[i].linear,
                                 forces.on_bodies[i].angular - bodies[i].gyroscopic_torque});
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        double separation_acceleration = 0;
        if (c.mode == ContactMode::open) {
            const ConstraintRow normal = contact_rows(frames[i], c.a, c.b, bodies)[2];
            separation_acceleration =
                (rate(normal, accelerations) + normal.bias_acceleration) / fastest +
                kRelativeRounding;
        }
        forces.slacks.push_back(
            slack_of(c, forces.contacts[i] * (1 / scale), separation_acceleration));
        forces.slack = std::min(forces.slack, forces.slacks.back());
    }
    return forces;
}

bool decide_modes(const WorldState& state, const Laws& laws, Island& island,
                  StepStatistics& statistics) {
    if (island.contacts.empty() || guess_modes(state, laws, island)) return true;
    const ContactProblem contacts(state, island, island.contacts);
    const FrictionProblem problem =
        acceleration_problem(contacts, island, external_forces(state, island, island.motion),
                             laws.tolerances.slip_speed);
    const FrictionResult result = solve(problem, island);
    statistics.residual = std::max(statistics.residual, result.merit);

    const double none = laws.tolerances.relative_force * std::max(largest(problem.q), 1e-300);
    const double largest_force = largest(result.r);
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        Contact& c = island.contacts[i];
        const ContactFrame& frame = contacts.frames()[i];
        c.force = result.r[i];
        c.mode = mode_of(problem.slip[i], problem.mu[i], result.u[i], none);
        c.is_separating = c.mode == ContactMode::open;
        if (c.force.z <= laws.tolerances.relative_force * largest_force) c.mode = ContactMode::open;
        const Vec3d& to = length(problem.slip[i]) > 0 ? problem.slip[i] : result.u[i];
        c.slip = normalize(frame.tangent_1 * to.x + frame.tangent_2 * to.y);
    }
    return result.merit <= kMaxMerit;
}

std::vector<Vec3d> friction_cone_forces(const WorldState& state, const Laws& laws,
                                        const Island& island) {
    const ContactProblem contacts(state, island, island.contacts);
    const FrictionProblem problem =
        acceleration_problem(contacts, island, external_forces(state, island, island.motion),
                             laws.tolerances.slip_speed);
    return solve(problem, island).r;
}

bool modes_are_valid(const WorldState& state, const Laws& laws, const Island& island,
                     BudgetMeter& budget_meter) {
    const ContactProblem contacts(state, island, island.contacts);
    FrictionProblem problem =
        acceleration_problem(contacts, island, external_forces(state, island, island.motion),
                             laws.tolerances.slip_speed);
    // What has just begun to slide goes on to.
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        const ContactFrame& frame = contacts.frames()[i];
        if (c.mode == ContactMode::stick) problem.slip[i] = {};
        if (c.mode == ContactMode::slide && problem.mu[i] > 0 && length(problem.slip[i]) == 0)
            problem.slip[i] =
                normalize(Vec3d{dot(c.slip, frame.tangent_1), dot(c.slip, frame.tangent_2), 0});
    }
    const FrictionResult result = solve(problem, island);
    if (!(result.merit <= kMaxMerit)) { // nothing is known that would be better
        budget_meter.charge_cascade_event();
        return true;
    }
    const double none = laws.tolerances.relative_force * std::max(largest(problem.q), 1e-300);
    for (std::size_t i = 0; i < island.contacts.size(); ++i)
        if (mode_of(problem.slip[i], problem.mu[i], result.u[i], none) != island.contacts[i].mode &&
            island.contacts[i].mode != ContactMode::open)
            return false;
    return true;
}

} // namespace rigor::contact_dynamics
