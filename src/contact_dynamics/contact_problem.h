// The contact problem of an island: the Delassus matrix W = J M⁻¹ Jᵀ that maps contact impulses to
// changes of contact velocities, with joints enforced. Limits of joints that are reached are
// contacts without friction, and come after the others.
#pragma once

#include "contact_dynamics/joint_actions.h"
#include "numeric/least_norm.h"

namespace rigor::contact_dynamics {

/// Constraint rows of an island at one instant.
class ContactProblem {
  public:
    /// Impulses leave the rates of `drives` as they are; of all drives, also those of the couples
    /// of the island's contacts that hold.
    ContactProblem(const WorldState& state, const Island& island, std::span<const Contact> contacts,
                   HeldDrives drives = HeldDrives::unlimited);

    const std::vector<BodyKinematics>& bodies() const { return bodies_; }
    const std::vector<ContactFrame>& frames() const { return frames_; }
    const std::vector<std::array<ConstraintRow, 3>>& rows() const { return rows_; }

    /// The Delassus matrix, a 3x3 block (two tangents, normal) for every pair of contacts. A limit
    /// has unit entries for its tangents, along which nothing moves.
    BlockMatrix matrix() const;
    /// Relative velocities of the surfaces at the contacts.
    std::vector<Vec3d> velocities() const;
    /// Relative contact accelerations under these wrenches on the bodies, with joints enforced.
    std::vector<Vec3d> accelerations(std::span<const SpatialVector> forces) const;
    /// Impulses on the bodies, the reactions of the joints included; those are also written, by
    /// row, where wanted.
    std::vector<SpatialVector> body_impulses(std::span<const Vec3d> contact_impulses,
                                             std::vector<double>* joint_reactions = nullptr) const;
    /// Rows of the joints, and the joint of the island that each belongs to.
    const std::vector<ConstraintRow>& joint_rows() const { return joints_; }
    const std::vector<std::uint32_t>& joint_of_row() const { return joint_of_row_; }

  private:
    BlockMatrix matrix_of_contacts() const;
    BlockMatrix matrix_through_joints() const;
    void add_limit_tangents(std::vector<BlockEntry>& entries, std::uint32_t row) const;
    std::vector<double> add_joint_impulses(std::span<SpatialVector> impulses,
                                           std::span<const double> target) const;

    std::vector<BodyKinematics> bodies_;
    std::vector<ContactFrame> frames_;
    std::vector<std::array<ConstraintRow, 3>> rows_;
    std::vector<ConstraintRow> joints_;
    std::vector<std::uint32_t> joint_of_row_; ///< without those of couples, which come last
    std::unique_ptr<LeastNormSolver> joint_solver_;
};

} // namespace rigor::contact_dynamics
