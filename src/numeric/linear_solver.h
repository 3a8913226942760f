// Direct solver of sparse linear systems, which uses dense factors for small ones.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace rigor {

struct MatrixEntry {
    int row = 0, column = 0;
    double value = 0;
};

enum class Symmetry { none, definite };

/// A square matrix M and the factors of M + shift.
class LinearSolver {
  public:
    /// Entries at the same position are added; all entries of a symmetric matrix are given as well.
    LinearSolver(int size, std::span<const MatrixEntry> entries, Symmetry symmetry);
    ~LinearSolver();
    LinearSolver(LinearSolver&&) noexcept;
    LinearSolver& operator=(LinearSolver&&) noexcept;

    /// False when M + shift cannot be factored: it is singular, not definite or not finite.
    bool factor(double shift = 0);

    /// Replaces the right-hand side by the solution.
    void solve(std::span<double> b) const;

  private:
    struct Factors;
    std::unique_ptr<Factors> factors_;
};

} // namespace rigor
