// Linear programs, by the simplex method of CLP: the resting forces of [Baber 2006] are one.
#pragma once

#include <span>
#include <vector>

#include "numeric/matrix.h"

namespace rigor {

enum class LpStatus { optimal, infeasible, unbounded, failed, invalid };

struct LpResult {
    LpStatus status = LpStatus::invalid;
    std::vector<double> x;    // empty unless optimal
    std::vector<double> dual; // a price per row, >= 0; empty unless optimal
    double objective = 0;     // c·x
    int iterations = 0;
};

/// The least c·x subject to A x >= b and x >= 0. `invalid` when the sizes do not fit or an
/// entry is not finite, `failed` when the solver gave up.
LpResult solve_lp(std::span<const double> c, const DenseMatrix& a, std::span<const double> b);

} // namespace rigor
