// Joint actions: limits, drives and springs along the degrees of freedom of the joints of an
// island, as rows that hold and as forces.
#pragma once

#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

/// Degrees of freedom of all joints of an island at one instant, by joint.
using IslandDofs = std::vector<std::vector<JointDof>>;
IslandDofs island_dofs(const WorldState& state, const Island& island,
                       std::span<const BodyKinematics> bodies);

/// Which drives hold their rates as joints hold theirs.
enum class HeldDrives : std::uint8_t {
    unlimited, ///< those without a largest force: the only ones with impulses
    all,
};

/// A row that holds its rate at a target, and where it comes from.
struct HeldRow {
    ConstraintRow row;
    double target_rate = 0;
    std::uint32_t joint = 0;          ///< index in the island
    std::uint32_t drive = UINT32_MAX; ///< index in the island, of a row of a drive
    int axis = 0;                     ///< among the rows of the drive
};

/// Rows that joints enforce, without those of soft joints, and of drives that hold.
std::vector<HeldRow> held_rows(const WorldState& state, const Island& island,
                               std::span<const BodyKinematics> bodies, const IslandDofs& dofs,
                               HeldDrives drives);

/// Rows of a limit as those of a contact; the tangents are zero, the error is the gap.
std::array<ConstraintRow, 3> limit_rows(const IslandDofs& dofs, const JointLimit& limit);

/// Rate of a drive beyond its target; of one row: in x.
Vec3d drive_slip(const Island& island, const IslandDofs& dofs, const JointDrive& drive,
                 std::span<const BodyKinematics> bodies);
double max_force(const WorldState& state, const Island& island, const IslandDofs& dofs,
                 const JointDrive& drive);
/// The rows of a drive: one, or three of the friction of a ball joint.
std::vector<ConstraintRow> drive_rows(const Island& island, const IslandDofs& dofs,
                                      const JointDrive& drive);

/// Force of a joint along a row.
struct JointForce {
    std::uint32_t joint = 0; ///< index in the island
    ConstraintRow row;
    double force = 0;
};
/// Forces of springs, of soft joints and of drives that do not hold.
std::vector<JointForce> joint_forces(const WorldState& state, const Island& island,
                                     std::span<const BodyKinematics> bodies,
                                     const IslandDofs& dofs);

/// Finds which limits are reached, and which drives there are; limits are open, and drives hold.
void update_joint_actions(const WorldState& state, const Laws& laws, Island& island);

} // namespace rigor::contact_dynamics
