#include "literature/joint_step.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/bounded_rows.h"
#include "contact_dynamics/constraint_projection.h"
#include "literature/joint_loads.h"
#include "literature/method_work.h"
#include "rigor/rotation.h"

namespace rigor::literature {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// θ: how far an impulse moves bodies within the interval, of h times the change of velocity.
double displacement_share(Integrator integrator) {
    switch (integrator) {
        case Integrator::euler:
            return 0;
        case Integrator::symplectic:
            return 1;
        default:
            return 0.5;
    }
}

/// The motion at a share of the way between two.
BodyMotion between(const BodyMotion& a, const BodyMotion& b, double share) {
    const double rest = 1 - share;
    const double side = dot(a.q, b.q) < 0 ? -1 : 1;
    const Quatd q{rest * a.q.w + side * share * b.q.w, rest * a.q.x + side * share * b.q.x,
                  rest * a.q.y + side * share * b.q.y, rest * a.q.z + side * share * b.q.z};
    return {a.x * rest + b.x * share, normalize(q), a.p * rest + b.p * share,
            a.l * rest + b.l * share};
}

/// Builds the rows of all joints of an island for one interval.
class JointInterval {
  public:
    JointInterval(const WorldState& state, const MethodParts& method,
                  std::span<const BodyMotion> start, double h, const MethodState& step)
        : state_(state),
          island_(step.island),
          share_(displacement_share(method.integrator)),
          h_(h),
          recovery_(std::max(h, step.duration)) {
        Island place = island_;
        place.motion.assign(start.begin(), start.end());
        first_ = kinematics_of(state, place);
        last_ = kinematics_of(state, island_);
        for (std::size_t i = 0; i < place.motion.size(); ++i)
            if (place.bodies[i] != kWorldBody)
                place.motion[i] = between(start[i], island_.motion[i], 1 - share_);
        at_ = kinematics_of(state, place);
        for (std::size_t i = 0; i < at_.size(); ++i) at_[i].v = last_[i].v, at_[i].w = last_[i].w;
        for (std::uint32_t i = 0; i < island_.joints.size(); ++i) {
            add(island_.joints[i]);
            joint_of_row_.resize(rows_.size(), i);
            joint_of_enforced_.resize(enforced_.size(), i);
        }
    }

    std::vector<RowImpulse> solve() { return solve_bounded_rows(enforced_, rows_, at_); }
    double share() const { return share_; }

    /// Records what solve() or stops() returned as loads of the joints.
    void record_loads(std::span<const RowImpulse> impulses,
                      const std::vector<std::uint32_t>& joints, MethodState& step) const {
        for (std::size_t i = 0; i < impulses.size(); ++i) {
            const std::size_t bounded = impulses.size() - enforced_.size();
            const std::uint32_t joint = i < bounded ? joints[i] : joint_of_enforced_[i - bounded];
            add_joint_load(state_, at_, joint, impulses[i].row, impulses[i].impulse, step);
        }
    }
    const std::vector<std::uint32_t>& joint_of_row() const { return joint_of_row_; }

    /// Impulses that end the motion against the limits that were reached.
    std::vector<RowImpulse> stops(std::span<const BodyKinematics> bodies,
                                  std::vector<std::uint32_t>& joints) const {
        std::vector<BoundedRow> reached;
        for (const std::size_t limit : limits_) {
            if (rows_[limit].impulse == 0) continue;
            reached.push_back({rows_[limit].row});
            joints.push_back(joint_of_row_[limit]);
        }
        if (reached.empty()) return {};
        std::vector<EnforcedRow> enforced;
        for (const EnforcedRow& e : enforced_) enforced.push_back({e.row, -rate(e.row, bodies)});
        return solve_bounded_rows(enforced, reached, bodies);
    }

  private:
    void add(const IslandJoint& joint) {
        const JointConstraintRows own = joint_constraint_rows(state_, joint, at_);
        if (own.springs.empty()) {
            add_enforced(joint, own.rows);
        } else {
            for (std::size_t i = 0; i < own.rows.size(); ++i)
                add_spring(own.rows[i], own.rows[i].error, own.springs[i]);
        }
        add_dofs(joint);
        const JointRecord& record = state_.joints[joint.joint];
        if (record.type != JointType::ball || !(record.friction > 0)) return;
        for (const ConstraintRow& row : ball_friction_rows(joint))
            add_drive(row, {0, record.friction});
        rows_[rows_.size() - 3].begins_ball = true;
    }

    /// What was in error at the start is left to the projection: it would become a velocity.
    void add_enforced(const IslandJoint& joint, std::span<const ConstraintRow> rows) {
        if (!(share_ > 0)) {
            for (const ConstraintRow& row : rows) enforced_.push_back({row});
            return;
        }
        const JointConstraintRows before = joint_constraint_rows(state_, joint, first_);
        const JointConstraintRows after = joint_constraint_rows(state_, joint, last_);
        for (std::size_t i = 0; i < rows.size(); ++i)
            enforced_.push_back(
                {rows[i], (before.rows[i].error - after.rows[i].error) / (share_ * h_)});
    }

    void add_dofs(const IslandJoint& joint) {
        const std::vector<JointDof> at = joint_dofs(state_, joint, at_);
        if (at.empty()) return;
        const std::vector<JointDof> before = joint_dofs(state_, joint, first_);
        const std::vector<JointDof> after = joint_dofs(state_, joint, last_);
        for (std::size_t i = 0; i < at.size(); ++i) {
            const JointDof& dof = at[i];
            if (dof.spring) add_dof_spring(dof);
            for (const std::optional<RateDrive>& drive : {dof.motor, dof.friction})
                if (drive) add_drive(dof.row, *drive);
            if (dof.has_soft_limits) continue;
            add_limit(dof.row, 1, before[i].coordinate - dof.range.lo,
                      after[i].coordinate - dof.range.lo);
            add_limit(dof.row, -1, dof.range.hi - before[i].coordinate,
                      dof.range.hi - after[i].coordinate);
        }
    }

    void add_dof_spring(const JointDof& dof) {
        const double within = std::clamp(dof.coordinate, dof.range.lo, dof.range.hi);
        const double x = dof.coordinate - (dof.has_soft_limits ? within : dof.spring->rest);
        if (!dof.has_soft_limits || x != 0) add_spring(dof.row, x, *dof.spring);
    }

    /// P = -h (k (x + h (u₁ - u₀)/4) + c ((u₀ + u₁)/2 - v)), as a line of the rate u₁ at the end.
    /// In the middle x already has half of what the forces beside the joints do.
    void add_spring(const ConstraintRow& row, double x, const JointSpring& spring) {
        const double slope = h_ * (0.5 * spring.damping + 0.25 * h_ * spring.stiffness);
        BoundedRow bounded{row};
        if (!(slope > 0)) return;
        const double free = rate(row, last_), start = rate(row, first_);
        const double from = share_ == 0.5 ? free : start;
        const double without = h_ * (spring.stiffness * (x - 0.25 * h_ * from) +
                                     spring.damping * (0.5 * start - spring.rest_rate));
        bounded.softness = 1 / slope;
        bounded.target = -without / slope;
        bounded.hi = h_ * spring.max_force;
        bounded.lo = -bounded.hi;
        rows_.push_back(bounded);
    }

    void add_drive(const ConstraintRow& row, const RateDrive& drive) {
        rows_.push_back({row, drive.target_rate, -h_ * drive.max_force, h_ * drive.max_force});
    }

    /// `before` and `after` are the gaps of the limit, on the side where it is positive.
    void add_limit(const ConstraintRow& row, double side, double before, double after) {
        if (!std::isfinite(after)) return;
        const double least = before < 0 ? before * (1 - h_ / recovery_) : 0;
        const double change = (least - after) / (std::max(share_, 0.5) * h_);
        const double target = rate(row, at_) + side * change;
        limits_.push_back(rows_.size());
        rows_.push_back({row, target, side > 0 ? 0 : -kInfinity, side > 0 ? kInfinity : 0});
    }

    const WorldState& state_;
    const Island& island_;
    const double share_, h_, recovery_;
    std::vector<BodyKinematics> first_, last_; // start and end of the interval
    std::vector<BodyKinematics> at_;           // where impulses act, with the velocities of the end
    std::vector<EnforcedRow> enforced_;
    std::vector<BoundedRow> rows_;
    std::vector<std::size_t> limits_; // which of them are limits
    std::vector<std::uint32_t> joint_of_row_, joint_of_enforced_;
};

/// Moves bodies by a time times the change of their velocities by these impulses.
void displace(const WorldState& state, std::span<const RowImpulse> impulses, double time,
              MethodState& step) {
    Island& island = step.island;
    const std::vector<BodyMotion> before = island.motion;
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    std::vector<SpatialVector> on_bodies(bodies.size());
    for (const RowImpulse& impulse : impulses) add_impulse(impulse.row, impulse.impulse, on_bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!responds_to_impulses(state, island.bodies[i])) continue;
        const SpatialVector change = response(bodies[i], on_bodies[i]);
        BodyMotion& m = island.motion[i];
        m.x += change.linear * time;
        m.q = normalize(from_rotation_vector(change.angular * time) * m.q);
    }
    const std::vector<double> work = displacement_work(state, before, island);
    for (std::size_t i = 0; i < work.size(); ++i) step.work[i].joints += work[i];
}

/// Its impulses are part of the load: under kick and drift half of a centripetal force.
void project_velocities(const WorldState& state, MethodState& step) {
    const Island& island = step.island;
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    const std::vector<RowImpulse> impulses = velocity_corrections(state, island);
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < island.joints.size() && next < impulses.size(); ++i) {
        if (is_soft(state.joints[island.joints[i].joint])) continue;
        const std::size_t rows = joint_constraint_rows(state, island.joints[i], bodies).rows.size();
        for (std::size_t k = 0; k < rows; ++k, ++next)
            add_joint_load(state, bodies, i, impulses[next].row, impulses[next].impulse, step);
    }
    record_work(apply_impulses(state, impulses, step.island), step);
}

/// An impulse lifts a body by h/2 of the change of velocity. What θ h is more or less than that is
/// an error of the integrator, as the way that bodies fall too far under gravity, and no work.
void correct_lift(const WorldState& state, std::span<const BodyMotion> before, double time,
                  MethodState& step) {
    for (std::size_t i = 0; i < before.size(); ++i) {
        const std::uint32_t body = step.island.bodies[i];
        if (!responds_to_impulses(state, body)) continue;
        const BodyInertia& inertia = state.bodies.inertia[body];
        const Vec3d velocity = (step.island.motion[i].p - before[i].p) * inertia.inv_mass;
        step.work[i].joints += time * inertia.weight * dot(state.gravity, velocity);
    }
}

} // namespace

void enforce_joints(const WorldState& state, const MethodParts& method,
                    std::span<const BodyMotion> start, double h, MethodState& step) {
    const std::vector<BodyMotion> before = step.island.motion;
    JointInterval interval(state, method, start, h, step);
    const std::vector<RowImpulse> impulses = interval.solve();
    record_work(apply_impulses(state, impulses, step.island), step);
    const double share = interval.share();
    if (share > 0) displace(state, impulses, share * h, step);
    std::vector<std::uint32_t> stopped;
    const std::vector<RowImpulse> stops =
        interval.stops(kinematics_of(state, step.island), stopped);
    if (!stops.empty()) record_work(apply_impulses(state, stops, step.island), step);
    interval.record_loads(impulses, interval.joint_of_row(), step);
    interval.record_loads(stops, stopped, step);
    record_work(contact_dynamics::project_positions(state, step.island), step);
    project_velocities(state, step);
    if (share != 0.5) correct_lift(state, before, (share - 0.5) * h, step);
}

} // namespace rigor::literature
