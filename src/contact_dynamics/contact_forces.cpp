#include "contact_dynamics/contact_forces.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_couples.h"
#include "contact_dynamics/directed_surfaces.h"
#include "contact_dynamics/joint_actions.h"
#include "numeric/least_norm.h"

namespace rigor::contact_dynamics {
namespace {

constexpr double kRelativeRounding =
    1e-11; // of accelerations, relative: what rounding makes of zero
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// From 0 to 1 with two continuous derivatives, as the integrator needs them.
double smooth_step(double x) {
    x = std::clamp(x, 0.0, 1.0);
    return x * x * x * (10 + x * (6 * x - 15));
}

/// Where it slips. Beyond the point where it stops, which a step of the integrator may try,
/// friction stays as it was: so the stop is a smooth place to pass, and can be found. So it does
/// where the slip is slow: the direction of a small velocity changes at a rate that is inverse to
/// it, which an explicit integrator could only follow with thousands of steps.
Vec3d slip_direction(const Contact& contact, const ContactFrame& frame, const BodyKinematics& a,
                     const BodyKinematics& b) {
    const Vec3d slip = slip_velocity(frame, a, b);
    const Vec3d last = normalize(contact.slip - frame.normal * dot(contact.slip, frame.normal));
    if (!(dot(slip, last) > 0)) return last;
    const double own = smooth_step(length(slip) / kSlowSlip - 1);
    return own == 1 ? normalize(slip) : normalize(last * (1 - own) + normalize(slip) * own);
}

/// Where an unknown force comes from.
enum class Source : std::uint8_t { contact, limit, joint };

/// The rows that hold and the columns that push, of all contacts and limits in their modes, of all
/// joints and of the drives that hold.
struct ModeSystem {
    struct Owner {
        Source source = Source::contact;
        std::size_t index = 0; ///< of the contact, limit or held row
        int axis = 0;    ///< 0, 1: tangents, 2: normal, 3: normal with the friction of a slide,
                         ///< 4 and on: rows of couples
        Vec3d slip = {}; ///< its direction along the tangents
    };
    std::vector<ConstraintRow> rows, columns;
    std::vector<Owner> owners;
    std::vector<HeldRow> held;
    bool symmetric = true;

    void add(const ConstraintRow& row, const ConstraintRow& column, const Owner& owner) {
        rows.push_back(row);
        columns.push_back(column);
        owners.push_back(owner);
    }
};

/// An island at one instant.
struct Instant {
    const WorldState& state;
    const Island& island;
    std::vector<BodyKinematics> bodies;
    std::vector<ContactFrame> frames;
    IslandDofs dofs;

    Instant(const WorldState& s, const Island& i)
        : state(s),
          island(i),
          bodies(kinematics_of(s, i)),
          frames(frames_of(i.contacts, bodies)),
          dofs(island_dofs(s, i, bodies)) {}
};

constexpr int kFirstCoupleAxis = 4;

/// Adds the couples of a contact: the rows of those that hold, and to the column of its normal the
/// torques of those that do not.
void add_couples(const Instant& now, std::size_t i, ConstraintRow& column, ModeSystem& system) {
    const Contact& c = now.island.contacts[i];
    if (!has_couple(c.material)) return;
    const std::array<ConstraintRow, 3> rows = couple_rows(c, now.frames[i], now.bodies);
    for (const CoupleKind kind : kCoupleKinds) {
        if (!(couple_length(c.material, kind) > 0)) continue;
        const bool holds = couple_of(c, kind).holds;
        const Vec3d direction =
            holds ? Vec3d{} : couple_direction(c, kind, now.frames[i], now.bodies);
        for (std::size_t k = rows_of(kind).first; k < rows_of(kind).last; ++k) {
            const int axis = static_cast<int>(k);
            if (holds)
                system.add(rows[k], rows[k], {Source::contact, i, kFirstCoupleAxis + axis});
            else
                column = combine(column, 1, rows[k], -direction[axis]);
        }
        system.symmetric = system.symmetric && direction == Vec3d{};
    }
}

void add_contact(const Instant& now, std::size_t i, ModeSystem& system) {
    const Contact& c = now.island.contacts[i];
    const std::array<ConstraintRow, 3> rows = contact_rows(now.frames[i], c.a, c.b, now.bodies);
    ConstraintRow column = rows[2];
    add_couples(now, i, column, system);
    if (c.mode == ContactMode::stick) {
        for (int k = 0; k < 2; ++k) {
            const ConstraintRow& row = rows[static_cast<std::size_t>(k)];
            system.add(row, row, {Source::contact, i, k});
        }
        system.add(rows[2], column, {Source::contact, i, 2});
        return;
    }
    const double mu = c.material.kinetic_friction;
    Vec3d slip;
    if (mu > 0) {
        slip = slip_along_tangents(
            slip_direction(c, now.frames[i], now.bodies[c.a], now.bodies[c.b]), now.frames[i]);
        column = combine(column, 1, combine(rows[0], slip.x, rows[1], slip.y), -mu);
        system.symmetric = false;
    }
    system.add(rows[2], column, {Source::contact, i, 3, slip});
}

ModeSystem system_of(const Instant& now) {
    ModeSystem system;
    for (std::size_t i = 0; i < now.island.contacts.size(); ++i)
        if (now.island.contacts[i].mode != ContactMode::open) add_contact(now, i, system);
    for (std::size_t i = 0; i < now.island.limits.size(); ++i) {
        if (now.island.limits[i].mode == ContactMode::open) continue;
        const ConstraintRow normal = limit_rows(now.dofs, now.island.limits[i])[2];
        system.add(normal, normal, {Source::limit, i, 2});
    }
    system.held = held_rows(now.state, now.island, now.bodies, now.dofs, HeldDrives::all);
    for (std::size_t i = 0; i < system.held.size(); ++i)
        system.add(system.held[i].row, system.held[i].row, {Source::joint, i});
    return system;
}

Vec3d force_of(const ModeSystem::Owner& owner, double lambda, double mu) {
    Vec3d force;
    if (owner.axis < 3) {
        force[owner.axis] = lambda;
        return force;
    }
    return {-mu * lambda * owner.slip.x, -mu * lambda * owner.slip.y, lambda};
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

std::vector<SpatialVector> accelerations_of(const Instant& now,
                                            std::span<const SpatialVector> forces) {
    std::vector<SpatialVector> accelerations(now.bodies.size());
    for (std::size_t i = 0; i < now.bodies.size(); ++i)
        accelerations[i] = response(
            now.bodies[i], {forces[i].linear, forces[i].angular - now.bodies[i].gyroscopic_torque});
    return accelerations;
}

/// Adds the force of a joint along a row to its read-out: on b, about its center of mass.
void add_to_joint(const Instant& now, std::uint32_t joint, const ConstraintRow& row, double force,
                  std::vector<SpatialVector>& joints) {
    for (const ConstraintRow::Side& s : row.sides()) {
        if (s.body != now.island.joints[joint].b) continue;
        joints[joint].linear += s.linear * force;
        joints[joint].angular += s.angular * force;
    }
}

/// From the center of mass of b to its anchor.
void move_to_anchors(const Instant& now, std::vector<SpatialVector>& joints) {
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const IslandJoint& j = now.island.joints[i];
        const Vec3d arm = anchor_on_b(now.state, j, now.bodies) - now.bodies[j.b].x;
        joints[i].angular -= cross(arm, joints[i].linear);
    }
}

/// Forces that do not depend on the unknown ones: of gravity, the caller and damping, of springs
/// and of drives that do not hold.
void add_known_forces(const Instant& now, IslandForces& forces) {
    forces.on_bodies = external_forces(now.state, now.island, now.island.motion);
    for (const JointForce& f : joint_forces(now.state, now.island, now.bodies, now.dofs)) {
        add_impulse(f.row, f.force, forces.on_bodies);
        add_to_joint(now, f.joint, f.row, f.force, forces.joints);
        forces.joint_power += f.force * working_rate(f.row, now.bodies);
    }
}

void add_unknown_force(const Instant& now, const ModeSystem& system, std::size_t i, double lambda,
                       IslandForces& forces) {
    const ModeSystem::Owner& owner = system.owners[i];
    add_impulse(system.columns[i], lambda, forces.on_bodies);
    const double power = lambda * working_rate(system.columns[i], now.bodies);
    if (owner.source == Source::contact) {
        const bool is_normal = owner.axis == 2 || owner.axis == 3;
        const double normal = is_normal ? lambda * working_rate(system.rows[i], now.bodies) : 0;
        forces.contact_power += normal;
        forces.friction_power += power - normal;
        if (owner.axis >= kFirstCoupleAxis) {
            forces.couples[owner.index][owner.axis - kFirstCoupleAxis] = lambda;
            return;
        }
        const double mu = now.island.contacts[owner.index].material.kinetic_friction;
        forces.contacts[owner.index] += force_of(owner, lambda, mu);
        return;
    }
    forces.joint_power += power;
    if (owner.source == Source::limit) {
        forces.limits[owner.index] = lambda;
        add_to_joint(now, now.island.limits[owner.index].joint, system.columns[i], lambda,
                     forces.joints);
        return;
    }
    const HeldRow& held = system.held[owner.index];
    add_to_joint(now, held.joint, held.row, lambda, forces.joints);
    if (held.drive != UINT32_MAX) forces.drives[held.drive][held.axis] = lambda;
}

/// Forces that contacts and limits can give, nearest to these: none pulls, and where a contact
/// sticks friction is within its cone.
std::vector<double> projected_on_cones(const Instant& now, const ModeSystem& system,
                                       std::vector<double> lambda) {
    for (std::size_t i = 0; i < lambda.size(); ++i) {
        const ModeSystem::Owner& owner = system.owners[i];
        if (owner.source == Source::limit || owner.axis == 3) lambda[i] = std::max(lambda[i], 0.0);
        if (owner.source != Source::contact || owner.axis != 2) continue; // tangents come before
        const double mu = now.island.contacts[owner.index].material.static_friction;
        const double tangential =
            std::sqrt(lambda[i - 2] * lambda[i - 2] + lambda[i - 1] * lambda[i - 1]);
        if (tangential <= mu * lambda[i]) continue;
        const double normal = std::max((lambda[i] + mu * tangential) / (1 + mu * mu), 0.0);
        const double shrink = tangential > 0 ? mu * normal / tangential : 0;
        lambda[i - 2] *= shrink, lambda[i - 1] *= shrink, lambda[i] = normal;
    }
    return lambda;
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

/// Replaces the forces of contacts and limits.
void start_from(const Instant& now, const ModeSystem& system, std::span<const Vec3d> guess,
                std::vector<double>& lambda) {
    for (std::size_t i = 0; i < lambda.size(); ++i) {
        const ModeSystem::Owner& owner = system.owners[i];
        if (owner.source == Source::limit)
            lambda[i] = guess[now.island.contacts.size() + owner.index].z;
        if (owner.source == Source::contact && owner.axis <= 3)
            lambda[i] = guess[owner.index][std::min(owner.axis, 2)];
    }
}

/// Where the system is redundant, alternating projections onto the cones and onto the solutions of
/// the system lead to forces that contacts can give, if there are any.
void make_admissible(const Instant& now, const ModeSystem& system, const DenseMatrix& matrix,
                     const LeastNormSolver& solver, std::span<const double> target,
                     std::vector<double>& lambda) {
    constexpr int kMaxRounds = 200;
    const std::size_t n = lambda.size();
    const double scale = largest_difference(lambda, std::vector<double>(n));
    std::vector<double> rest(n), correction(n);
    for (int round = 0; round < kMaxRounds; ++round) {
        const std::vector<double> inside = projected_on_cones(now, system, lambda);
        if (round > 0 && largest_difference(inside, lambda) <= 1e-12 * scale) return;
        for (std::size_t i = 0; i < n; ++i) {
            rest[i] = target[i];
            for (std::size_t j = 0; j < n; ++j) rest[i] -= matrix(i, j) * inside[j];
        }
        solver.solve(rest, correction);
        for (std::size_t i = 0; i < n; ++i) lambda[i] = inside[i] + correction[i];
    }
}

/// How far a couple that holds is from its largest torque, in units of `scale`.
double couple_slack(const Instant& now, double scale, const IslandForces& forces) {
    double slack = kInfinity;
    for (std::size_t i = 0; i < forces.couples.size(); ++i) {
        const Contact& c = now.island.contacts[i];
        if (c.mode == ContactMode::open) continue;
        const Vec3d& f = forces.couples[i];
        const double normal = forces.contacts[i].z;
        if (c.rolling.holds) slack = std::min(slack, normal - std::sqrt(f.x * f.x + f.y * f.y));
        if (c.torsion.holds) slack = std::min(slack, normal - std::abs(f.z));
    }
    return slack / scale + kRelativeRounding;
}

/// How far a drive that holds is from its largest force, and a joint from breaking.
double drive_slack(const Instant& now, const IslandForces& forces) {
    double slack = kInfinity;
    for (std::size_t i = 0; i < now.island.drives.size(); ++i) {
        const JointDrive& drive = now.island.drives[i];
        const double bound = max_force(now.state, now.island, now.dofs, drive);
        if (drive.holds && std::isfinite(bound))
            slack = std::min(slack, 1 - length(forces.drives[i]) / bound + kRelativeRounding);
    }
    for (std::size_t i = 0; i < now.island.joints.size(); ++i) {
        const JointRecord& joint = now.state.joints[now.island.joints[i].joint];
        slack = std::min({slack, 1 - length(forces.joints[i].linear) / joint.break_force,
                          1 - length(forces.joints[i].angular) / joint.break_torque});
    }
    return slack;
}

/// How far contacts and limits are from leaving their modes, in units of `scale` and `fastest`.
void add_slacks(const Instant& now, double scale, double fastest, IslandForces& forces) {
    const auto separation = [&](const ConstraintRow& normal) {
        return (rate(normal, forces.accelerations) + normal.bias_acceleration) / fastest +
               kRelativeRounding;
    };
    for (std::size_t i = 0; i < now.island.contacts.size(); ++i) {
        const Contact& c = now.island.contacts[i];
        const bool is_open = c.mode == ContactMode::open;
        const double apart =
            is_open ? separation(contact_rows(now.frames[i], c.a, c.b, now.bodies)[2]) : 0;
        forces.slacks.push_back(slack_of(c, forces.contacts[i] * (1 / scale), apart));
    }
    double largest_joint = 1e-300;
    for (const SpatialVector& joint : forces.joints)
        largest_joint = std::max(largest_joint, length(joint.linear) + length(joint.angular));
    for (std::size_t i = 0; i < now.island.limits.size(); ++i) {
        const bool is_open = now.island.limits[i].mode == ContactMode::open;
        forces.slacks.push_back(is_open ? separation(limit_rows(now.dofs, now.island.limits[i])[2])
                                        : forces.limits[i] / largest_joint + kRelativeRounding);
    }
    forces.slack = kInfinity;
    for (const double slack : forces.slacks) forces.slack = std::min(forces.slack, slack);
}

} // namespace

Vec3d slip_velocity(const ContactFrame& frame, const BodyKinematics& a, const BodyKinematics& b) {
    const Vec3d u = velocity_at(b, frame.point_b) - velocity_at(a, frame.point);
    const Vec3d slip = u - frame.normal * dot(frame.normal, u);
    return frame.has_surface_velocity ? slip + frame.surface_velocity : slip;
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

std::vector<SpatialVector> known_forces(const WorldState& state, const Island& island) {
    IslandForces forces;
    forces.joints.resize(island.joints.size());
    const Instant now(state, island);
    add_known_forces(now, forces);
    add_slipping_couples(island, now.bodies, now.frames, forces.on_bodies);
    return std::move(forces.on_bodies);
}

IslandForces forces_in_modes(const WorldState& state, const Island& island,
                             std::span<const Vec3d> guess) {
    const Instant now(state, island);
    const ModeSystem system = system_of(now);
    IslandForces forces;
    forces.contacts.resize(island.contacts.size());
    forces.limits.resize(island.limits.size());
    forces.drives.resize(island.drives.size());
    forces.joints.resize(island.joints.size());
    if (has_couples(island.contacts)) forces.couples.resize(island.contacts.size());
    add_known_forces(now, forces);
    const double scale = std::max(largest(forces.on_bodies), 1e-300);
    forces.accelerations = accelerations_of(now, forces.on_bodies);
    double fastest = 1e-300;
    for (const SpatialVector& a : forces.accelerations)
        fastest = std::max(fastest, length(a.linear));
    std::vector<double> target, lambda(system.rows.size());
    for (const ConstraintRow& row : system.rows)
        target.push_back(-rate(row, forces.accelerations) - row.bias_acceleration);
    const DenseMatrix matrix = couplings(system.rows, system.columns, now.bodies);
    const LeastNormSolver solver(matrix, system.symmetric);
    solver.solve(target, lambda);
    if (!guess.empty()) {
        start_from(now, system, guess, lambda);
        make_admissible(now, system, matrix, solver, target, lambda);
    }
    for (std::size_t i = 0; i < lambda.size(); ++i)
        add_unknown_force(now, system, i, lambda[i], forces);
    move_to_anchors(now, forces.joints);
    forces.accelerations = accelerations_of(now, forces.on_bodies);
    add_slacks(now, scale, fastest, forces);
    forces.drive_slack = drive_slack(now, forces);
    if (!forces.couples.empty())
        forces.drive_slack = std::min(forces.drive_slack, couple_slack(now, scale, forces));
    return forces;
}

} // namespace rigor::contact_dynamics
