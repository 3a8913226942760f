// Linear complementarity problems (LCP). Find z such that
//
//     w = M z + q,   z >= 0,   w >= 0,   z·w = 0.
//
// Frictionless resting contact is an LCP: z are the normal forces, w the separation accelerations,
// and each contact either has a force or separates. [Cottle 1992]
#pragma once

#include <span>
#include <vector>

#include "numeric/matrix.h"

namespace rigor {

enum class LcpStatus {
    solved,
    no_solution, // Lemke's path ended on a ray; for positive semidefinite M this is a proof
    iteration_limit,
    inaccurate, // a complementary solution whose residual is above the tolerance
    invalid,    // M not square, q of another size, or non-finite entries
};

struct LcpResult {
    LcpStatus status = LcpStatus::invalid;
    std::vector<double> z, w;
    int iterations = 0;
    double residual = 0;     // lcp_residual(M, q, z)
    bool least_norm = false; // z is proved to be the solution of least norm
};

struct LcpSettings {
    double tolerance = 1e-10; // of the residual, relative to the largest |d_i q_i|
    int max_iterations = 0;   // 0: chosen from the size
};

/// The largest |min(z_i / d_i, d_i w_i)| with w = M z + q: zero exactly at a solution. The units
/// d_i = 1 / sqrt(M_ii) (1 where that is not positive) make the two comparable.
double lcp_residual(const DenseMatrix& m, std::span<const double> q, std::span<const double> z);

/// Lemke's method with the lexicographic ratio test, which cannot cycle. Finds a solution, or
/// proves that there is none, for positive semidefinite and for copositive-plus M (friction boxes);
/// for other M a ray proves nothing. The final basis is solved again from the original data, so
/// pivoting errors do not remain. Typically O(n³).
LcpResult solve_lcp(const DenseMatrix& m, std::span<const double> q,
                    const LcpSettings& settings = {});

/// The solution that is positive where `like` is, by one factorization: the solution of a problem
/// that hardly differs is so. `inaccurate` where there is none.
LcpResult solve_lcp_like(const DenseMatrix& m, std::span<const double> q,
                         std::span<const double> like, const LcpSettings& settings = {});

/// For symmetric positive semidefinite M, where all solutions have the same w: the solution of
/// least norm. A table on four legs loads all four equally, though three would suffice.
/// `least_norm` says whether that was proved; if not, the result is that of solve_lcp.
LcpResult solve_lcp_least_norm(const DenseMatrix& m, std::span<const double> q,
                               const LcpSettings& settings = {});

/// Projected Gauss-Seidel from `start` (zero when empty): slow and simple, for comparison and as an
/// oracle. Rows whose diagonal entry is not positive keep their start value.
LcpResult solve_lcp_gauss_seidel(const DenseMatrix& m, std::span<const double> q,
                                 const LcpSettings& settings = {},
                                 std::span<const double> start = {});

} // namespace rigor
