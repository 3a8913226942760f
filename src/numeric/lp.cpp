#include "numeric/lp.h"

#include <algorithm>
#include <cmath>

#include "rigor/linear_programs.h"

namespace rigor {
namespace {

constinit LpSolver solver = nullptr;

bool all_finite(std::span<const double> v) {
    return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
}

bool is_valid(std::span<const double> c, const DenseMatrix& a, std::span<const double> b) {
    return a.rows() == b.size() && a.columns() == c.size() && all_finite(c) && all_finite(b) &&
           all_finite({a.data(), a.rows() * a.columns()});
}

} // namespace

void set_lp_solver(LpSolver wanted) {
    solver = wanted;
}

bool has_linear_programs() {
    return solver != nullptr;
}

LpResult solve_lp(std::span<const double> c, const DenseMatrix& a, std::span<const double> b) {
    LpResult result;
    if (!is_valid(c, a, b)) return result;
    result.status = LpStatus::failed;
    return solver ? solver(c, a, b) : result;
}

} // namespace rigor
