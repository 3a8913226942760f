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

} // namespace

struct LeastNormSolver::Factors {
    Matrix a;
    Eigen::LLT<Matrix> cholesky;
    Eigen::PartialPivLU<Matrix> lu;
    mutable Eigen::CompleteOrthogonalDecomposition<Matrix> orthogonal; ///< when it is needed
    double shift = 0;
    bool symmetric = true;

    Vector solve(const Vector& b) const {
        if (symmetric) return cholesky.solve(b);
        return lu.solve(b);
    }

    /// Whether a residual has a part in the range of A, along a singular value that is small beside
    /// the shift. What is outside the range no solution removes.
    bool is_reducible(const Vector& residual) const {
        const double size = a.cwiseAbs().maxCoeff() * residual.cwiseAbs().maxCoeff();
        return (a * residual).cwiseAbs().maxCoeff() > 1e-12 * size;
    }

    /// By a complete orthogonal decomposition, which takes some ten times longer.
    Vector solve_directly(const Vector& b) const {
        if (orthogonal.rows() == 0) orthogonal.compute(a);
        return orthogonal.solve(b);
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
    const auto n = static_cast<Eigen::Index>(a.rows());
    Factors& f = *factors_;
    f.a = Eigen::Map<const Matrix>(a.data(), n, n);
    f.symmetric = symmetric;
    if (n == 0) return;
    const double size = static_cast<double>(n);
    if (!deadline_allows(1e-10 * size * size * size)) return;
    Matrix shifted = f.a;
    const double largest = f.a.diagonal().cwiseAbs().maxCoeff();
    f.shift = kShift * (largest > 0 ? largest : 1);
    shifted.diagonal().array() += f.shift;
    if (symmetric) {
        f.cholesky.compute(shifted);
        f.symmetric = f.cholesky.info() == Eigen::Success;
    }
    if (!f.symmetric) f.lu.compute(shifted);
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
        residual = wanted - f.a * better;
        const double size = residual.cwiseAbs().maxCoeff();
        if (!(size < least)) break;
        result = better;
        const bool stalls = size > 0.9 * least;
        least = size;
        if (size <= 1e-15 * scale || stalls) break;
    }
    if (least > 1e-13 * scale && f.symmetric && n <= kMostDirect && f.is_reducible(residual)) {
        const Vector direct = f.solve_directly(wanted);
        const double left = (wanted - f.a * direct).cwiseAbs().maxCoeff();
        if (left < least) {
            result = direct;
            return left / scale;
        }
    }
    if (f.symmetric) result -= f.null_space_part(result, 1e-16 * scale);
    return least / scale;
}

} // namespace rigor
