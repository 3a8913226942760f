#include "contact_dynamics/contact_modes.h"

#include <algorithm>
#include <cmath>

#include "base/deadline.h"
#include "contact_dynamics/contact_couples.h"
#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/contact_problem.h"
#include "contact_dynamics/drive_modes.h"
#include "contact_dynamics/surface_directions.h"
#include "numeric/friction_problem.h"
#include "numeric/lcp.h"

namespace rigor::contact_dynamics {
namespace {

constexpr double kMaxMerit = 1e-8;            // merit of a solution that modes are read from
constexpr double kRoundingOfPivoting = 1e-13; // of accelerations, relative to the largest one
// Of the tolerance beyond which a mode ends, what decides for the next one: another solver, with
// other rounding, would otherwise choose the mode that has just ended, and nothing would end it
// again within the step.
constexpr double kDecisionShare = 0.5;

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
    problem.mu.resize(problem.q.size()); // limits have no friction
    problem.slip.resize(problem.q.size());
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

/// By one of the known solutions, or else by pivoting. Modes are decided by the solution of least
/// norm: where contacts are redundant, pivoting alone gives forces to some of them and none to
/// others, which would count as open.
LcpResult solve_normals(const DenseMatrix& m, std::span<const double> q, const KnownForces* known) {
    if (!known) return solve_lcp_least_norm(m, q);
    for (const std::vector<Vec3d>& forces : {known->valid, known->invalid}) {
        if (forces.size() != q.size()) continue;
        std::vector<double> normals;
        for (const Vec3d& force : forces) normals.push_back(force.z);
        LcpSettings to_rounding;
        to_rounding.tolerance = kRoundingOfPivoting;
        LcpResult result = solve_lcp_like(m, q, normals, to_rounding);
        if (result.status == LcpStatus::solved) return result;
    }
    return solve_lcp(m, q);
}

/// Where every contact slides, or has no friction, only normals are to be found: a linear
/// complementarity problem, which pivoting decides. It may have no solution (Painleve).
FrictionResult solve_sliding(const FrictionProblem& problem, const KnownForces* known) {
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
    const LcpResult lcp = solve_normals(m, q, known);
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

FrictionResult solve(const FrictionProblem& problem, const Island& island,
                     const KnownForces* known = nullptr) {
    bool all_slide = true;
    for (std::size_t i = 0; i < problem.q.size(); ++i)
        all_slide = all_slide && has_direction(problem, i);
    if (all_slide) return solve_sliding(problem, known);
    FrictionSettings settings;
    settings.tolerance = 1e-12;
    if (known && known->valid.size() == problem.q.size())
        return solve_friction(problem, settings, known->valid);
    std::vector<Vec3d> start;
    for (const Contact& c : island.contacts) start.push_back(c.force);
    for (const JointLimit& limit : island.limits) start.push_back({0, 0, limit.force});
    return solve_friction(problem, settings, start);
}

ContactMode mode_of(const Vec3d& slip, double mu, const Vec3d& a, double none) {
    if (a.z > none) return ContactMode::open;
    if (mu == 0 || length(slip) > 0) return ContactMode::slide;
    return std::sqrt(a.x * a.x + a.y * a.y) > none ? ContactMode::slide : ContactMode::stick;
}

/// A mode of a contact or limit that cannot be: it would have to pull, or would sink.
template <class C>
bool correct_mode(C& c, ContactMode closed, double force, double slack) {
    const bool pulls = c.mode != ContactMode::open && force < 0;
    const bool sinks = c.mode == ContactMode::open && slack < 0;
    if (pulls) c.mode = ContactMode::open;
    if (sinks) c.mode = closed;
    return pulls || sinks;
}

/// Whether a slip still has the direction in which it began: no impact has changed it.
bool goes_on(const Vec3d& slip, const Vec3d& direction) {
    constexpr double kSame = 1e-3; // rad
    return dot(slip, direction) > 0 && length(cross(slip, direction)) < kSame * length(slip);
}

/// Every contact stays, and what does not slip sticks.
std::vector<ContactMode> close_all(const WorldState& state, const Laws& laws, Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    const std::vector<ContactFrame> frames = frames_of(island.contacts, bodies);
    std::vector<ContactMode> closed;
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        Contact& c = island.contacts[i];
        const Vec3d slip = slip_velocity(frames[i], bodies[c.a], bodies[c.b]);
        const bool slides = length(slip) > laws.tolerances.slip_speed;
        c.slip_is_new = c.slip_is_new && c.mode == ContactMode::slide && goes_on(slip, c.slip);
        c.mode =
            slides || c.material.static_friction == 0 ? ContactMode::slide : ContactMode::stick;
        if (slides) c.slip = normalize(slip);
        closed.push_back(c.mode);
    }
    for (JointLimit& limit : island.limits) limit.mode = ContactMode::slide;
    return closed;
}

/// The guess that is right most often: every contact stays, and what does not slip sticks. Contacts
/// that would have to pull are let go, those that would sink are taken back, a few times over;
/// where the forces are then such that contacts can give, they are the answer.
bool guess_modes(const WorldState& state, const Laws& laws, Island& island) {
    const std::vector<ContactMode> closed = close_all(state, laws, island);
    const std::size_t contacts = island.contacts.size();
    constexpr int kMaxRounds = 8;
    for (int round = 0; round < kMaxRounds; ++round) {
        const IslandForces forces = forces_in_modes(state, island);
        bool changed = false;
        for (std::size_t i = 0; i < contacts; ++i) {
            Contact& c = island.contacts[i];
            c.force = forces.contacts[i];
            if (correct_mode(c, closed[i], c.force.z, forces.slacks[i])) changed = true;
        }
        for (std::size_t i = 0; i < island.limits.size(); ++i) {
            JointLimit& limit = island.limits[i];
            limit.force = forces.limits[i];
            if (correct_mode(limit, ContactMode::slide, limit.force, forces.slacks[contacts + i]))
                changed = true;
        }
        if (changed) continue;
        const auto separates = [&](ContactMode mode, std::size_t i) {
            return mode == ContactMode::open && forces.slacks[i] > laws.tolerances.relative_force;
        };
        for (std::size_t i = 0; i < contacts; ++i)
            island.contacts[i].is_separating = separates(island.contacts[i].mode, i);
        for (std::size_t i = 0; i < island.limits.size(); ++i)
            island.limits[i].is_separating = separates(island.limits[i].mode, contacts + i);
        return forces.slack >= 0;
    }
    return false;
}

bool has_slipping_couples(const Island& island) {
    return std::any_of(island.contacts.begin(), island.contacts.end(), [](const Contact& c) {
        return has_couple(c.material) && !(c.rolling.holds && c.torsion.holds);
    });
}

/// The torque of a couple that slips is in proportion to the normal force that is to be found: the
/// normal forces of one solution are those of the next problem, until they agree.
FrictionResult solve_with_couples(const WorldState& state, const ContactProblem& contacts,
                                  const Island& start, FrictionProblem& problem,
                                  const KnownForces* known = nullptr) {
    FrictionResult result = solve(problem, start, known);
    if (!has_slipping_couples(start)) return result;
    Island island = start;
    constexpr int kMaxRounds = 40;
    for (int round = 0; round < kMaxRounds && !deadline_has_passed(); ++round) {
        double change = 0;
        for (std::size_t i = 0; i < island.contacts.size(); ++i) {
            change = std::max(change, std::abs(result.r[i].z - island.contacts[i].force.z));
            island.contacts[i].force = result.r[i];
        }
        if (change <= 1e-13 * largest(result.r)) break;
        problem.q = contacts.accelerations(known_forces(state, island));
        result = solve(problem, island);
    }
    return result;
}

/// Whether the direction of a slip that begins settles much faster than the slip grows. Else an
/// integrator can follow its velocity from the start.
bool begins_slowly(const Vec3d& acceleration, double largest_acceleration) {
    constexpr double kSlow = 1e-2;
    const double tangential = acceleration.x * acceleration.x + acceleration.y * acceleration.y;
    return std::sqrt(tangential) < kSlow * largest_acceleration;
}

/// Modes of contacts and limits, while each drive and couple keeps its own.
bool decide_contact_modes(const WorldState& state, const Laws& laws, Island& island,
                          StepStatistics& statistics) {
    if (island.contacts.empty() && island.limits.empty()) return true;
    if (guess_modes(state, laws, island)) return true;
    const ContactProblem contacts(state, island, island.contacts, HeldDrives::all);
    FrictionProblem problem = acceleration_problem(contacts, island, known_forces(state, island),
                                                   laws.tolerances.slip_speed);
    const FrictionResult result = solve_with_couples(state, contacts, island, problem);
    statistics.residual = std::max(statistics.residual, result.merit);

    const double none =
        kDecisionShare * laws.tolerances.relative_force * std::max(largest(problem.q), 1e-300);
    const double no_force = laws.tolerances.relative_force * largest(result.r);
    const double accelerations = largest(problem.q);
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        Contact& c = island.contacts[i];
        const ContactFrame& frame = contacts.frames()[i];
        c.force = result.r[i];
        c.mode = mode_of(problem.slip[i], problem.mu[i], result.u[i], none);
        c.is_separating = c.mode == ContactMode::open;
        if (c.force.z <= no_force) c.mode = ContactMode::open;
        const bool slides = length(problem.slip[i]) > 0;
        const Vec3d& to = slides ? problem.slip[i] : result.u[i];
        c.slip = slip_in_world(to, frame);
        c.slip_is_new = slides ? c.slip_is_new : begins_slowly(result.u[i], accelerations);
        if (!slides) c.slip_rotation = 0;
    }
    for (std::size_t i = 0; i < island.limits.size(); ++i) {
        JointLimit& limit = island.limits[i];
        const std::size_t row = island.contacts.size() + i;
        limit.force = result.r[row].z;
        limit.mode = mode_of({}, 0, result.u[row], none);
        limit.is_separating = limit.mode == ContactMode::open;
        if (limit.force <= no_force) limit.mode = ContactMode::open;
    }
    return result.merit <= kMaxMerit;
}

} // namespace

bool decide_modes(const WorldState& state, const Laws& laws, Island& island,
                  StepStatistics& statistics) {
    start_drives(state, laws, island);
    const bool couples = has_couples(island.contacts);
    if (couples) start_couples(state, laws, island);
    const std::size_t max_rounds =
        8 + 4 * island.drives.size() + (couples ? 8 * island.contacts.size() : 0);
    for (std::size_t round = 0; round < max_rounds && !deadline_has_passed(); ++round) {
        const bool decided = decide_contact_modes(state, laws, island, statistics);
        const bool corrected = (!island.drives.empty() && correct_drive(state, laws, island)) ||
                               (couples && correct_couples(state, laws, island));
        if (!corrected) return decided;
    }
    return false;
}

std::vector<Vec3d> friction_cone_forces(const WorldState& state, const Laws& laws,
                                        const Island& island) {
    const ContactProblem contacts(state, island, island.contacts);
    const FrictionProblem problem =
        acceleration_problem(contacts, island, external_forces(state, island, island.motion),
                             laws.tolerances.slip_speed);
    return solve(problem, island).r;
}

namespace {

/// The problem of an island whose contacts keep their modes: what has just begun to slide goes on
/// to.
FrictionProblem problem_in_modes(const WorldState& state, const Laws& laws, const Island& island,
                                 const ContactProblem& contacts) {
    FrictionProblem problem = acceleration_problem(contacts, island, known_forces(state, island),
                                                   laws.tolerances.slip_speed);
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        const ContactFrame& frame = contacts.frames()[i];
        if (c.mode == ContactMode::stick) problem.slip[i] = {};
        if (c.mode == ContactMode::slide && problem.mu[i] > 0 && length(problem.slip[i]) == 0)
            problem.slip[i] =
                normalize(Vec3d{dot(c.slip, frame.tangent_1), dot(c.slip, frame.tangent_2), 0});
    }
    return problem;
}

std::vector<Vec3d> forces_of_contacts(const WorldState& state, const Laws& laws,
                                      const Island& island) {
    const ContactProblem contacts(state, island, island.contacts, HeldDrives::all);
    return solve(problem_in_modes(state, laws, island, contacts), island).r;
}

} // namespace

IslandForces admissible_forces(const WorldState& state, const Island& island) {
    const auto find = [&](const Island& in_modes) {
        return admissible_forces(state, in_modes,
                                 [&] { return forces_of_contacts(state, {}, in_modes); });
    };
    IslandForces forces = find(island);
    if (forces.error <= kSolved) return forces;
    // Contacts whose force is next to nothing count as open. What an arch at its limit needs of
    // them is missing then.
    Island closed = island;
    close_all(state, {}, closed);
    IslandForces more = find(closed);
    return more.error < forces.error ? more : forces;
}

namespace {

/// Whether contacts and limits do under this solution what their modes say.
bool agrees_with_modes(const Laws& laws, const Island& island, const FrictionProblem& problem,
                       const FrictionResult& result) {
    // Pivoting leaves rounding errors only, so contacts are let go where they begin to pull.
    const bool is_exact = result.method == FrictionMethod::pivoting;
    const double none = (is_exact ? kRoundingOfPivoting : laws.tolerances.relative_force) *
                        std::max(largest(problem.q), 1e-300);
    for (std::size_t i = 0; i < island.contacts.size(); ++i)
        if (mode_of(problem.slip[i], problem.mu[i], result.u[i], none) != island.contacts[i].mode &&
            island.contacts[i].mode != ContactMode::open)
            return false;
    for (std::size_t i = 0; i < island.limits.size(); ++i)
        if (island.limits[i].mode != ContactMode::open &&
            mode_of({}, 0, result.u[island.contacts.size() + i], none) == ContactMode::open)
            return false;
    return true;
}

} // namespace

bool modes_are_valid(const WorldState& state, const Laws& laws, const Island& now,
                     BudgetMeter& budget_meter, KnownForces& known) {
    Island with_forces; // only where a couple depends on the normal forces of now
    const bool couples = has_couples(now.contacts);
    if (couples) {
        with_forces = now;
        const std::vector<Vec3d> forces = forces_in_modes(state, now).contacts;
        for (std::size_t i = 0; i < forces.size(); ++i) with_forces.contacts[i].force = forces[i];
    }
    const Island& island = couples ? with_forces : now;
    const ContactProblem contacts(state, island, island.contacts, HeldDrives::all);
    FrictionProblem problem = problem_in_modes(state, laws, island, contacts);
    const FrictionResult result = solve_with_couples(state, contacts, island, problem, &known);
    if (!(result.merit <= kMaxMerit)) { // nothing is known that would be better
        budget_meter.charge_cascade_event();
        return true;
    }
    const bool is_valid = agrees_with_modes(laws, island, problem, result);
    (is_valid ? known.valid : known.invalid) = result.r;
    return is_valid;
}

} // namespace rigor::contact_dynamics
