#include "contact_dynamics/joint_impulses.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/bounded_rows.h"
#include "contact_dynamics/joint_actions.h"

namespace rigor::contact_dynamics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A spring by its force at the end of the time: f = -k (x + h v) - d (v - v0).
BoundedRow spring_row(const ConstraintRow& row, double x, const JointSpring& spring, double h) {
    const double slope =
        h * (spring.damping + h * spring.stiffness); // of the impulse over the rate
    BoundedRow bounded{row};
    if (!(slope > 0)) {
        bounded.lo = bounded.hi = 0;
        return bounded;
    }
    bounded.softness = 1 / slope;
    bounded.target = (spring.damping * spring.rest_rate - spring.stiffness * x) * h / slope;
    bounded.hi = h * spring.max_force;
    bounded.lo = -bounded.hi;
    return bounded;
}

void add_dof(const JointDof& dof, const JointTimes& times, std::vector<BoundedRow>& rows) {
    const double h = times.interval;
    if (dof.spring) {
        const double within = std::clamp(dof.coordinate, dof.range.lo, dof.range.hi);
        const double x = dof.coordinate - (dof.has_soft_limits ? within : dof.spring->rest);
        if (!dof.has_soft_limits || x != 0) rows.push_back(spring_row(dof.row, x, *dof.spring, h));
    }
    for (const std::optional<RateDrive>& drive : {dof.motor, dof.friction})
        if (drive)
            rows.push_back(
                {dof.row, drive->target_rate, -h * drive->max_force, h * drive->max_force});
    if (dof.has_soft_limits) return;
    const double below = dof.range.lo - dof.coordinate, above = dof.coordinate - dof.range.hi;
    if (std::isfinite(below))
        rows.push_back({dof.row, below / (below > 0 ? times.recovery : h), 0, kInfinity});
    if (std::isfinite(above))
        rows.push_back({dof.row, -above / (above > 0 ? times.recovery : h), -kInfinity, 0});
}

/// The bounded rows of an island, and those that its joints enforce.
struct IslandRows {
    std::vector<EnforcedRow> enforced;
    std::vector<BoundedRow> bounded;
};

IslandRows rows_of(const WorldState& state, const JointTimes& times, const Island& island,
                   std::span<const BodyKinematics> bodies) {
    const double h = times.interval;
    IslandRows rows;
    for (const IslandJoint& joint : island.joints) {
        const JointConstraintRows own = joint_constraint_rows(state, joint, bodies);
        for (std::size_t i = 0; i < own.rows.size(); ++i) {
            if (own.springs.empty())
                rows.enforced.push_back({own.rows[i]});
            else
                rows.bounded.push_back(
                    spring_row(own.rows[i], own.rows[i].error, own.springs[i], h));
        }
        for (const JointDof& dof : joint_dofs(state, joint, bodies))
            add_dof(dof, times, rows.bounded);
        const JointRecord& record = state.joints[joint.joint];
        if (record.type != JointType::ball || !(record.friction > 0)) continue;
        const double bound = h * record.friction;
        for (const ConstraintRow& row : ball_friction_rows(joint))
            rows.bounded.push_back({row, 0, -bound, bound});
        rows.bounded[rows.bounded.size() - 3].begins_ball = true;
    }
    return rows;
}

} // namespace

std::vector<RowImpulse> joint_impulses(const WorldState& state, const JointTimes& times,
                                       const Island& island) {
    if (island.joints.empty()) return {};
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    IslandRows rows = rows_of(state, times, island, bodies);
    if (rows.bounded.empty()) return {};
    return solve_bounded_rows(rows.enforced, rows.bounded, bodies);
}

} // namespace rigor::contact_dynamics
