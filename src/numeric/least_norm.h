// Minimum-norm solution of rank-deficient linear systems: a table on four legs, a loop of hinges.
#pragma once

#include <memory>
#include <span>

#include "numeric/factored_matrix.h"

namespace rigor {

/// Factors a square matrix once, and solves it for any right-hand side.
///
/// For a symmetric positive semidefinite matrix the solution has least norm. A nearly symmetric
/// matrix (sliding contacts) is solved likewise, and its solution has only approximately least
/// norm.
///
/// Iterates (A + eps 1) dx = b - A x: each round reduces the error along a singular value s by the
/// factor eps/(eps + s), and nothing grows along those with s = 0. [Rockafellar 1976] Where a
/// symmetric one has singular values far below eps, as with moments of inertia of 1 : 1000 in a
/// loop of joints, it is solved by a complete orthogonal decomposition instead.
class LeastNormSolver {
  public:
    LeastNormSolver(const DenseMatrix& a, bool symmetric);
    /// Of a matrix with more rows than its factors R and C have columns only Cᵀ R is factored:
    /// (R Cᵀ + eps 1)⁻¹ = (1 - R (Cᵀ R + eps 1)⁻¹ Cᵀ) / eps [Woodbury 1950]. It must outlive the
    /// solver.
    explicit LeastNormSolver(const FactoredMatrix& a);
    ~LeastNormSolver();

    /// The residual |b - A x|, largest component, relative to the largest |b|. It does not vanish
    /// where b is outside the range of A.
    double solve(std::span<const double> b, std::span<double> x) const;

  private:
    struct Factors;
    std::unique_ptr<Factors> factors_;
};

} // namespace rigor
