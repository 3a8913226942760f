// Linear programs, as for the resting forces of [Baber 2006]. The solver is CLP, which is optional
// to link (src/clp).
#pragma once

#include <span>
#include <vector>

#include "numeric/matrix.h"
#include "rigor/export.h"

namespace rigor {

enum class LpStatus { optimal, infeasible, unbounded, failed, invalid };

struct LpResult {
    LpStatus status = LpStatus::invalid;
    std::vector<double> x;    // empty unless optimal
    std::vector<double> dual; // multiplier of each row, >= 0; empty unless optimal
    double objective = 0;     // c·x
    int iterations = 0;
};

/// The least c·x subject to A x >= b and x >= 0. `invalid` when the sizes do not match or an entry
/// is not finite, `failed` when the solver gave up or none is linked.
LpResult solve_lp(std::span<const double> c, const DenseMatrix& a, std::span<const double> b);

using LpSolver = LpResult (*)(std::span<const double> c, const DenseMatrix& a,
                              std::span<const double> b);

/// Registers the solver that solve_lp calls. Called once, before main() begins: it is not
/// synchronized.
RIGOR_API void set_lp_solver(LpSolver solver);

} // namespace rigor
