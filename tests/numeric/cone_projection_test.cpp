// Forces of a redundant system that lie in cones, nearest to a guess.

#include "numeric/cone_projection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "test_support.h"

namespace rigor {
namespace {

using test::Random;

/// A = J Jᵀ of a given rank, which is less than the number of unknowns.
DenseMatrix redundant_matrix(Random& random, std::size_t n, std::size_t rank) {
    DenseMatrix j(n, rank), a(n, n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < rank; ++k) j(i, k) = random.uniform(-1, 1);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t m = 0; m < n; ++m)
            for (std::size_t k = 0; k < rank; ++k) a(i, m) += j(i, k) * j(m, k);
    return a;
}

std::vector<double> product(const DenseMatrix& a, std::span<const double> x) {
    std::vector<double> b(a.rows());
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t j = 0; j < x.size(); ++j) b[i] += a(i, j) * x[j];
    return b;
}

double distance(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
}

/// How far outside of the cones, over all of them.
double outside(std::span<const ConeBlock> cones, std::span<const double> x) {
    double worst = 0;
    for (const ConeBlock& cone : cones) {
        const std::size_t i = cone.first;
        if (cone.kind == ConeBlock::Kind::nonnegative) worst = std::max(worst, -x[i]);
        if (cone.kind == ConeBlock::Kind::friction)
            worst = std::max(worst, std::hypot(x[i], x[i + 1]) - cone.mu * x[i + 2]);
    }
    return worst;
}

/// Friction cones with a few other unknowns, and a point of all of them, often on their boundaries.
struct Cones {
    std::vector<ConeBlock> cones;
    std::vector<double> point;

    explicit Cones(Random& random) {
        for (int i = 0; i < 6; ++i) {
            const double mu = random.uniform(0.1, 1), normal = random.uniform(0, 2);
            const double share = random.integer(0, 1) == 0 ? 1 : random.unit();
            const double angle = random.uniform(0, 6.28);
            cones.push_back({ConeBlock::Kind::friction, point.size(), mu});
            point.insert(point.end(), {mu * share * normal * std::cos(angle),
                                       mu * share * normal * std::sin(angle), normal});
        }
        for (int i = 0; i < 3; ++i) {
            cones.push_back({ConeBlock::Kind::nonnegative, point.size()});
            point.push_back(random.integer(0, 1) == 0 ? 0 : random.unit());
        }
        cones.push_back({ConeBlock::Kind::free, point.size()});
        point.push_back(random.uniform(-1, 1));
    }
};

// No other force of the cones with the same effect is nearer: none of those on the way to a known
// one, since the set is convex.
TEST(ConeProjection, FindsTheNearestSolutionInAllCones) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        const Cones some(random);
        const std::size_t n = some.point.size();
        const DenseMatrix a =
            redundant_matrix(random, n, static_cast<std::size_t>(random.integer(6, 14)));
        const std::vector<double> b = product(a, some.point);
        std::vector<double> guess(n);
        for (double& g : guess) g = random.uniform(-1, 1);
        std::vector<double> x = guess;
        EXPECT_LT(project_on_cones(a, b, some.cones, x), 1e-9);
        EXPECT_LT(outside(some.cones, x), 1e-14);
        for (const double share : {1e-3, 0.1, 1.0}) {
            std::vector<double> other = x;
            for (std::size_t i = 0; i < n; ++i) other[i] += share * (some.point[i] - x[i]);
            EXPECT_GT(distance(other, guess), distance(x, guess) - 1e-7);
        }
    }
}

// What is a solution already stays.
TEST(ConeProjection, KeepsASolution) {
    Random random(5);
    const Cones some(random);
    const DenseMatrix a = redundant_matrix(random, some.point.size(), 8);
    std::vector<double> x = some.point;
    EXPECT_LT(project_on_cones(a, product(a, some.point), some.cones, x), 1e-14);
    EXPECT_LT(distance(x, some.point), 1e-13);
}

// A weight that would have to be pulled up.
TEST(ConeProjection, SaysWhereThereIsNone) {
    DenseMatrix a(2, 2);
    a(0, 0) = a(0, 1) = a(1, 0) = a(1, 1) = 1;
    const std::vector<ConeBlock> cones{{ConeBlock::Kind::nonnegative, 0},
                                       {ConeBlock::Kind::nonnegative, 1}};
    std::vector<double> x{1, 1};
    EXPECT_GT(project_on_cones(a, std::vector<double>{-1, -1}, cones, x), 0.5);
    EXPECT_LT(outside(cones, x), 1e-15);
}

} // namespace
} // namespace rigor
