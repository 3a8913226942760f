#include "contact_dynamics/contact_forces.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "contact_dynamics/contact_couples.h"
#include "contact_dynamics/mode_system.h"
#include "numeric/least_norm.h"

namespace rigor::contact_dynamics {
namespace {

constexpr double kRelativeRounding =
    1e-11; // of accelerations, relative: what rounding makes of zero
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

/// Replaces forces by the nearest ones that keep the modes. Returns the largest acceleration along
/// a row that is left: modes that bodies cannot keep at once leave some.
double correct_forces(const FactoredMatrix& matrix, const LeastNormSolver& solver,
                      std::span<const double> target, std::vector<double>& lambda) {
    const std::size_t n = lambda.size();
    std::vector<double> product(n), rest(n), correction(n);
    matrix.scatter(matrix.gather(lambda), product);
    for (std::size_t i = 0; i < n; ++i) rest[i] = target[i] - product[i];
    solver.solve(rest, correction);
    for (std::size_t i = 0; i < n; ++i) lambda[i] += correction[i];
    matrix.scatter(matrix.gather(lambda), product);
    double left = 0;
    for (std::size_t i = 0; i < n; ++i) left = std::max(left, std::abs(target[i] - product[i]));
    return left;
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
        const double apart = is_open ? separation(contact_rows(now.frames[i], c.a, c.b)[2]) : 0;
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
    const Vec3d u = relative_velocity(frame, a, b);
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

namespace {

/// The linear system of the forces that keep all modes, at one instant, and its solutions.
class ModeForces {
  public:
    ModeForces(const WorldState& state, const Island& island)
        : now_(state, island), system_(system_of(now_)) {
        known_.contacts.resize(island.contacts.size());
        known_.limits.resize(island.limits.size());
        known_.drives.resize(island.drives.size());
        known_.joints.resize(island.joints.size());
        if (has_couples(island.contacts)) known_.couples.resize(island.contacts.size());
        add_known_forces(now_, known_);
        scale_ = std::max(largest(known_.on_bodies), 1e-300);
        known_.accelerations = accelerations_of(now_, known_.on_bodies);
        for (const SpatialVector& a : known_.accelerations)
            fastest_ = std::max(fastest_, length(a.linear));
        for (const ConstraintRow& row : system_.rows)
            target_.push_back(-rate(row, known_.accelerations) - row.bias_acceleration);
        matrix_ = factored_couplings(system_.rows, system_.columns, now_.bodies, system_.symmetric);
        if (matrix_.columns() < matrix_.rows())
            solver_.emplace(matrix_);
        else
            solver_.emplace(dense(), system_.symmetric);
        lambda_.resize(system_.rows.size());
        solver_->solve(target_, lambda_);
    }

    IslandForces least_norm() const { return forces_of(lambda_); }

    /// Those nearest to a guess of the forces of all contacts and limits.
    IslandForces nearest(std::span<const Vec3d> guess) const {
        std::vector<double> lambda = lambda_;
        start_from(now_, system_, guess, lambda);
        const double error = correct_forces(matrix_, *solver_, target_, lambda);
        IslandForces forces = forces_of(lambda);
        forces.error = error / fastest_;
        return forces;
    }

    /// Likewise, of those that contacts and limits can give.
    IslandForces nearest_in_cones(std::span<const Vec3d> guess) const {
        std::vector<double> lambda = lambda_;
        start_from(now_, system_, guess, lambda);
        const double error = project_on_cones(dense(), target_, cones_of(now_, system_), lambda);
        IslandForces forces = forces_of(lambda);
        forces.error = error;
        return forces;
    }

  private:
    DenseMatrix dense() const { return couplings(system_.rows, system_.columns, now_.bodies); }

    IslandForces forces_of(std::span<const double> lambda) const {
        IslandForces forces = known_;
        for (std::size_t i = 0; i < lambda.size(); ++i)
            add_unknown_force(now_, system_, i, lambda[i], forces);
        for (std::size_t i = 0; i < forces.contacts.size(); ++i)
            forces.contacts_in_world.push_back(in_world(now_.frames[i], forces.contacts[i]));
        move_to_anchors(now_, forces.joints);
        forces.accelerations = accelerations_of(now_, forces.on_bodies);
        add_slacks(now_, scale_, fastest_, forces);
        forces.drive_slack = drive_slack(now_, forces);
        if (!forces.couples.empty())
            forces.drive_slack = std::min(forces.drive_slack, couple_slack(now_, scale_, forces));
        return forces;
    }

    Instant now_;
    ModeSystem system_;
    IslandForces known_; ///< without those that are to be found
    double scale_ = 0, fastest_ = 1e-300;
    FactoredMatrix matrix_{true};
    std::vector<double> target_, lambda_; ///< of least norm
    std::optional<LeastNormSolver> solver_;
};

/// The forces that contacts and limits have.
std::vector<Vec3d> forces_of_contacts_and_limits(const Island& island) {
    std::vector<Vec3d> forces;
    for (const Contact& c : island.contacts) forces.push_back(c.force);
    for (const JointLimit& limit : island.limits) forces.push_back({0, 0, limit.force});
    return forces;
}

constexpr double kPulls = -1e-12; // relative to the largest force

} // namespace

IslandForces forces_in_modes(const WorldState& state, const Island& island) {
    return ModeForces(state, island).least_norm();
}

IslandForces forces_near_known(const WorldState& state, const Island& island,
                               std::span<const Vec3d> known) {
    const ModeForces modes(state, island);
    IslandForces forces = modes.least_norm();
    if (forces.slack >= kPulls) return forces;
    return modes.nearest(known.empty() ? forces_of_contacts_and_limits(island)
                                       : std::vector<Vec3d>(known.begin(), known.end()));
}

IslandForces admissible_forces(const WorldState& state, const Island& island,
                               FunctionRef<std::vector<Vec3d>()> solve_contacts) {
    const ModeForces modes(state, island);
    IslandForces best = modes.least_norm();
    if (best.slack >= kPulls) return best;
    best.error = -best.slack;
    const auto improve = [&](std::span<const Vec3d> guess) {
        IslandForces forces = modes.nearest_in_cones(guess);
        if (forces.error < best.error) best = std::move(forces);
    };
    improve(forces_of_contacts_and_limits(island));
    if (best.error > kSolved) improve(solve_contacts());
    return best;
}

} // namespace rigor::contact_dynamics
