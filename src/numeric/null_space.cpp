#include "numeric/null_space.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace rigor {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix to_eigen(const DenseMatrix& a) {
    return Eigen::Map<const Matrix>(a.data(), static_cast<Eigen::Index>(a.rows()),
                                    static_cast<Eigen::Index>(a.columns()));
}

std::vector<std::vector<double>> columns_from(const Eigen::MatrixXd& m, Eigen::Index first) {
    std::vector<std::vector<double>> columns;
    for (Eigen::Index i = first; i < m.cols(); ++i)
        columns.emplace_back(m.col(i).begin(), m.col(i).end());
    return columns;
}

} // namespace

NullSpaces null_spaces(const DenseMatrix& a, double tolerance) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(to_eigen(a),
                                                Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::VectorXd& values = svd.singularValues();
    Eigen::Index rank = 0;
    while (rank < values.size() && values[rank] > tolerance * values[0]) ++rank;
    return {columns_from(svd.matrixV(), rank), columns_from(svd.matrixU(), rank)};
}

SymmetricEigenvectors symmetric_eigenvectors(const DenseMatrix& a) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(to_eigen(a));
    return {{solver.eigenvalues().begin(), solver.eigenvalues().end()},
            columns_from(solver.eigenvectors(), 0)};
}

} // namespace rigor
