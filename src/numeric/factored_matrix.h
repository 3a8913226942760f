// A square matrix A = R Cᵀ of low rank by its sparse factors: the couplings of many contacts of few
// bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numeric/matrix.h"

namespace rigor {

/// Row i of R and row i of C have their entries at the same places. R and C are alike where A is
/// symmetric.
class FactoredMatrix {
  public:
    explicit FactoredMatrix(bool symmetric) : symmetric_(symmetric) {}

    /// Adds an entry to the row that is being written; `c` is ignored where A is symmetric.
    void add_entry(std::uint32_t column, double r, double c);
    void end_row() { ends_.push_back(columns_.size()); }
    /// Numbers the columns that have entries from zero on.
    void drop_empty_columns();

    std::size_t rows() const { return ends_.size(); }
    std::size_t columns() const { return column_count_; }
    bool is_symmetric() const { return symmetric_; }

    /// Cᵀ x, by column.
    std::vector<double> gather(std::span<const double> x) const;
    /// R y: of each row, its product with y.
    void scatter(std::span<const double> y, std::span<double> out) const;
    double largest_diagonal() const;
    /// Cᵀ R, of the size of the columns.
    DenseMatrix inner_product() const;
    /// R Cᵀ.
    DenseMatrix dense() const;

  private:
    const std::vector<double>& c() const { return symmetric_ ? r_ : c_; }
    std::size_t begin_of(std::size_t row) const { return row == 0 ? 0 : ends_[row - 1]; }

    bool symmetric_;
    std::size_t column_count_ = 0;
    std::vector<std::size_t> ends_; ///< by row, behind its last entry
    std::vector<std::uint32_t> columns_;
    std::vector<double> r_, c_;
};

} // namespace rigor
