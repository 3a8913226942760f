// Complementarity problems against the slow oracle that tries all 2^n choices of which
// contacts push, and against problems of statics whose forces are known.
#include "numeric/lcp.h"

#include <cmath>

#include "test_support.h"

namespace rigor {
namespace {

using test::message;
using test::Random;

struct Problem {
    DenseMatrix m;
    std::vector<double> q;
};

// Solves a small dense system by elimination; false when it is singular.
bool solve(std::vector<std::vector<double>> a, std::vector<double> b, std::vector<double>& x) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t i = k; i < n; ++i)
            if (std::abs(a[i][k]) > std::abs(a[best][k])) best = i;
        if (std::abs(a[best][k]) < 1e-10) return false;
        std::swap(a[k], a[best]);
        std::swap(b[k], b[best]);
        for (std::size_t i = k + 1; i < n; ++i) {
            const double f = a[i][k] / a[k][k];
            for (std::size_t j = k; j < n; ++j) a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    x.assign(n, 0);
    for (std::size_t k = n; k-- > 0;) {
        x[k] = b[k];
        for (std::size_t j = k + 1; j < n; ++j) x[k] -= a[k][j] * x[j];
        x[k] /= a[k][k];
    }
    return true;
}

// All basic solutions, by trying every set of contacts.
std::vector<std::vector<double>> all_solutions(const Problem& p) {
    const std::size_t n = p.q.size();
    std::vector<std::vector<double>> found;
    for (unsigned set = 0; set < (1u << n); ++set) {
        std::vector<std::size_t> rows;
        for (std::size_t i = 0; i < n; ++i)
            if ((set >> i) & 1u) rows.push_back(i);
        std::vector<std::vector<double>> a;
        std::vector<double> b, x;
        for (const std::size_t i : rows) {
            a.emplace_back();
            for (const std::size_t j : rows) a.back().push_back(p.m(i, j));
            b.push_back(-p.q[i]);
        }
        if (!solve(a, b, x)) continue;
        std::vector<double> z(n, 0.0);
        for (std::size_t k = 0; k < rows.size(); ++k) z[rows[k]] = x[k];
        if (lcp_residual(p.m, p.q, z) < 1e-8) found.push_back(z);
    }
    return found;
}

// G Gᵀ: positive definite when rank >= n, else semidefinite, like the matrix of a body with
// more contacts than degrees of freedom.
DenseMatrix gram(Random& random, std::size_t n, std::size_t rank) {
    std::vector<std::vector<double>> g(n, std::vector<double>(rank));
    for (auto& row : g)
        for (double& x : row) x = random.integer(-3, 3);
    DenseMatrix m(n, n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t k = 0; k < rank; ++k) m(i, j) += g[i][k] * g[j][k];
    return m;
}

std::vector<double> integers(Random& random, std::size_t n) {
    std::vector<double> q(n);
    for (double& x : q) x = random.integer(-4, 4);
    return q;
}

/// Of up to 7 unknowns and a matrix of rank 3 at most.
Problem semidefinite_problem(Random& random, int least_size, int least_rank) {
    const std::size_t n = static_cast<std::size_t>(random.integer(least_size, 7));
    return {gram(random, n, static_cast<std::size_t>(random.integer(least_rank, 3))),
            integers(random, n)};
}

double norm(const std::vector<double>& v) {
    double sum = 0;
    for (const double x : v) sum += x * x;
    return std::sqrt(sum);
}

TEST(Lcp, OfADefiniteMatrixHasOneSolutionWhichAllMethodsFind) {
    Random random(1);
    LcpSettings patient;
    patient.max_iterations = 200000;
    for (int trial = 0; trial < 300; ++trial) {
        const std::size_t n = static_cast<std::size_t>(random.integer(1, 7));
        Problem p{gram(random, n, n + 2), integers(random, n)};
        for (std::size_t i = 0; i < n; ++i) p.m(i, i) += 0.5;
        const auto oracle = all_solutions(p);
        ASSERT_FALSE(oracle.empty());
        const LcpResult lemke = solve_lcp(p.m, p.q), shortest = solve_lcp_least_norm(p.m, p.q);
        const LcpResult relaxed = solve_lcp_gauss_seidel(p.m, p.q, patient);
        EXPECT_EQ(lemke.status, LcpStatus::solved);
        EXPECT_EQ(shortest.status, LcpStatus::solved);
        EXPECT_TRUE(shortest.least_norm);
        EXPECT_EQ(relaxed.status, LcpStatus::solved);
        for (std::size_t i = 0; i < n; ++i) {
            EXPECT_NEAR(lemke.z[i], oracle[0][i], 1e-10);
            EXPECT_NEAR(shortest.z[i], oracle[0][i], 1e-10);
            EXPECT_NEAR(relaxed.z[i], oracle[0][i], 1e-7);
        }
    }
}

// Integer data of low rank are full of ties: here pivoting without a rule would cycle.
TEST(Lcp, OfASemidefiniteMatrixIsSolvedExactlyWhenTheOracleCan) {
    Random random(2);
    int solvable = 0, unsolvable = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const Problem p = semidefinite_problem(random, 1, 0);
        SCOPED_TRACE(message("trial ", trial));
        const auto oracle = all_solutions(p);
        for (const LcpResult& r : {solve_lcp(p.m, p.q), solve_lcp_least_norm(p.m, p.q)}) {
            if (oracle.empty()) {
                EXPECT_EQ(r.status, LcpStatus::no_solution);
            } else {
                EXPECT_EQ(r.status, LcpStatus::solved);
                EXPECT_LE(r.residual, 1e-10 * 4);
            }
        }
        ++(oracle.empty() ? unsolvable : solvable);
    }
    EXPECT_GT(solvable, 200);
    EXPECT_GT(unsolvable, 200);
}

TEST(Lcp, LeastNormSolutionIsNoLongerThanAnyMixtureOfSolutions) {
    Random random(3);
    int proved = 0, total = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const Problem p = semidefinite_problem(random, 2, 1);
        const std::size_t n = p.q.size();
        const auto oracle = all_solutions(p);
        if (oracle.empty()) continue;
        const LcpResult r = solve_lcp_least_norm(p.m, p.q);
        ++total;
        proved += r.least_norm ? 1 : 0;
        if (!r.least_norm) continue;
        // Solutions of a monotone problem form a convex set.
        for (int mixture = 0; mixture < 30; ++mixture) {
            std::vector<double> z(n, 0.0);
            double sum = 0;
            for (const auto& s : oracle) {
                const double weight = mixture == 0 ? 1 : random.unit();
                sum += weight;
                for (std::size_t i = 0; i < n; ++i) z[i] += weight * s[i];
            }
            for (double& x : z) x /= sum;
            EXPECT_LE(norm(r.z), norm(z) * (1 + 1e-9) + 1e-12);
        }
    }
    EXPECT_EQ(proved, total);
}

// Vertical forces at points (x, y) under a unit weight at the origin, body of unit mass and
// unit inertia: M_ij = 1 + x_i x_j + y_i y_j, q = -g.
LcpResult legs(const std::vector<std::pair<double, double>>& at, double g = 9.81) {
    DenseMatrix m(at.size(), at.size());
    for (std::size_t i = 0; i < at.size(); ++i)
        for (std::size_t j = 0; j < at.size(); ++j)
            m(i, j) = 1 + at[i].first * at[j].first + at[i].second * at[j].second;
    return solve_lcp_least_norm(m, std::vector<double>(at.size(), -g));
}

// [Baber 2006, figure 20]: the three forces are not unique, and their least-norm split is a
// third each; a table on four legs carries a quarter on each.
TEST(Lcp, BeamOnThreePillarsAndTableOnFourLegsShareTheirWeightEqually) {
    const LcpResult beam = legs({{-1, 0}, {0, 0}, {1, 0}});
    EXPECT_TRUE(beam.least_norm);
    for (const double f : beam.z) EXPECT_NEAR(f, 9.81 / 3, 1e-12);
    const LcpResult table = legs({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
    for (const double f : table.z) EXPECT_NEAR(f, 9.81 / 4, 1e-12);
    // A weight outside the legs: only the nearest pushes, the far one lifts off.
    const LcpResult tipping = legs({{0.5, 0}, {1.5, 0}});
    EXPECT_NEAR(tipping.z[0], 9.81 / 1.25, 1e-12);
    EXPECT_EQ(tipping.z[1], 0);
    EXPECT_LT(tipping.w[0], 1e-12);
}

TEST(Lcp, WithoutAnythingToDoIsZero) {
    const LcpResult empty = solve_lcp(DenseMatrix(0, 0), {});
    EXPECT_EQ(empty.status, LcpStatus::solved);
    DenseMatrix m(2, 2);
    m(0, 0) = m(1, 1) = 1;
    const LcpResult apart = solve_lcp(m, std::vector{1.0, 2.0});
    EXPECT_EQ(apart.status, LcpStatus::solved);
    EXPECT_EQ(apart.z, (std::vector{0.0, 0.0}));
    EXPECT_EQ(apart.iterations, 0);
}

TEST(Lcp, ScalesOfMassesDoNotMatter) {
    Random random(4);
    for (int trial = 0; trial < 100; ++trial) {
        const std::size_t n = 6;
        Problem p{gram(random, n, n + 1), integers(random, n)}, scaled = p;
        for (std::size_t i = 0; i < n; ++i) p.m(i, i) += 1;
        scaled.m = p.m;
        std::vector<double> d(n);
        for (double& x : d) x = std::ldexp(1.0, random.integer(-20, 20));
        for (std::size_t i = 0; i < n; ++i) {
            scaled.q[i] *= d[i];
            for (std::size_t j = 0; j < n; ++j) scaled.m(i, j) *= d[i] * d[j];
        }
        const LcpResult a = solve_lcp(p.m, p.q), b = solve_lcp(scaled.m, scaled.q);
        EXPECT_EQ(b.status, LcpStatus::solved);
        for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(b.z[i] * d[i], a.z[i], 1e-10);
    }
}

TEST(Lcp, LargeProblemsAreSolvedToRounding) {
    Random random(5);
    for (const std::size_t n : {40u, 80u}) {
        DenseMatrix m(n, n);
        std::vector<double> q(n);
        std::vector<std::vector<double>> g(n, std::vector<double>(n / 2));
        for (auto& row : g)
            for (double& x : row) x = random.uniform(-1, 1);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t k = 0; k < n / 2; ++k) m(i, j) += g[i][k] * g[j][k];
        // q = -M f + s with f, s >= 0 and complementary: solvable by construction.
        for (std::size_t i = 0; i < n; ++i) q[i] = i % 2 == 0 ? random.unit() : 0;
        for (std::size_t j = 1; j < n; j += 2) {
            const double f = random.unit();
            for (std::size_t i = 0; i < n; ++i) q[i] -= m(i, j) * f;
        }
        const LcpResult r = solve_lcp(m, q);
        EXPECT_EQ(r.status, LcpStatus::solved);
        EXPECT_LE(r.residual, 1e-10);
        EXPECT_LT(r.iterations, static_cast<int>(5 * n));
    }
}

TEST(Lcp, BadInputAndExhaustionAreReported) {
    EXPECT_EQ(solve_lcp(DenseMatrix(2, 3), std::vector{1.0, 2.0}).status, LcpStatus::invalid);
    DenseMatrix m(1, 1);
    m(0, 0) = std::nan("");
    EXPECT_EQ(solve_lcp(m, std::vector{-1.0}).status, LcpStatus::invalid);
    EXPECT_EQ(solve_lcp_least_norm(m, std::vector{-1.0}).status, LcpStatus::invalid);
    EXPECT_EQ(solve_lcp_gauss_seidel(m, std::vector{-1.0}).status, LcpStatus::invalid);
    Random random(6);
    LcpSettings impatient;
    impatient.max_iterations = 1;
    const DenseMatrix definite = gram(random, 6, 12);
    EXPECT_EQ(solve_lcp(definite, std::vector<double>(6, -1.0), impatient).status,
              LcpStatus::iteration_limit);
    EXPECT_EQ(solve_lcp_gauss_seidel(definite, std::vector<double>(6, -1.0), impatient).status,
              LcpStatus::iteration_limit);
}

// Two legs of a table, a load that moves: what is loaded is the same, so no pivots are needed.
TEST(Lcp, ASimilarProblemIsSolvedByTheSupportOfItsSolution) {
    DenseMatrix m(3, 3);
    const double rows[3][3] = {{2, 1, 0}, {1, 2, 1}, {0, 1, 2}};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) m(i, k) = rows[i][k];
    const std::vector<double> q{-2, 1, -3}, moved{-2.1, 1, -2.9}, other{2, -1, 3};
    const LcpResult first = solve_lcp(m, q);
    ASSERT_EQ(first.status, LcpStatus::solved);
    const LcpResult like = solve_lcp_like(m, moved, first.z), all = solve_lcp(m, moved);
    ASSERT_EQ(like.status, LcpStatus::solved);
    EXPECT_EQ(like.iterations, 0);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(like.z[i], all.z[i], 1e-14);
    EXPECT_NE(solve_lcp_like(m, other, first.z).status, LcpStatus::solved) << "another support";
}

} // namespace
} // namespace rigor
