// Minimum-norm solutions of rank-deficient and ill-conditioned systems.

#include "numeric/least_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "test_support.h"

namespace rigor {
namespace {

/// A = J Jᵀ of legs under a table: each pushes up, and turns it about two axes.
DenseMatrix legs(const std::vector<std::array<double, 3>>& rows) {
    DenseMatrix a(rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t k = 0; k < rows.size(); ++k)
            a(i, k) = rows[i][0] * rows[k][0] + rows[i][1] * rows[k][1] + rows[i][2] * rows[k][2];
    return a;
}

// By symmetry each leg of four carries a quarter; with rounding in the matrix and on the right the
// solution must stay the shortest to as many digits as there are.
TEST(LeastNorm, LegsOfATableCarryEqualParts) {
    const double s = 1 / std::sqrt(3.0);
    const DenseMatrix a = legs({{s, s, s}, {s, -s, s}, {s, s, -s}, {s, -s, -s}});
    std::vector<double> b(4), x(4);
    for (std::size_t i = 0; i < 4; ++i) b[i] = 100.0 / 3 * (1 + 2e-16 * static_cast<double>(i % 3));
    LeastNormSolver(a, true).solve(b, x);
    for (const double load : x) EXPECT_NEAR(load, 25, 1e-13 * 25);
}

/// Solves for (first, 1.5, 1.5), where the last two share a row that is `small` beside the first.
/// Returns what is left of the right-hand side.
double solve_with_small_row(double small, double first) {
    DenseMatrix a(3, 3);
    a(0, 0) = 1;
    a(1, 1) = a(2, 2) = a(1, 2) = a(2, 1) = small;
    std::vector<double> x(3);
    const double left =
        LeastNormSolver(a, true).solve(std::vector<double>{first, 3 * small, 3 * small}, x);
    EXPECT_NEAR(x[0], first, 1e-14) << small;
    EXPECT_NEAR(x[1], 1.5, 1e-9) << small;
    EXPECT_NEAR(x[2], 1.5, 1e-9) << small;
    return left;
}

// Rows that hardly count beside others are not taken for rows that do nothing.
TEST(LeastNorm, SmallSingularValuesKeepTheirPart) {
    for (const double small : {1e-2, 1e-4, 1e-6}) solve_with_small_row(small, 1);
}

// Far below the shift of the iteration, where it would stall.
TEST(LeastNorm, VerySmallSingularValuesAreSolvedToTheEnd) {
    for (const double small : {1e-7, 1e-8, 1e-10})
        EXPECT_LT(solve_with_small_row(small, 0), 1e-12) << small;
}

/// Rows of three entries in six columns, as of contacts of two bodies in a plane; R and C differ by
/// `skew`, as where contacts slide.
FactoredMatrix many_contacts(std::size_t rows, double skew) {
    test::Random random(7);
    FactoredMatrix m(skew == 0);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::uint32_t k = 0; k < 3; ++k) {
            const double r = random.uniform(-1, 1);
            m.add_entry(20 + 3 * (i % 2) + k, r, r + skew * random.uniform(-1, 1));
        }
        m.end_row();
    }
    m.drop_empty_columns();
    return m;
}

// The factors are much smaller than the matrix; the solution is the same.
TEST(LeastNorm, ManyRowsOfFewColumnsAreSolvedByTheirFactors) {
    for (const double skew : {0.0, 0.1}) {
        const FactoredMatrix factors = many_contacts(20, skew);
        ASSERT_EQ(factors.columns(), 6u);
        const DenseMatrix a = factors.dense();
        std::vector<double> wanted(20), b(20), x(20), from_dense(20), product(20);
        for (std::size_t i = 0; i < 20; ++i) wanted[i] = static_cast<double>(i % 5) - 1;
        factors.scatter(factors.gather(wanted), b);
        EXPECT_LT(LeastNormSolver(factors).solve(b, x), 1e-13) << skew;
        LeastNormSolver(a, skew == 0).solve(b, from_dense);
        factors.scatter(factors.gather(x), product);
        for (std::size_t i = 0; i < 20; ++i) {
            double row = 0;
            for (std::size_t k = 0; k < 20; ++k) row += a(i, k) * wanted[k];
            EXPECT_NEAR(row, b[i], 1e-13) << "R C^T is the matrix";
            EXPECT_NEAR(product[i], b[i], 1e-13) << skew;
            if (skew == 0) {
                EXPECT_NEAR(x[i], from_dense[i], 1e-11) << "of least norm";
            }
        }
    }
}

} // namespace
} // namespace rigor
