// Null spaces of a matrix by its singular value decomposition, and eigenvectors of a symmetric one.
#pragma once

#include <vector>

#include "numeric/matrix.h"

namespace rigor {

/// Orthonormal bases; each vector is an entry.
struct NullSpaces {
    std::vector<std::vector<double>> right; ///< x with A x = 0
    std::vector<std::vector<double>> left;  ///< y with Aᵀ y = 0
};

/// Singular values below `tolerance` times the largest count as zero.
NullSpaces null_spaces(const DenseMatrix& a, double tolerance);

struct SymmetricEigenvectors {
    std::vector<double> values; ///< ascending
    std::vector<std::vector<double>> vectors;
};

SymmetricEigenvectors symmetric_eigenvectors(const DenseMatrix& a);

} // namespace rigor
