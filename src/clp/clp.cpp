// Linear programs by the dual simplex method of CLP. The one file that knows CLP, and a library of
// its own, so that a program without linear programs links neither CLP nor LAPACK.
#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>

#include "base/deadline.h"
#include "numeric/lp.h"

namespace rigor {
namespace {

CoinPackedMatrix pack(const DenseMatrix& a) {
    std::vector<int> row, column;
    std::vector<double> entry;
    for (std::size_t i = 0; i < a.rows(); ++i) {
        for (std::size_t j = 0; j < a.columns(); ++j) {
            if (a(i, j) == 0) continue;
            row.push_back(static_cast<int>(i));
            column.push_back(static_cast<int>(j));
            entry.push_back(a(i, j));
        }
    }
    CoinPackedMatrix packed(true, row.data(), column.data(), entry.data(),
                            static_cast<CoinBigIndex>(entry.size()));
    packed.setDimensions(static_cast<int>(a.rows()), static_cast<int>(a.columns()));
    return packed;
}

/// Ends the solver when the deadline of the step has passed. CLP's own limit counts processor time
/// of all threads.
class EndAtDeadline : public ClpEventHandler {
  public:
    int event(Event) override { return deadline_has_passed() ? kEnd : kGoOn; }
    ClpEventHandler* clone() const override { return new EndAtDeadline(*this); }

  private:
    static constexpr int kGoOn = -1, kEnd = 0;
};

LpStatus status_of(const ClpSimplex& model) {
    if (model.isProvenOptimal()) return LpStatus::optimal;
    if (model.isProvenPrimalInfeasible()) return LpStatus::infeasible;
    if (model.isProvenDualInfeasible()) return LpStatus::unbounded;
    return LpStatus::failed;
}

LpResult solve(std::span<const double> c, const DenseMatrix& a, std::span<const double> b) {
    LpResult result;
    ClpSimplex model;
    model.setLogLevel(0);
    const EndAtDeadline handler;
    model.passInEventHandler(&handler);
    const std::vector<double> zero(c.size(), 0.0), no_bound(c.size(), COIN_DBL_MAX);
    const std::vector<double> no_row_bound(b.size(), COIN_DBL_MAX);
    model.loadProblem(pack(a), zero.data(), no_bound.data(), c.data(), b.data(),
                      no_row_bound.data());
    model.setPrimalTolerance(1e-10);
    model.setDualTolerance(1e-10);
    model.dual();
    result.status = status_of(model);
    result.iterations = model.numberIterations();
    if (result.status != LpStatus::optimal) return result;
    const double* x = model.primalColumnSolution();
    const double* dual = model.dualRowSolution();
    result.x.assign(x, x + c.size());
    result.dual.assign(dual, dual + b.size());
    for (std::size_t i = 0; i < c.size(); ++i) result.objective += c[i] * result.x[i];
    return result;
}

[[maybe_unused]] const bool is_installed = (set_lp_solver(&solve), true);

} // namespace
} // namespace rigor

// Nothing calls into this file. The linker takes it for this name (-u, in cmake/rigor_library.cmake
// and rigor.pc), and with it the initialization above.
extern "C" RIGOR_API const int rigor_clp_is_linked;
const int rigor_clp_is_linked = 1;
