#include "numeric/factored_matrix.h"

#include <algorithm>
#include <cmath>

namespace rigor {

void FactoredMatrix::add_entry(std::uint32_t column, double r, double c) {
    columns_.push_back(column);
    column_count_ = std::max(column_count_, std::size_t{column} + 1);
    r_.push_back(r);
    if (!symmetric_) c_.push_back(c);
}

void FactoredMatrix::drop_empty_columns() {
    constexpr std::uint32_t kEmpty = UINT32_MAX;
    std::vector<std::uint32_t> number(column_count_, kEmpty);
    for (const std::uint32_t column : columns_) number[column] = 0;
    std::uint32_t next = 0;
    for (std::uint32_t& n : number)
        if (n != kEmpty) n = next++;
    for (std::uint32_t& column : columns_) column = number[column];
    column_count_ = next;
}

std::vector<double> FactoredMatrix::gather(std::span<const double> x) const {
    std::vector<double> sums(column_count_);
    for (std::size_t i = 0; i < rows(); ++i)
        for (std::size_t k = begin_of(i); k < ends_[i]; ++k) sums[columns_[k]] += c()[k] * x[i];
    return sums;
}

void FactoredMatrix::scatter(std::span<const double> y, std::span<double> out) const {
    for (std::size_t i = 0; i < rows(); ++i) {
        double sum = 0;
        for (std::size_t k = begin_of(i); k < ends_[i]; ++k) sum += r_[k] * y[columns_[k]];
        out[i] = sum;
    }
}

double FactoredMatrix::largest_diagonal() const {
    double largest = 0;
    for (std::size_t i = 0; i < rows(); ++i) {
        double sum = 0;
        for (std::size_t k = begin_of(i); k < ends_[i]; ++k) sum += r_[k] * c()[k];
        largest = std::max(largest, std::abs(sum));
    }
    return largest;
}

DenseMatrix FactoredMatrix::inner_product() const {
    DenseMatrix m(column_count_, column_count_);
    for (std::size_t i = 0; i < rows(); ++i)
        for (std::size_t k = begin_of(i); k < ends_[i]; ++k)
            for (std::size_t l = begin_of(i); l < ends_[i]; ++l)
                m(columns_[k], columns_[l]) += c()[k] * r_[l];
    return m;
}

DenseMatrix FactoredMatrix::dense() const {
    DenseMatrix m(rows(), rows());
    std::vector<double> unit(rows()), column(rows());
    for (std::size_t j = 0; j < rows(); ++j) {
        unit[j] = 1;
        scatter(gather(unit), column);
        unit[j] = 0;
        for (std::size_t i = 0; i < rows(); ++i) m(i, j) = column[i];
    }
    return m;
}

} // namespace rigor
