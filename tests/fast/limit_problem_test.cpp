// The complementarity problem of limits: what solves it obeys its conditions, also where limits are
// redundant.
#include "fast/limit_problem.h"

#include <gtest/gtest.h>

#include <cmath>

#include "test_support.h"

namespace rigor {
namespace {

using fast::LimitProblem;
using fast::NonnegativeProblem;

/// u >= 0, w >= 0 and u·w = 0, with w = A u + b.
void expect_solution(NonnegativeProblem problem, double tolerance) {
    NonnegativeProblem solved = problem;
    solved.solve();
    const std::size_t n = problem.b.size();
    for (std::size_t i = 0; i < n; ++i) {
        double w = problem.b[i], size = std::abs(problem.b[i]);
        for (std::size_t j = 0; j < n; ++j) {
            w += problem.a(i, j) * solved.u[j];
            size += std::abs(problem.a(i, j) * solved.u[j]);
        }
        EXPECT_GE(solved.u[i], 0);
        EXPECT_GE(w, -tolerance * size);
        if (solved.u[i] > 0) {
            EXPECT_NEAR(w, 0, tolerance * size);
        }
    }
}

/// A = G Gᵀ with rows of G of different lengths, and b = G v: as limits of bodies that move at v.
NonnegativeProblem random_problem(test::Random& random, std::size_t count, std::size_t freedoms) {
    std::vector<std::vector<double>> g(count, std::vector<double>(freedoms));
    std::vector<double> v(freedoms);
    for (double& x : v) x = random.uniform(-1, 1);
    for (auto& row : g) {
        const double scale = std::exp(random.uniform(-3, 3));
        for (double& x : row) x = scale * random.uniform(-1, 1);
    }
    NonnegativeProblem problem;
    problem.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < freedoms; ++k) {
            problem.b[i] += g[i][k] * v[k];
            for (std::size_t j = 0; j < count; ++j) problem.a(i, j) += g[i][k] * g[j][k];
        }
    return problem;
}

TEST(LimitProblem, RandomLimitsAreComplementary) {
    test::Random random(1);
    for (int k = 0; k < 200; ++k) {
        const auto count = static_cast<std::size_t>(random.integer(1, 12));
        SCOPED_TRACE(k);
        expect_solution(random_problem(random, count, count + 4), 1e-5);
    }
}

TEST(LimitProblem, RedundantLimitsAreComplementary) {
    test::Random random(2);
    for (int k = 0; k < 200; ++k) {
        const auto count = static_cast<std::size_t>(random.integer(4, 16));
        SCOPED_TRACE(k);
        expect_solution(random_problem(random, count, 3), 1e-4);
    }
}

// Two limits that one motion passes, at rates 1 and 2 of the same body: the second acts alone.
TEST(LimitProblem, OnlyTheLimitThatMustActDoes) {
    NonnegativeProblem problem;
    problem.resize(2);
    problem.a(0, 0) = problem.a(0, 1) = problem.a(1, 0) = problem.a(1, 1) = 1;
    problem.b = {-1, -2};
    problem.solve();
    EXPECT_NEAR(problem.u[0], 0, 1e-6);
    EXPECT_NEAR(problem.u[1], 2, 1e-6);
}

// A limit gives back no more than the impulse it has: 3 of an upper one, which would need 5.
TEST(LimitProblem, ALimitTakesBackWhatItHas) {
    LimitProblem problem;
    LimitProblem::Limit limit;
    limit.side = -1;
    limit.open = -3;
    limit.rate = -5;
    limit.responses = {1};
    problem.limits = {limit};
    problem.solve();
    EXPECT_NEAR(problem.limits[0].change, -3, 1e-6);
    problem.limits[0].rate = -2;
    problem.solve();
    EXPECT_NEAR(problem.limits[0].change, -2, 1e-6);
}

} // namespace
} // namespace rigor
