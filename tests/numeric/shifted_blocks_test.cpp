// Redundancy taken out and sparse factors must not be seen in the solution.
#include "numeric/shifted_blocks.h"

#include <cmath>

#include "body_contacts.h"
#include "test_support.h"

namespace rigor {
namespace {

// The largest entry of (W + shift) x - b, over that of b.
double residual(const BlockMatrix& w, double shift, const std::vector<Vec3d>& x,
                const std::vector<Vec3d>& b) {
    std::vector<Vec3d> left(x.size());
    add_product(w, x, left);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        error = std::max(error, max_component(abs(left[i] + x[i] * shift - b[i])));
        size = std::max(size, max_component(abs(b[i])));
    }
    return error / size;
}

TEST(ShiftedBlocks, SolveTheWholeSystemThoughTheyFactorHalfOfIt) {
    test::Random random(1);
    for (const int rows : {1, 3, 6}) {
        const BlockMatrix w = test::brick_wall(rows, 4, 0.5).problem().w;
        ShiftedBlocks system(w, Symmetry::definite);
        EXPECT_EQ(system.reduced_size(), static_cast<int>(3 * w.rows() / 2)); // 6 of 12
        for (const double shift : {1.0, 1e-3}) {
            ASSERT_TRUE(system.factor(shift));
            std::vector<Vec3d> b(w.rows());
            for (Vec3d& v : b) v = random.vec();
            std::vector<Vec3d> x = b;
            system.solve(x);
            EXPECT_LT(residual(w, shift, x, b), 1e-12 / shift) << rows << " " << shift;
        }
    }
}

TEST(ShiftedBlocks, LeaveAMatrixWithoutSymmetryWhole) {
    test::Random random(2);
    BlockMatrix w;
    for (std::size_t i = 0; i < 50; ++i) {
        std::vector<BlockEntry> row;
        for (std::size_t j = i < 2 ? 0 : i - 2; j < std::min<std::size_t>(i + 3, 50); ++j)
            row.push_back(
                {static_cast<std::uint32_t>(j), Mat3d{random.vec(), random.vec(), random.vec()}});
        w.add_row(row);
    }
    ShiftedBlocks system(w, Symmetry::none);
    EXPECT_EQ(system.reduced_size(), 150);
    ASSERT_TRUE(system.factor(10));
    std::vector<Vec3d> b(50);
    for (Vec3d& v : b) v = random.vec();
    std::vector<Vec3d> x = b;
    system.solve(x);
    EXPECT_LT(residual(w, 10, x, b), 1e-13);
}

TEST(LinearSolver, SaysWhenThereAreNoFactors) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const int size : {3, 300}) {
        std::vector<MatrixEntry> entries;
        for (int i = 0; i < size; ++i) entries.push_back({i, i, i == 1 ? -1.0 : 1.0});
        EXPECT_FALSE(LinearSolver(size, entries, Symmetry::definite).factor());
        LinearSolver shifted(size, entries, Symmetry::definite);
        EXPECT_TRUE(shifted.factor(2));
        std::vector<double> b(static_cast<std::size_t>(size), 3.0);
        shifted.solve(b);
        EXPECT_NEAR(b[0], 1, 1e-15);
        EXPECT_NEAR(b[1], 3, 1e-15);
        entries[0].value = nan;
        EXPECT_FALSE(LinearSolver(size, entries, Symmetry::definite).factor());
        EXPECT_FALSE(LinearSolver(size, entries, Symmetry::none).factor());
    }
}

} // namespace
} // namespace rigor
