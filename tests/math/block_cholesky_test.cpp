#include "math/block_cholesky.h"

#include <gtest/gtest.h>

#include "test_support.h"

namespace rigor {
namespace {

// A chain with a loop: the envelope of its last row reaches back to the first block.
TEST(BlockCholesky, SolvesWhatWasMultiplied) {
    const std::vector<std::size_t> first{0, 0, 1, 2, 0};
    test::Random random(7);
    BlockCholesky matrix;
    matrix.reset(first);
    const std::size_t size = first.size();
    std::vector<Vec6d> x(size), b(size, Vec6d{});
    for (Vec6d& part : x)
        for (double& value : part) value = random.uniform(-1, 1);
    const auto multiply = [&](std::size_t i, std::size_t j, const Block6& block) {
        for (std::size_t r = 0; r < 6; ++r)
            for (std::size_t c = 0; c < 6; ++c) {
                b[i][r] += block[r][c] * x[j][c];
                if (i != j) b[j][c] += block[r][c] * x[i][r];
            }
    };
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = first[i]; j <= i; ++j) {
            Block6& block = matrix.at(i, j);
            for (std::size_t r = 0; r < 6; ++r)
                for (std::size_t c = 0; c < 6; ++c)
                    block[r][c] = i == j && c < r ? block[c][r] : random.uniform(-1, 1);
            if (i == j) {
                for (std::size_t r = 0; r < 6; ++r) {
                    block[r][r] += 40; // dominant, so positive definite
                    for (std::size_t c = r + 1; c < 6; ++c) block[c][r] = block[r][c];
                }
            }
            multiply(i, j, block);
        }
    ASSERT_TRUE(matrix.factorize());
    matrix.solve(b);
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(b[i][k], x[i][k], 1e-14);
}

TEST(BlockCholesky, RefusesWhatIsNotPositiveDefinite) {
    BlockCholesky matrix;
    matrix.reset({0});
    for (std::size_t k = 0; k < 6; ++k) matrix.at(0, 0)[k][k] = k == 4 ? -1 : 1;
    EXPECT_FALSE(matrix.factorize());
}

} // namespace
} // namespace rigor
