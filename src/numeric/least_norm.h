// Linear systems whose rows may depend on each other: a table on four legs, a loop of hinges.
#pragma once

#include <memory>
#include <span>

#include "numeric/matrix.h"

namespace rigor {

/// Factors a square matrix once, and solves it for any right-hand side.
///
/// Of a symmetric positive semidefinite matrix the solution is the shortest one. A matrix that is
/// nearly symmetric (contacts that slide) is solved likewise, and the shortness is then not exact.
///
/// It solves (A + eps 1) dx = b - A x over and over: each round leaves eps/(eps + s) of the error
/// in the direction of singular value s, and nothing ever grows along those with s = 0.
/// [Rockafellar 1976]
class LeastNormSolver {
  public:
    LeastNormSolver(const DenseMatrix& a, bool symmetric);
    ~LeastNormSolver();

    /// The residual |b - A x|, largest component, relative to the largest |b|. It stays where b is
    /// out of the reach of A.
    double solve(std::span<const double> b, std::span<double> x) const;

  private:
    struct Factors;
    std::unique_ptr<Factors> factors_;
};

} // namespace rigor
