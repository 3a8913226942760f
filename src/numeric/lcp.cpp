#include "numeric/lcp.h"

#include "base/deadline.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace rigor {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Problem {
    MatrixXd m;
    VectorXd q;
};

std::optional<Problem> read(const DenseMatrix& m, std::span<const double> q) {
    if (m.rows() != m.columns() || m.rows() != q.size()) return std::nullopt;
    const Index n = static_cast<Index>(q.size());
    Problem p{Eigen::Map<const RowMajor>(m.data(), n, n), Eigen::Map<const VectorXd>(q.data(), n)};
    if (!p.m.allFinite() || !p.q.allFinite()) return std::nullopt;
    return p;
}

// Scaling variables and rows alike, z = D z', preserves the problem and gives M a unit diagonal
// where it has a positive one. Then z' and w' = D w have the same unit, and their minimum is
// meaningful.
VectorXd unit_diagonal_scale(const MatrixXd& m) {
    VectorXd d = VectorXd::Ones(m.rows());
    for (Index i = 0; i < m.rows(); ++i)
        if (m(i, i) > 0) d(i) = 1 / std::sqrt(m(i, i));
    return d;
}

double residual_of(const Problem& p, const VectorXd& z) {
    if (z.size() == 0) return 0;
    const VectorXd d = unit_diagonal_scale(p.m), w = p.m * z + p.q;
    return z.cwiseQuotient(d).cwiseMin(w.cwiseProduct(d)).cwiseAbs().maxCoeff();
}

double goal_of(const Problem& p, const LcpSettings& settings) {
    if (p.q.size() == 0) return 0;
    return settings.tolerance * p.q.cwiseProduct(unit_diagonal_scale(p.m)).cwiseAbs().maxCoeff();
}

LcpResult report(const Problem& p, const VectorXd& z, LcpStatus status, int iterations,
                 const LcpSettings& settings) {
    LcpResult result;
    const VectorXd w = p.m * z + p.q;
    result.z.assign(z.begin(), z.end());
    result.w.assign(w.begin(), w.end());
    result.iterations = iterations;
    result.residual = residual_of(p, z);
    result.status = status;
    if (status == LcpStatus::solved && !(result.residual <= goal_of(p, settings)))
        result.status = LcpStatus::inaccurate;
    return result;
}

// Lemke's tableau: the equations w - M z - e z0 = q, solved for the basic variables.
// Variables 0..n-1 are w, n..2n-1 are z, 2n is the artificial z0.
class Lemke {
  public:
    Lemke(const MatrixXd& m, const VectorXd& q) : n_(q.size()), tableau_(n_, 2 * n_ + 2) {
        tableau_ << MatrixXd::Identity(n_, n_), -m, -VectorXd::Ones(n_), q;
        for (Index i = 0; i < n_; ++i) basis_.push_back(i);
    }

    // Follows the almost complementary path.
    LcpStatus run(int max_iterations) {
        if (n_ == 0 || tableau_.col(right()).minCoeff() >= 0) return LcpStatus::solved;
        Index leaving = pivot(first_row(), artificial());
        while (leaving != artificial()) {
            if (iterations_ >= max_iterations || deadline_has_passed())
                return LcpStatus::iteration_limit;
            const Index entering = leaving < n_ ? leaving + n_ : leaving - n_; // its complement
            const Index row = ratio_row(entering);
            if (row < 0) return LcpStatus::no_solution;
            leaving = pivot(row, entering);
        }
        return LcpStatus::solved;
    }

    // Which z are basic.
    std::vector<Index> support() const {
        std::vector<Index> rows;
        for (const Index b : basis_)
            if (b >= n_ && b < artificial()) rows.push_back(b - n_);
        std::sort(rows.begin(), rows.end());
        return rows;
    }

    VectorXd z() const {
        VectorXd z = VectorXd::Zero(n_);
        for (std::size_t i = 0; i < basis_.size(); ++i)
            if (basis_[i] >= n_ && basis_[i] < artificial())
                z(basis_[i] - n_) = std::max(tableau_(static_cast<Index>(i), right()), 0.0);
        return z;
    }

    int iterations() const { return iterations_; }

  private:
    Index artificial() const { return 2 * n_; }
    Index right() const { return 2 * n_ + 1; }

    // Whether row i comes before row k when each is divided by its entry in column j: by the
    // right-hand side, and in a tie by the columns of the inverse basis, which are linearly
    // independent, so that the order is strict.
    bool lexicographically_less(Index i, Index k, double entry_i, double entry_k) const {
        for (Index c = -1; c < n_; ++c) {
            const Index j = c < 0 ? right() : c;
            const double a = tableau_(i, j) / entry_i, b = tableau_(k, j) / entry_k;
            if (std::abs(a - b) > 1e-12 * std::max({std::abs(a), std::abs(b), 1e-3})) return a < b;
        }
        return i < k;
    }

    // The lexicographically lowest row: there z0 enters, and all others become positive.
    Index first_row() const {
        Index best = 0;
        for (Index i = 1; i < n_; ++i)
            if (lexicographically_less(i, best, 1, 1)) best = i;
        return best;
    }

    // The row that first blocks the entering variable, or -1 on a ray. z0 leaves when it can: a tie
    // with it is already a solution.
    Index ratio_row(Index j) const {
        const double smallest = 1e-11 * std::max(1.0, tableau_.col(j).cwiseAbs().maxCoeff());
        Index best = -1;
        for (Index i = 0; i < n_; ++i) {
            if (!(tableau_(i, j) > smallest)) continue;
            if (best < 0 || lexicographically_less(i, best, tableau_(i, j), tableau_(best, j)))
                best = i;
        }
        if (best < 0) return best;
        const double ratio = tableau_(best, right()) / tableau_(best, j);
        for (Index i = 0; i < n_; ++i)
            if (basis_[static_cast<std::size_t>(i)] == artificial() && tableau_(i, j) > smallest &&
                tableau_(i, right()) / tableau_(i, j) <=
                    ratio + 1e-12 * std::max(1.0, std::abs(ratio)))
                return i;
        return best;
    }

    Index pivot(Index row, Index j) {
        tableau_.row(row) /= tableau_(row, j);
        for (Index i = 0; i < n_; ++i)
            if (i != row && tableau_(i, j) != 0)
                tableau_.row(i) -= tableau_(i, j) * tableau_.row(row);
        ++iterations_;
        return std::exchange(basis_[static_cast<std::size_t>(row)], j);
    }

    Index n_;
    RowMajor tableau_; // pivoting works on rows
    std::vector<Index> basis_;
    int iterations_ = 0;
};

MatrixXd submatrix(const MatrixXd& m, const std::vector<Index>& rows) {
    return m(rows, rows);
}

// z with the given support and w = 0 there: the shortest one by a complete orthogonal
// decomposition, which also handles a singular block.
VectorXd solve_on_support(const Problem& p, const std::vector<Index>& support) {
    VectorXd z = VectorXd::Zero(p.q.size());
    if (support.empty()) return z;
    const Eigen::CompleteOrthogonalDecomposition<MatrixXd> block(submatrix(p.m, support));
    const VectorXd right = -p.q(support);
    VectorXd part = block.solve(right);
    part += block.solve(right - submatrix(p.m, support) * part); // one step of refinement
    z(support) = part;
    return z;
}

struct LemkeAnswer {
    LcpStatus status;
    VectorXd z;
    int iterations;
};

LemkeAnswer follow_lemke(const Problem& p, const LcpSettings& settings) {
    const VectorXd d = unit_diagonal_scale(p.m);
    const double size = p.q.size() > 0 ? p.q.cwiseProduct(d).cwiseAbs().maxCoeff() : 0;
    const double unit = size > 0 ? size : 1;
    Lemke lemke(d.asDiagonal() * p.m * d.asDiagonal(), d.cwiseProduct(p.q) / unit);
    const int limit = settings.max_iterations > 0 ? settings.max_iterations
                                                  : 50 * static_cast<int>(p.q.size() + 1);
    const LcpStatus status = lemke.run(limit);
    const VectorXd z = d.cwiseProduct(lemke.z()) * unit;
    if (status != LcpStatus::solved) return {status, z, lemke.iterations()};
    const VectorXd again = solve_on_support(p, lemke.support()).cwiseMax(0.0);
    const bool better = again.allFinite() && residual_of(p, again) <= residual_of(p, z);
    return {status, better ? again : z, lemke.iterations()};
}

bool is_symmetric(const MatrixXd& m) {
    return m.isApprox(m.transpose(), 1e-12) || m.isZero(0);
}

// The conditions under which z, with the given support and M z + q = w, is the solution of least
// norm: z = M y on the support, and M y <= 0 where both z and w vanish.
bool is_shortest(const Problem& p, const VectorXd& z, const std::vector<Index>& support) {
    if (support.empty()) return true;
    VectorXd y = VectorXd::Zero(z.size());
    const VectorXd part = z(support);
    const VectorXd y_part = submatrix(p.m, support).completeOrthogonalDecomposition().solve(part);
    y(support) = y_part;
    const VectorXd my = p.m * y, w = p.m * z + p.q;
    const double slack =
        1e-8 * std::max(z.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    const double touching =
        1e-9 * std::max(p.q.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    for (Index i = 0; i < z.size(); ++i) {
        const bool supported = std::binary_search(support.begin(), support.end(), i);
        if (supported && std::abs(my(i) - z(i)) > slack) return false;
        if (!supported && w(i) <= touching && my(i) > slack) return false;
    }
    return true;
}

std::vector<Index> positive_entries(const VectorXd& z) {
    std::vector<Index> rows;
    for (Index i = 0; i < z.size(); ++i)
        if (z(i) > 0) rows.push_back(i);
    return rows;
}

} // namespace

double lcp_residual(const DenseMatrix& m, std::span<const double> q, std::span<const double> z) {
    const std::optional<Problem> p = read(m, q);
    if (!p || z.size() != q.size()) return std::numeric_limits<double>::infinity();
    return residual_of(*p, Eigen::Map<const VectorXd>(z.data(), static_cast<Index>(z.size())));
}

LcpResult solve_lcp(const DenseMatrix& m, std::span<const double> q, const LcpSettings& settings) {
    const std::optional<Problem> p = read(m, q);
    if (!p) return {};
    const LemkeAnswer answer = follow_lemke(*p, settings);
    return report(*p, answer.z, answer.status, answer.iterations, settings);
}

LcpResult solve_lcp_like(const DenseMatrix& m, std::span<const double> q,
                         std::span<const double> like, const LcpSettings& settings) {
    const std::optional<Problem> p = read(m, q);
    if (!p || like.size() != q.size()) return {};
    const std::vector<Index> support =
        positive_entries(Eigen::Map<const VectorXd>(like.data(), p->q.size()));
    VectorXd z = VectorXd::Zero(p->q.size());
    if (!support.empty()) {
        const MatrixXd block = submatrix(p->m, support);
        const Eigen::PartialPivLU<MatrixXd> factors(block);
        const VectorXd right = -p->q(support);
        VectorXd part = factors.solve(right);
        part += factors.solve(right - block * part); // one step of refinement
        z(support) = part;
    }
    if (!z.allFinite()) return {};
    return report(*p, z.cwiseMax(0.0), LcpStatus::solved, 0, settings);
}

LcpResult solve_lcp_least_norm(const DenseMatrix& m, std::span<const double> q,
                               const LcpSettings& settings) {
    const std::optional<Problem> p = read(m, q);
    if (!p) return {};
    int iterations = 0;
    // With a small multiple of the identity added the solution is unique and near the shortest one
    // [Cottle 1992, 5.6]; its support, if right, gives that one exactly.
    const double largest = p->q.size() > 0 ? p->m.cwiseAbs().maxCoeff() : 0;
    const double size = largest > 0 ? largest : 1;
    for (const double share : {1e-7, 1e-5, 1e-9, 1e-3}) {
        if (!is_symmetric(p->m)) break;
        Problem softened = *p;
        softened.m.diagonal().array() += share * size;
        const LemkeAnswer near = follow_lemke(softened, settings);
        iterations += near.iterations;
        if (near.status != LcpStatus::solved) continue;
        const std::vector<Index> support = positive_entries(near.z);
        const VectorXd z = solve_on_support(*p, support);
        if (!z.allFinite() || residual_of(*p, z) > goal_of(*p, settings)) continue;
        if (!is_shortest(*p, z, support)) continue;
        LcpResult result = report(*p, z.cwiseMax(0.0), LcpStatus::solved, iterations, settings);
        result.least_norm = result.status == LcpStatus::solved;
        return result;
    }
    LcpResult result = solve_lcp(m, q, settings);
    result.iterations += iterations;
    return result;
}

LcpResult solve_lcp_gauss_seidel(const DenseMatrix& m, std::span<const double> q,
                                 const LcpSettings& settings, std::span<const double> start) {
    const std::optional<Problem> p = read(m, q);
    if (!p || (!start.empty() && start.size() != q.size())) return {};
    const Index n = p->q.size();
    VectorXd z = VectorXd::Zero(n);
    if (!start.empty()) z = Eigen::Map<const VectorXd>(start.data(), n).cwiseMax(0.0);
    const int limit = settings.max_iterations > 0 ? settings.max_iterations : 10000;
    const double goal = goal_of(*p, settings);
    for (int iteration = 0; iteration < limit; ++iteration) {
        if (residual_of(*p, z) <= goal)
            return report(*p, z, LcpStatus::solved, iteration, settings);
        if (deadline_has_passed()) break;
        for (Index i = 0; i < n; ++i)
            if (p->m(i, i) > 0)
                z(i) = std::max(z(i) - (p->m.row(i).dot(z) + p->q(i)) / p->m(i, i), 0.0);
    }
    return report(*p, z, LcpStatus::iteration_limit, limit, settings);
}

} // namespace rigor
