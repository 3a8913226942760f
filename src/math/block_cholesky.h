// Cholesky factorization of a symmetric positive definite matrix of 6x6 blocks, within its
// envelope: of each row of blocks, those from the first that is not zero on [George & Liu 1981].
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace rigor {

/// Six numbers of a body: linear, then angular.
using Vec6d = std::array<double, 6>;
using Block6 = std::array<Vec6d, 6>;

class BlockCholesky {
  public:
    /// Row i of blocks reaches from column first[i] to the diagonal. All blocks become zero. Reuses
    /// its memory.
    void reset(const std::vector<std::size_t>& first) {
        first_ = first;
        starts_.assign(1, 0);
        for (std::size_t i = 0; i < first.size(); ++i)
            starts_.push_back(starts_.back() + i + 1 - first[i]);
        clear();
    }
    void clear() { blocks_.assign(starts_.back(), Block6{}); }

    /// A block of the lower triangle, column <= row.
    Block6& at(std::size_t row, std::size_t column) {
        return blocks_[starts_[row] + column - first_[row]];
    }

    /// Replaces the lower triangle by L of L Lᵀ. False when the matrix is not positive definite.
    bool factorize() {
        for (std::size_t i = 0; i < first_.size(); ++i) {
            for (std::size_t j = first_[i]; j <= i; ++j) {
                Block6& block = at(i, j);
                for (std::size_t k = std::max(first_[i], first_[j]); k < j; ++k)
                    subtract_product(block, at(i, k), at(j, k));
                if (j == i) {
                    if (!factorize(block)) return false;
                } else {
                    divide(block, at(j, j));
                }
            }
        }
        return true;
    }

    /// Solves L Lᵀ x = b in place.
    void solve(std::vector<Vec6d>& x) {
        for (std::size_t i = 0; i < first_.size(); ++i) {
            for (std::size_t j = first_[i]; j < i; ++j) subtract(x[i], at(i, j), x[j]);
            solve_lower(at(i, i), x[i]);
        }
        for (std::size_t i = first_.size(); i-- > 0;) {
            solve_upper(at(i, i), x[i]);
            for (std::size_t j = first_[i]; j < i; ++j) subtract_transposed(x[j], at(i, j), x[i]);
        }
    }

  private:
    static constexpr std::size_t kSize = 6;

    /// c -= a bᵀ.
    static void subtract_product(Block6& c, const Block6& a, const Block6& b) {
        for (std::size_t i = 0; i < kSize; ++i)
            for (std::size_t j = 0; j < kSize; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < kSize; ++k) sum += a[i][k] * b[j][k];
                c[i][j] -= sum;
            }
    }
    static bool factorize(Block6& a) {
        for (std::size_t j = 0; j < kSize; ++j) {
            for (std::size_t i = j; i < kSize; ++i)
                for (std::size_t k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
            if (!(a[j][j] > 0)) return false;
            const double inverse = 1 / std::sqrt(a[j][j]);
            for (std::size_t i = j; i < kSize; ++i) a[i][j] *= inverse;
        }
        return true;
    }
    /// a := a L⁻ᵀ.
    static void divide(Block6& a, const Block6& l) {
        for (Vec6d& row : a) solve_lower(l, row);
    }
    static void solve_lower(const Block6& l, Vec6d& x) {
        for (std::size_t i = 0; i < kSize; ++i) {
            for (std::size_t k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
            x[i] /= l[i][i];
        }
    }
    static void solve_upper(const Block6& l, Vec6d& x) {
        for (std::size_t i = kSize; i-- > 0;) {
            for (std::size_t k = i + 1; k < kSize; ++k) x[i] -= l[k][i] * x[k];
            x[i] /= l[i][i];
        }
    }
    static void subtract(Vec6d& x, const Block6& a, const Vec6d& y) {
        for (std::size_t i = 0; i < kSize; ++i)
            for (std::size_t k = 0; k < kSize; ++k) x[i] -= a[i][k] * y[k];
    }
    static void subtract_transposed(Vec6d& x, const Block6& a, const Vec6d& y) {
        for (std::size_t i = 0; i < kSize; ++i)
            for (std::size_t k = 0; k < kSize; ++k) x[k] -= a[i][k] * y[i];
    }

    std::vector<std::size_t> first_;  // column of each row
    std::vector<std::size_t> starts_; // of each row, in blocks_
    std::vector<Block6> blocks_;
};

} // namespace rigor
