// Linear programs prove themselves: a feasible x and feasible prices y with c·x = b·y are both
// optimal, whatever found them.
#include "numeric/lp.h"

#include <cmath>

#include "test_support.h"

namespace rigor {
namespace {

using test::Random;

TEST(LinearProgram, OfATextbookHasItsOptimum) {
    // Least 2x + 3y with x + y >= 4, x + 3y >= 6: at (3, 1).
    DenseMatrix a(2, 2);
    a(0, 0) = a(0, 1) = a(1, 0) = 1;
    a(1, 1) = 3;
    const LpResult r = solve_lp(std::vector{2.0, 3.0}, a, std::vector{4.0, 6.0});
    ASSERT_EQ(r.status, LpStatus::optimal);
    EXPECT_NEAR(r.x[0], 3, 1e-12);
    EXPECT_NEAR(r.x[1], 1, 1e-12);
    EXPECT_NEAR(r.objective, 9, 1e-12);
    EXPECT_NEAR(r.dual[0], 1.5, 1e-12);
    EXPECT_NEAR(r.dual[1], 0.5, 1e-12);
}

TEST(LinearProgram, RandomOnesAreProvedOptimalByTheirPrices) {
    Random random(1);
    int optimal = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const std::size_t rows = static_cast<std::size_t>(random.integer(1, 12));
        const std::size_t columns = static_cast<std::size_t>(random.integer(1, 12));
        DenseMatrix a(rows, columns);
        std::vector<double> b(rows), c(columns);
        for (std::size_t i = 0; i < rows; ++i) {
            b[i] = random.integer(-3, 3);
            for (std::size_t j = 0; j < columns; ++j) a(i, j) = random.integer(-3, 3);
        }
        for (double& x : c) x = random.integer(-1, 4);
        const LpResult r = solve_lp(c, a, b);
        ASSERT_NE(r.status, LpStatus::failed);
        if (r.status != LpStatus::optimal) continue;
        ++optimal;
        double price = 0;
        for (std::size_t i = 0; i < rows; ++i) {
            double row = 0;
            for (std::size_t j = 0; j < columns; ++j) row += a(i, j) * r.x[j];
            EXPECT_GE(row, b[i] - 1e-9);
            EXPECT_GE(r.dual[i], -1e-9);
            price += b[i] * r.dual[i];
        }
        for (std::size_t j = 0; j < columns; ++j) {
            double column = 0;
            for (std::size_t i = 0; i < rows; ++i) column += a(i, j) * r.dual[i];
            EXPECT_LE(column, c[j] + 1e-9);
            EXPECT_GE(r.x[j], -1e-9);
        }
        EXPECT_NEAR(price, r.objective, 1e-8);
    }
    EXPECT_GT(optimal, 50);
}

TEST(LinearProgram, WithoutAPointOrWithoutALimitSaysSo) {
    DenseMatrix a(2, 1);
    a(0, 0) = 1;
    a(1, 0) = -1;
    // x >= 2 and x <= 1.
    EXPECT_EQ(solve_lp(std::vector{1.0}, a, std::vector{2.0, -1.0}).status, LpStatus::infeasible);
    DenseMatrix free(1, 2);
    free(0, 0) = 1;
    EXPECT_EQ(solve_lp(std::vector{1.0, -1.0}, free, std::vector{1.0}).status, LpStatus::unbounded);
    // Many optima: any of them will do.
    const LpResult flat = solve_lp(std::vector{0.0, 0.0}, free, std::vector{1.0});
    EXPECT_EQ(flat.status, LpStatus::optimal);
    EXPECT_EQ(flat.objective, 0);
}

TEST(LinearProgram, WithoutRowsOrWithBadEntriesIsHandled) {
    const LpResult empty = solve_lp(std::vector{1.0, 2.0}, DenseMatrix(0, 2), {});
    EXPECT_EQ(empty.status, LpStatus::optimal);
    EXPECT_EQ(empty.x, (std::vector{0.0, 0.0}));
    EXPECT_EQ(solve_lp(std::vector{1.0}, DenseMatrix(1, 2), std::vector{1.0}).status,
              LpStatus::invalid);
    DenseMatrix a(1, 1);
    a(0, 0) = std::nan("");
    EXPECT_EQ(solve_lp(std::vector{1.0}, a, std::vector{1.0}).status, LpStatus::invalid);
}

// [Baber 2006, 3.4]: the least sum of forces with which no contact of a resting body sinks.
// A box on two contacts at ±1 under its own weight: half of it on each.
TEST(LinearProgram, FindsTheRestingForcesOfABox) {
    DenseMatrix m(2, 2);
    m(0, 0) = m(1, 1) = 2;
    m(0, 1) = m(1, 0) = 0; // 1/m + x_i x_j / I with m = I = 1
    const LpResult r = solve_lp(std::vector{1.0, 1.0}, m, std::vector{9.81, 9.81});
    ASSERT_EQ(r.status, LpStatus::optimal);
    for (const double f : r.x) EXPECT_NEAR(f, 9.81 / 2, 1e-12);
}

} // namespace
} // namespace rigor
