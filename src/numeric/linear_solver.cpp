#include "numeric/linear_solver.h"

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <cmath>

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;
using Ordering = Eigen::COLAMDOrdering<int>;

constexpr int kDense = 100; // rows up to which dense factors are faster

class Kind {
  public:
    virtual ~Kind() = default;
    virtual bool factor(double shift) = 0;
    virtual VectorXd solve(const VectorXd& b) const = 0;
};

template <class Decomposition>
class Dense final : public Kind {
  public:
    Dense(int size, std::span<const MatrixEntry> entries) : m_(MatrixXd::Zero(size, size)) {
        for (const MatrixEntry& e : entries) m_(e.row, e.column) += e.value;
    }
    bool factor(double shift) override {
        MatrixXd shifted = m_;
        shifted.diagonal().array() += shift;
        if (!shifted.allFinite()) return false;
        decomposition_.compute(shifted);
        if constexpr (requires { decomposition_.info(); })
            return decomposition_.info() == Eigen::Success;
        return true;
    }
    VectorXd solve(const VectorXd& b) const override { return decomposition_.solve(b); }

  private:
    MatrixXd m_;
    Decomposition decomposition_;
};

// The elimination order is computed once and used for every shift.
template <class Decomposition>
class Sparse final : public Kind {
  public:
    Sparse(int size, std::span<const MatrixEntry> entries) : m_(size, size) {
        std::vector<Eigen::Triplet<double>> triplets;
        triplets.reserve(entries.size() + static_cast<std::size_t>(size));
        for (const MatrixEntry& e : entries) {
            finite_ = finite_ && std::isfinite(e.value);
            triplets.emplace_back(e.row, e.column, e.value);
        }
        for (int i = 0; i < size; ++i) triplets.emplace_back(i, i, 0.0);
        m_.setFromTriplets(triplets.begin(), triplets.end());
        if (finite_) decomposition_.analyzePattern(m_);
    }
    bool factor(double shift) override {
        if (!finite_) return false;
        SparseMatrix shifted = m_;
        if (shift != 0)
            for (int i = 0; i < m_.rows(); ++i) shifted.coeffRef(i, i) += shift;
        decomposition_.factorize(shifted);
        return decomposition_.info() == Eigen::Success;
    }
    VectorXd solve(const VectorXd& b) const override { return decomposition_.solve(b); }

  private:
    SparseMatrix m_;
    Decomposition decomposition_;
    bool finite_ = true;
};

std::unique_ptr<Kind> make(int size, std::span<const MatrixEntry> entries, Symmetry symmetry) {
    const bool definite = symmetry == Symmetry::definite;
    if (size <= kDense && definite)
        return std::make_unique<Dense<Eigen::LLT<MatrixXd>>>(size, entries);
    if (size <= kDense)
        return std::make_unique<Dense<Eigen::PartialPivLU<MatrixXd>>>(size, entries);
    if (definite)
        return std::make_unique<Sparse<Eigen::SimplicialLLT<SparseMatrix>>>(size, entries);
    return std::make_unique<Sparse<Eigen::SparseLU<SparseMatrix, Ordering>>>(size, entries);
}

} // namespace

struct LinearSolver::Factors {
    std::unique_ptr<Kind> kind;
};

LinearSolver::LinearSolver(int size, std::span<const MatrixEntry> entries, Symmetry symmetry)
    : factors_(std::make_unique<Factors>(Factors{make(size, entries, symmetry)})) {}
LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;
LinearSolver& LinearSolver::operator=(LinearSolver&&) noexcept = default;

bool LinearSolver::factor(double shift) {
    return factors_->kind->factor(shift);
}

void LinearSolver::solve(std::span<double> b) const {
    if (b.empty()) return;
    Eigen::Map<VectorXd> x(b.data(), static_cast<Eigen::Index>(b.size()));
    x = factors_->kind->solve(x);
}

} // namespace rigor
