// Systems (W + shift) x = b with one block matrix W and many shifts and right-hand sides.
//
// Contact points of the same two bodies have rows of W with the same columns, and four of them have
// twelve rows of rank six: the velocity of a rigid body. With an orthonormal basis B of the range
// of such a group, W = B V Bᵀ, and
//
//     (W + s)⁻¹ b = B (V + s)⁻¹ Bᵀ b + (b - B Bᵀ b) / s,
//
// where V has half the size: an eighth of the work for the factors, a quarter for each solution.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "numeric/block_matrix.h"
#include "numeric/linear_solver.h"

namespace rigor {

class ShiftedBlocks {
  public:
    /// Redundancy is removed from symmetric matrices only, which must be positive semidefinite.
    ShiftedBlocks(const BlockMatrix& w, Symmetry symmetry);

    bool factor(double shift);

    /// Replaces the right-hand side by the solution.
    void solve(std::span<Vec3d> b);

    int reduced_size() const { return size_; }

  private:
    // Consecutive contacts in `members_`, and the basis of their range: `rank` columns of 3 `count`
    // numbers, from `basis` on.
    struct Group {
        std::size_t first = 0, count = 0, basis = 0;
        int rank = 0, place = 0;
    };

    void find_groups(const BlockMatrix& w, bool merge);
    void find_basis(const BlockMatrix& w, Group& group);
    std::vector<MatrixEntry> reduce(const BlockMatrix& w) const;

    std::vector<Group> groups_;
    std::vector<std::size_t> members_, group_of_, place_in_group_;
    std::vector<double> basis_, reduced_;
    std::optional<LinearSolver> solver_;
    int size_ = 0;
    double shift_ = 0;
};

} // namespace rigor
