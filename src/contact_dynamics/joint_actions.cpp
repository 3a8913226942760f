#include "contact_dynamics/joint_actions.h"

#include <algorithm>
#include <cmath>

namespace rigor::contact_dynamics {
namespace {

const RateDrive& rate_drive(const IslandDofs& dofs, const JointDrive& drive) {
    const JointDof& dof = dofs[drive.joint][drive.dof];
    return drive.kind == JointDrive::Kind::motor ? *dof.motor : *dof.friction;
}

/// Force of a spring and damper. At soft limits there is none within the range.
double spring_force(const JointDof& dof, double rate) {
    const JointSpring& spring = *dof.spring;
    double beyond = dof.coordinate - spring.rest;
    if (dof.has_soft_limits) {
        beyond = dof.coordinate - std::clamp(dof.coordinate, dof.range.lo, dof.range.hi);
        if (beyond == 0) return 0;
    }
    const double force = -spring.stiffness * beyond - spring.damping * (rate - spring.rest_rate);
    return std::clamp(force, -spring.max_force, spring.max_force);
}

/// Forces of a soft joint.
void add_soft_joint(const JointConstraintRows& soft, std::uint32_t joint,
                    std::span<const BodyKinematics> bodies, std::vector<JointForce>& forces) {
    for (std::size_t i = 0; i < soft.rows.size(); ++i) {
        const ConstraintRow& row = soft.rows[i];
        const JointSpring& spring = soft.springs[i];
        forces.push_back(
            {joint, row, -spring.stiffness * row.error - spring.damping * rate(row, bodies)});
    }
}

void add_limits(const JointDof& dof, std::uint32_t joint, std::uint32_t number, double touching,
                Island& island) {
    if (dof.has_soft_limits) return;
    const auto add = [&](double side, double gap) {
        if (!std::isfinite(gap)) return;
        JointLimit limit;
        limit.joint = joint;
        limit.dof = number;
        limit.side = side;
        (gap <= touching ? island.limits : island.near_limits).push_back(limit);
    };
    add(1, dof.coordinate - dof.range.lo);
    add(-1, dof.range.hi - dof.coordinate);
}

} // namespace

IslandDofs island_dofs(const WorldState& state, const Island& island,
                       std::span<const BodyKinematics> bodies) {
    IslandDofs dofs;
    for (const IslandJoint& joint : island.joints) dofs.push_back(joint_dofs(state, joint, bodies));
    return dofs;
}

std::vector<HeldRow> held_rows(const WorldState& state, const Island& island,
                               std::span<const BodyKinematics> bodies, const IslandDofs& dofs,
                               HeldDrives drives) {
    std::vector<HeldRow> held;
    for (std::uint32_t i = 0; i < island.joints.size(); ++i) {
        if (is_soft(state.joints[island.joints[i].joint])) continue;
        const JointConstraintRows joint = joint_constraint_rows(state, island.joints[i], bodies);
        for (const ConstraintRow& row : joint.rows) held.push_back({row, 0, i, UINT32_MAX, 0});
    }
    for (const LockedRow& lock : island.locks)
        held.push_back({lock.row, 0, lock.joint, UINT32_MAX, 0});
    for (std::uint32_t i = 0; i < island.drives.size(); ++i) {
        const JointDrive& drive = island.drives[i];
        const bool is_limited = std::isfinite(max_force(state, island, dofs, drive));
        if (!drive.holds || (is_limited && drives == HeldDrives::unlimited)) continue;
        const bool is_ball = drive.kind == JointDrive::Kind::ball_friction;
        const double target = is_ball ? 0 : rate_drive(dofs, drive).target_rate;
        int axis = 0;
        for (const ConstraintRow& row : drive_rows(island, dofs, drive)) {
            held.push_back({row, target, drive.joint, i, axis++});
            held.back().row.error = 0;
        }
    }
    return held;
}

std::array<ConstraintRow, 3> limit_rows(const IslandDofs& dofs, const JointLimit& limit) {
    const JointDof& dof = dofs[limit.joint][limit.dof];
    ConstraintRow normal = dof.row;
    for (ConstraintRow::Side& s : normal.sides()) {
        s.linear *= limit.side;
        s.angular *= limit.side;
    }
    normal.bias_acceleration *= limit.side;
    normal.error = limit.side > 0 ? dof.coordinate - dof.range.lo : dof.range.hi - dof.coordinate;
    ConstraintRow none = normal;
    for (ConstraintRow::Side& s : none.sides()) s.linear = s.angular = {};
    none.bias_acceleration = none.error = 0;
    return {none, none, normal};
}

std::vector<ConstraintRow> drive_rows(const Island& island, const IslandDofs& dofs,
                                      const JointDrive& drive) {
    if (drive.kind != JointDrive::Kind::ball_friction) return {dofs[drive.joint][drive.dof].row};
    const auto rows = ball_friction_rows(island.joints[drive.joint]);
    return {rows.begin(), rows.end()};
}

double max_force(const WorldState& state, const Island& island, const IslandDofs& dofs,
                 const JointDrive& drive) {
    if (drive.kind == JointDrive::Kind::ball_friction)
        return state.joints[island.joints[drive.joint].joint].friction;
    return rate_drive(dofs, drive).max_force;
}

Vec3d drive_slip(const Island& island, const IslandDofs& dofs, const JointDrive& drive,
                 std::span<const BodyKinematics> bodies) {
    if (drive.kind != JointDrive::Kind::ball_friction)
        return {
            rate(dofs[drive.joint][drive.dof].row, bodies) - rate_drive(dofs, drive).target_rate, 0,
            0};
    const IslandJoint& joint = island.joints[drive.joint];
    return bodies[joint.b].w - bodies[joint.a].w;
}

std::vector<JointForce> joint_forces(const WorldState& state, const Island& island,
                                     std::span<const BodyKinematics> bodies,
                                     const IslandDofs& dofs) {
    std::vector<JointForce> forces;
    for (std::uint32_t i = 0; i < island.joints.size(); ++i) {
        if (is_soft(state.joints[island.joints[i].joint]))
            add_soft_joint(joint_constraint_rows(state, island.joints[i], bodies), i, bodies,
                           forces);
        for (const JointDof& dof : dofs[i])
            if (dof.spring)
                forces.push_back({i, dof.row, spring_force(dof, rate(dof.row, bodies))});
    }
    for (const JointDrive& drive : island.drives) {
        if (drive.holds) continue;
        const double force = max_force(state, island, dofs, drive);
        // Beyond the point where the slip ends, which a step of the integrator may try, its
        // direction stays: so the end is a smooth place to pass, and can be found.
        const Vec3d now = drive_slip(island, dofs, drive, bodies);
        const bool is_ball = drive.kind == JointDrive::Kind::ball_friction;
        const Vec3d slip = is_ball && dot(now, drive.slip) > 0 ? normalize(now) : drive.slip;
        int axis = 0;
        for (const ConstraintRow& row : drive_rows(island, dofs, drive))
            forces.push_back({drive.joint, row, -force * slip[axis++]});
    }
    return forces;
}

void update_joint_actions(const WorldState& state, const Laws& laws, Island& island) {
    island.limits.clear(), island.near_limits.clear(), island.drives.clear();
    if (island.joints.empty()) return;
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    for (IslandJoint& joint : island.joints) update_angles(state, bodies, joint);
    const IslandDofs dofs = island_dofs(state, island, bodies);
    for (std::uint32_t i = 0; i < island.joints.size(); ++i) {
        const auto add_drive = [&](std::uint32_t dof, JointDrive::Kind kind) {
            JointDrive drive;
            drive.joint = i;
            drive.dof = dof;
            drive.kind = kind;
            drive.holds = true;
            island.drives.push_back(drive);
        };
        for (std::uint32_t k = 0; k < dofs[i].size(); ++k) {
            add_limits(dofs[i][k], i, k, laws.tolerances.touch_distance, island);
            if (dofs[i][k].motor) add_drive(k, JointDrive::Kind::motor);
            if (dofs[i][k].friction) add_drive(k, JointDrive::Kind::friction);
        }
        const JointRecord& joint = state.joints[island.joints[i].joint];
        if (joint.type == JointType::ball && joint.friction > 0)
            add_drive(0, JointDrive::Kind::ball_friction);
    }
}

} // namespace rigor::contact_dynamics
