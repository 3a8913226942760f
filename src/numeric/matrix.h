// A plain dense matrix, so that callers of the solvers do not depend on a linear algebra library.
#pragma once

#include <cstddef>
#include <vector>

namespace rigor {

/// Row-major, initially zero.
class DenseMatrix {
  public:
    DenseMatrix() = default;
    DenseMatrix(std::size_t rows, std::size_t columns)
        : rows_(rows), columns_(columns), data_(rows * columns) {}

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    double& operator()(std::size_t i, std::size_t j) { return data_[i * columns_ + j]; }
    double operator()(std::size_t i, std::size_t j) const { return data_[i * columns_ + j]; }
    const double* data() const { return data_.data(); }

  private:
    std::size_t rows_ = 0, columns_ = 0;
    std::vector<double> data_;
};

} // namespace rigor
