#include "numeric/least_norm.h"

#include "base/deadline.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

namespace rigor {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

constexpr double kShift = 1e-7; // of the largest diagonal entry
constexpr int kMaxRounds = 100, kMaxNullRounds = 12;
constexpr Eigen::Index kMostDirect = 300; // rows: a direct solution takes some 10 ms

Matrix matrix_of(const DenseMatrix& a) {
    return Eigen::Map<const Matrix>(a.data(), static_cast<Eigen::Index>(a.rows()),
                                    static_cast<Eigen::Index>(a.columns()));
}

} // namespace

struct LeastNormSolver::Factors {
    const FactoredMatrix* low_rank = nullptr; ///< if so, `a` is empty until it is needed
    mutable Matrix a;
    Eigen::LLT<Matrix> cholesky;
    Eigen::PartialPivLU<Matrix> lu;
    mutable Eigen::CompleteOrthogonalDecomposition<Matrix> orthogonal; ///< when it is needed
    double shift = 0;
    bool symmetric = true;

    Vector solve_factored(const Vector& b) const {
        if (symmetric) return cholesky.solve(b);
        return lu.solve(b);
    }

    /// (A + eps 1)⁻¹ b; of a symmetric A = R Rᵀ the part of A (A + eps 1)⁻² b that is like it, so
    /// that x is in the range of R, and has least norm: R (RᵀR + eps 1)⁻² Rᵀ b.
    Vector solve(const Vector& b) const {
        if (!low_rank) return solve_factored(b);
        const Vector y = solve_factored(gathered(b));
        if (symmetric) return scattered(solve_factored(y));
        return (b - scattered(y)) / shift;
    }

    Vector gathered(const Vector& x) const {
        const std::vector<double> sums = low_rank->gather({x.data(), std::size_t(x.size())});
        return Eigen::Map<const Vector>(sums.data(), static_cast<Eigen::Index>(sums.size()));
    }
    Vector scattered(const Vector& y) const {
        Vector x(static_cast<Eigen::Index>(low_rank->rows()));
        low_rank->scatter({y.data(), std::size_t(y.size())}, {x.data(), low_rank->rows()});
        return x;
    }

    Vector multiply(const Vector& x) const { return low_rank ? scattered(gathered(x)) : a * x; }

    double largest_entry() const {
        if (!low_rank) return a.cwiseAbs().maxCoeff();
        return largest_diagonal; // of a symmetric one that is the same
    }
    double largest_diagonal = 0;

    /// Whether a residual has a part in the range of A, along a singular value that is small beside
    /// the shift. What is outside the range no solution removes.
    bool is_reducible(const Vector& residual) const {
        const double size = largest_entry() * residual.cwiseAbs().maxCoeff();
        return multiply(residual).cwiseAbs().maxCoeff() > 1e-12 * size;
    }

    /// By a complete orthogonal decomposition, which takes some ten times longer.
    Vector solve_directly(const Vector& b) const {
        if (orthogonal.rows() == 0) {
            if (low_rank) a = matrix_of(low_rank->dense());
            orthogonal.compute(a);
        }
        return orthogonal.solve(b);
    }

    /// Factors a matrix, shifted by a share of the largest diagonal entry of A.
    void factor(Matrix shifted, double largest) {
        const double size = static_cast<double>(shifted.rows());
        if (!deadline_allows(1e-10 * size * size * size)) return;
        largest_diagonal = largest;
        shift = kShift * (largest > 0 ? largest : 1);
        shifted.diagonal().array() += shift;
        if (symmetric) {
            cholesky.compute(shifted);
            symmetric = cholesky.info() == Eigen::Success;
        }
        if (!symmetric) lu.compute(shifted);
    }

    /// The part of x in the null space of A (s = 0), where the rounding errors of b were divided by
    /// eps. eps (A + eps 1)⁻¹ keeps that part and reduces the others by eps/(eps + s), so it is
    /// repeated until A times the part is negligible.
    Vector null_space_part(const Vector& x, double negligible) const {
        Vector part = x;
        for (int round = 0; round < kMaxNullRounds; ++round) {
            part = cholesky.solve(part) * shift;
            if ((a * part).cwiseAbs().maxCoeff() <= negligible) return part;
        }
        return Vector::Zero(x.size());
    }
};

LeastNormSolver::LeastNormSolver(const DenseMatrix& a, bool symmetric)
    : factors_(std::make_unique<Factors>()) {
    factors_->a = matrix_of(a);
    factors_->symmetric = symmetric;
    if (a.rows() > 0) factors_->factor(factors_->a, factors_->a.diagonal().cwiseAbs().maxCoeff());
}

LeastNormSolver::LeastNormSolver(const FactoredMatrix& a) : factors_(std::make_unique<Factors>()) {
    factors_->low_rank = &a;
    factors_->symmetric = a.is_symmetric();
    if (a.rows() > 0) factors_->factor(matrix_of(a.inner_product()), a.largest_diagonal());
}

LeastNormSolver::~LeastNormSolver() = default;

double LeastNormSolver::solve(std::span<const double> b, std::span<double> x) const {
    const auto n = static_cast<Eigen::Index>(b.size());
    if (n == 0) return 0;
    const Factors& f = *factors_;
    const Eigen::Map<const Vector> wanted(b.data(), n);
    const double scale = wanted.cwiseAbs().maxCoeff();
    Eigen::Map<Vector> result(x.data(), n);
    result.setZero();
    if (!(scale > 0)) return 0;
    if (f.shift == 0) return 1; // there was no time to factor it

    Vector residual = wanted;
    double least = scale;
    for (int round = 0; round < kMaxRounds; ++round) {
        const Vector better = result + f.solve(residual);
        residual = wanted - f.multiply(better);
        const double size = residual.cwiseAbs().maxCoeff();
        if (!(size < least)) break;
        result = better;
        const bool stalls = size > 0.9 * least;
        least = size;
        if (size <= 1e-15 * scale || stalls) break;
    }
    if (least > 1e-13 * scale && f.symmetric && n <= kMostDirect && f.is_reducible(residual)) {
        const Vector direct = f.solve_directly(wanted);
        const double left = (wanted - f.multiply(direct)).cwiseAbs().maxCoeff();
        if (left < least) {
            result = direct;
            return left / scale;
        }
    }
    if (f.symmetric && !f.low_rank) result -= f.null_space_part(result, 1e-16 * scale);
    return least / scale;
}

} // namespace rigor
