// Joint rows: the constraint rows that a joint enforces, and its degrees of freedom with the
// limits, motors, springs and dry friction that act along them.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "contact_dynamics/constraint_rows.h"
#include "model/world_state.h"

namespace rigor::contact_dynamics {

/// A joint between bodies of an island. A gear lies between the two joints that it couples: a and b
/// are the bodies of the driving joint, c and d those of the driven one.
struct IslandJoint {
    std::uint32_t joint = 0; ///< slot
    std::uint32_t a = 0, b = 0;
    std::uint32_t c = 0, d = 0;
    /// Last angle of a hinge or wheel, whole turns included, or way of a track; of a gear, of its
    /// driving joint.
    double angle = 0;
    double driven_angle = 0; ///< of the driven joint of a gear
};

/// A spring and damper along rows: force -(stiffness x + damping x'), at most max_force.
struct JointSpring {
    double stiffness = 0, damping = 0;
    double rest = 0;      ///< coordinate without force
    double rest_rate = 0; ///< rate without damping force
    double max_force = std::numeric_limits<double>::infinity();
};
/// That of a mass which it lets oscillate as defined.
JointSpring spring_of(const SpringDef& def, double mass);

/// A drive brings the rate of a degree of freedom to its target by at most a force: a velocity
/// motor, or dry friction, whose target is no motion.
struct RateDrive {
    double target_rate = 0;
    double max_force = 0;
};

/// A degree of freedom that a joint leaves, and what acts along it. The rate of the row is that of
/// the coordinate.
struct JointDof {
    ConstraintRow row;
    double coordinate = 0;
    Range range;
    bool has_soft_limits = false; ///< the spring acts outside of the range alone
    std::optional<JointSpring> spring;
    std::optional<RateDrive> motor, friction; ///< one drive when both have the same target
};

/// Whether a joint gives way like a spring in what it enforces.
bool is_soft(const JointRecord& joint);

/// Rows that a joint enforces.
struct JointConstraintRows {
    std::vector<ConstraintRow> rows;
    std::vector<JointSpring> springs; ///< of a soft joint: of each row, instead of a constraint
};
JointConstraintRows joint_constraint_rows(const WorldState& state, const IslandJoint& joint,
                                          std::span<const BodyKinematics> bodies);

/// Degrees of freedom along which something acts.
std::vector<JointDof> joint_dofs(const WorldState& state, const IslandJoint& joint,
                                 std::span<const BodyKinematics> bodies);

/// Rows of the relative angular velocity of a ball joint, along the axes of the world, for its
/// friction.
std::array<ConstraintRow, 3> ball_friction_rows(const IslandJoint& joint);

/// Angles of a joint now, by which the next ones are unwound.
void update_angles(const WorldState& state, std::span<const BodyKinematics> bodies,
                   IslandJoint& joint);

/// Point on b at which the forces of a joint are reported.
Vec3d anchor_on_b(const WorldState& state, const IslandJoint& joint,
                  std::span<const BodyKinematics> bodies);

/// Effective mass along the first degree of freedom of a joint as it is now: what the stiffness of
/// its spring refers to.
double spring_mass(const WorldState& state, const JointRecord& joint);

/// Rate of the first degree of freedom of a joint as it is now; zero when it is locked. `angle` is
/// the last one.
double coordinate_speed(const WorldState& state, const JointRecord& joint, double angle);

} // namespace rigor::contact_dynamics
