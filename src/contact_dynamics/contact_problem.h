// The contacts of an island as a matrix: how impulses at them change the velocities there, with the
// joints holding.
#pragma once

#include "contact_dynamics/island.h"
#include "numeric/least_norm.h"

namespace rigor::contact_dynamics {

/// The rows of an island at one moment.
class ContactProblem {
  public:
    ContactProblem(const WorldState& state, const Island& island,
                   std::span<const Contact> contacts);

    const std::vector<BodyMoment>& bodies() const { return bodies_; }
    const std::vector<ContactFrame>& frames() const { return frames_; }
    const std::vector<std::array<Row, 3>>& rows() const { return rows_; }

    /// By contact: tangents and normal.
    BlockMatrix matrix() const;
    /// Now, joints as they are.
    std::vector<Vec3d> velocities() const;
    /// Of the contacts, where the bodies have these pushes on them and the joints hold.
    std::vector<Vec3d> accelerations(std::span<const Push> forces) const;
    /// All that impulses at the contacts do, those of the joints included.
    std::vector<Push> pushes(std::span<const Vec3d> impulses) const;

  private:
    BlockMatrix matrix_of_contacts() const;
    BlockMatrix matrix_through_joints() const;
    void hold_joints(std::span<Push> pushes, std::span<const double> wanted) const;

    std::vector<BodyMoment> bodies_;
    std::vector<ContactFrame> frames_;
    std::vector<std::array<Row, 3>> rows_;
    std::vector<Row> joints_;
    std::unique_ptr<LeastNormSolver> joint_solver_;
};

} // namespace rigor::contact_dynamics
