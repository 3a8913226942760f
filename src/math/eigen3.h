// Eigenvalues and eigenvectors of a symmetric 3x3 matrix.
#pragma once

#include "rigor/mat.h"

namespace rigor {

/// a = vectors · diag(values) · vectorsᵀ.
template <class S>
struct Eigen3 {
    Vec3<S> values;  // ascending
    Mat3<S> vectors; // columns: orthonormal, right-handed
};

/// By Jacobi rotations, which find the small eigenvalues of a positive definite matrix to their own
/// relative precision [Demmel 1992]; a formula through the characteristic polynomial loses them. A
/// diagonal matrix gives its own entries and axes that are exactly 0 or ±1. Any finite scale is
/// allowed; NaN where a is not finite.
template <class S>
Eigen3<S> eigen(const Sym3<S>& a);

} // namespace rigor
