// The contact problem of an island: the Delassus matrix W = J M⁻¹ Jᵀ that maps contact impulses to
// changes of contact velocities, with joints enforced. Limits of joints that are reached are
// contacts without friction, and come after the others.
#pragma once

#include "base/disjoint_sets.h"
#include "base/function_ref.h"
#include "contact_dynamics/impulse_work.h"
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
    /// Impulses on the bodies, the reactions of the joints included.
    std::vector<SpatialVector> body_impulses(std::span<const Vec3d> contact_impulses) const;
    /// The same row by row, for their work. The normal of contact i belongs to `normal(i)`; of an
    /// impact, so does its friction.
    std::vector<RowImpulse> row_impulses(
        std::span<const Vec3d> contact_impulses,
        FunctionRef<double WorkLedger::*(std::size_t)> normal) const;
    /// The impulses of the joints that these impulses of the contacts call forth, by row.
    std::vector<double> joint_reactions(std::span<const Vec3d> contact_impulses) const;
    /// Rows of the joints, and the joint of the island that each belongs to.
    const std::vector<ConstraintRow>& joint_rows() const { return joints_; }
    const std::vector<std::uint32_t>& joint_of_row() const { return joint_of_row_; }

  private:
    struct JointedBodies {
        DisjointSets sets;           ///< of bodies that joints connect
        std::vector<bool> has_joint; ///< by body
    };

    BlockMatrix matrix_of_contacts() const;
    JointedBodies jointed_bodies() const;
    std::vector<SpatialVector> unit_response(std::uint32_t j, int q) const;
    BlockMatrix matrix_through_joints() const;
    void add_limit_tangents(std::vector<BlockEntry>& entries, std::uint32_t row) const;
    /// Impulses of the joints that change their rates by what is wanted.
    std::vector<double> joint_impulses(std::span<const double> target) const;
    /// Those that keep the rates of the joints under these impulses on the bodies.
    std::vector<double> reactions(std::span<const SpatialVector> impulses) const;
    std::vector<SpatialVector> sum_of_contacts(std::span<const Vec3d> contact_impulses) const;
    void add_joints(std::span<const double> impulses, std::span<SpatialVector> on_bodies) const;

    std::vector<BodyKinematics> bodies_;
    std::vector<ContactFrame> frames_;
    std::vector<std::array<ConstraintRow, 3>> rows_;
    std::vector<ConstraintRow> joints_;
    std::vector<std::uint32_t> joint_of_row_; ///< without those of couples, which come last
    std::unique_ptr<LeastNormSolver> joint_solver_;
};

} // namespace rigor::contact_dynamics
