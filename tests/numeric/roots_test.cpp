// Bracketed roots of functions, and real roots of polynomials.

#include "numeric/roots.h"

#include <cmath>
#include <vector>

#include "math/trig.h"
#include "test_support.h"

namespace rigor {
namespace {

using test::message;
using test::Random;

TEST(BracketedRoots, AreFoundToTheSpacingOfDoublesInFewEvaluations) {
    struct Case {
        std::function<double(double)> f;
        double a, b, root;
    };
    const Case cases[] = {{[](double x) { return x * x - 2; }, 0, 2, std::sqrt(2.0)},
                          {[](double x) { return std::cos(x) - x; }, 0, 1, 0.73908513321516064166},
                          {[](double x) { return std::exp(x) - 5; }, -10, 10, std::log(5.0)},
                          {[](double x) { return x - 1e-3; }, -100, 50, 1e-3},
                          {[](double x) { return std::atan(x - 1); }, 40, -30, 1}};
    for (const Case& c : cases) {
        const BracketedRoot r = find_root(c.f, c.a, c.b);
        EXPECT_EQ(r.status, RootStatus::found);
        EXPECT_NEAR(r.x, c.root, 1e-15 * std::max(std::abs(c.a), std::abs(c.b)));
        EXPECT_LE(r.evaluations, 25);
    }
}

// The worst functions a bracketing method can meet: flat, stepped, of huge range, with a pole.
// Bisection needs 55 evaluations for these, and the promise is six times as many at most; it
// comes out better.
TEST(BracketedRoots, NeedABoundedNumberOfEvaluationsWhateverTheFunction) {
    const std::function<double(double)> worst[] = {
        [](double x) { return x < 0.31415 ? -1.0 : 1.0; },
        [](double x) { return std::pow(x - 0.7, 19); },
        [](double x) { return x < 0.2 ? -1e-300 : 1e300; },
        [](double x) { return 1 / (x - 0.123); },
        [](double x) { return std::copysign(std::exp(-1 / std::abs(x - 0.4)), x - 0.4); },
        [](double x) { return x > 1e-9 ? 1e-9 : -1e9; }};
    for (const auto& f : worst) {
        const BracketedRoot r = find_root(f, -1, 1);
        EXPECT_LE(r.evaluations, 3 * 55);
        EXPECT_NE(r.status, RootStatus::not_bracketed);
    }
}

TEST(BracketedRoots, LieOnTheChosenSide) {
    Random random(1);
    for (int i = 0; i < 300; ++i) {
        const double root = random.uniform(-1, 1), slope = random.uniform(-3, 3);
        const auto f = [&](double x) { return slope * (x - root) * (1 + x * x); };
        for (const double tolerance : {0.0, 1e-6, 1e-2}) {
            const BracketedRoot first = find_root(f, -2, 2, tolerance, RootSide::first);
            const BracketedRoot second = find_root(f, -2, 2, tolerance, RootSide::second);
            EXPECT_GT(f(first.x) * f(-2), 0);
            EXPECT_GT(f(second.x) * f(2), 0);
            EXPECT_LE(std::abs(first.x - root), tolerance + 1e-15);
            EXPECT_LE(std::abs(second.x - root), tolerance + 1e-15);
            EXPECT_EQ(first.value, f(first.x));
        }
    }
    // A function that is zero over a stretch: before it, not in it.
    const auto plateau = [](double x) { return x < 0.25 ? x - 0.25 : std::max(x - 0.5, 0.0); };
    EXPECT_LT(find_root(plateau, 0, 1, 0, RootSide::first).x, 0.25);
    EXPECT_NEAR(find_root(plateau, 0, 1, 0, RootSide::first).x, 0.25, 1e-15);
    EXPECT_NEAR(find_root(plateau, 0, 1, 0, RootSide::second).x, 0.5, 1e-15);
}

TEST(BracketedRoots, SayWhenThereIsNoBracket) {
    const auto square = [](double x) { return x * x + 1; };
    EXPECT_EQ(find_root(square, -1, 1).status, RootStatus::not_bracketed);
    EXPECT_EQ(find_root([](double) { return std::nan(""); }, 0, 1).status, RootStatus::not_finite);
    EXPECT_EQ(find_root([](double x) { return x == 0.5 ? std::nan("") : x - 0.5; }, 0, 1).status,
              RootStatus::not_finite);
    const BracketedRoot end = find_root([](double x) { return x; }, 0, 1);
    EXPECT_EQ(end.status, RootStatus::found);
    EXPECT_EQ(end.x, 0);
}

std::vector<double> list(const RealRoots& roots) {
    return {roots.begin(), roots.end()};
}

TEST(QuadraticRoots, DoNotCancel) {
    // x² - 2·10⁹ x + 1: the textbook formula gives 0 for the smaller root.
    const RealRoots far = quadratic_roots(1, -2e9, 1);
    ASSERT_EQ(far.count, 2);
    EXPECT_DOUBLE_EQ(far[0], 5e-10);
    EXPECT_DOUBLE_EQ(far[1], 2e9);
    // Roots 1 ± 2^-26: the discriminant is 2^-52 of the terms it is the difference of.
    const double e = 0x1p-26;
    const RealRoots near = quadratic_roots(1, -2, 1 - e * e);
    ASSERT_EQ(near.count, 2);
    EXPECT_DOUBLE_EQ(near[0], 1 - e);
    EXPECT_DOUBLE_EQ(near[1], 1 + e);
}

TEST(QuadraticRoots, CoverTheSpecialCases) {
    EXPECT_EQ(list(quadratic_roots(0, 2, -3)), std::vector<double>{1.5});
    EXPECT_EQ(list(quadratic_roots(1, -4, 4)), std::vector<double>{2});
    EXPECT_EQ(list(quadratic_roots(-2, 0, 8)), (std::vector<double>{-2, 2}));
    EXPECT_EQ(list(quadratic_roots(3, 0, 0)), std::vector<double>{0});
    EXPECT_TRUE(list(quadratic_roots(1, 0, 1)).empty());
    EXPECT_TRUE(list(quadratic_roots(0, 0, 1)).empty());
    EXPECT_TRUE(list(quadratic_roots(0, 0, 0)).empty());
    EXPECT_TRUE(list(quadratic_roots(std::nan(""), 1, 1)).empty());
    EXPECT_EQ(list(quadratic_roots(1e200, -3e200, 2e200)), (std::vector<double>{1, 2}));
    EXPECT_EQ(list(quadratic_roots(1e-300, 1e300, -1e300)).size(), 1u); // the other is -1e600
}

// [Baber 2011, 3.7]: with p = tan(theta/2) the rays of constant sliding solve a quartic.
TEST(QuarticRoots, GiveTheRaysOfConstantSlidingOfBaber) {
    const double k11 = 20, k12 = 0, k13 = 1, k22 = 4, k23 = 6, mu = 0.7;
    const double c[] = {mu * k12 - k23, 2 * k13 + 2 * mu * k22 - 2 * mu * k11, -6 * mu * k12,
                        2 * k13 + 2 * mu * k11 - 2 * mu * k22, mu * k12 + k23};
    std::vector<double> degrees;
    for (const double p : polynomial_roots(c)) {
        const double theta = 2 * atan(p) * 180 / kPi<double>;
        degrees.push_back(theta < 0 ? theta + 360 : theta);
    }
    std::sort(degrees.begin(), degrees.end());
    ASSERT_EQ(degrees.size(), 4u);
    const double expected[] = {86.6689, 209.0817, 281.3522, 322.8972};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(degrees[i], expected[i], 5e-5);
}

// (x - r1)(x - r2)... multiplied out.
std::vector<double> from_roots(const std::vector<double>& roots, double lead = 1) {
    std::vector<double> c{lead};
    for (const double r : roots) {
        c.insert(c.begin(), 0.0);
        for (std::size_t i = 0; i + 1 < c.size(); ++i) c[i] -= r * c[i + 1];
    }
    return c;
}

TEST(PolynomialRoots, ComeBackFromTheProductOfTheirFactors) {
    Random random(2);
    for (int trial = 0; trial < 3000; ++trial) {
        std::vector<double> roots;
        const double reach = std::ldexp(1.0, random.integer(-12, 12));
        for (int i = random.integer(1, 4); i > 0; --i)
            roots.push_back(reach * random.uniform(-1, 1));
        std::sort(roots.begin(), roots.end());
        double gap = 1;
        for (std::size_t i = 1; i < roots.size(); ++i)
            gap = std::min(gap, (roots[i] - roots[i - 1]) / reach);
        if (gap < 0.02) continue;
        const RealRoots found = polynomial_roots(from_roots(roots, random.uniform(0.5, 2)));
        ASSERT_EQ(found.count, static_cast<int>(roots.size()));
        for (std::size_t i = 0; i < roots.size(); ++i)
            EXPECT_NEAR(found[static_cast<int>(i)], roots[i], 1e-9 * reach);
    }
}

TEST(PolynomialRoots, AreCountedOnceWhenTheyRepeat) {
    EXPECT_EQ(list(polynomial_roots(from_roots({1, 1, 1, 1}))), std::vector<double>{1});
    EXPECT_EQ(list(polynomial_roots(from_roots({0, 0, 0}))), std::vector<double>{0});
    EXPECT_EQ(list(polynomial_roots(from_roots({0, 0, 0, 0}))), std::vector<double>{0});
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        const double a = random.integer(-12, 12) / 4.0, b = random.integer(-12, 12) / 4.0;
        if (a == b) continue;
        SCOPED_TRACE(message("roots ", a, ", ", b));
        const double lo = std::min(a, b), hi = std::max(a, b);
        const std::vector<double> multisets[] = {
            {a, b}, {a, a, b}, {a, b, b}, {a, a, b, b}, {a, a, a, b}};
        for (const auto& roots : multisets) {
            const RealRoots found = polynomial_roots(from_roots(roots));
            ASSERT_EQ(found.count, 2) << roots.size();
            // A k-fold root is known to the k-th root of the rounding errors.
            EXPECT_NEAR(found[0], lo, 1e-4);
            EXPECT_NEAR(found[1], hi, 1e-4);
        }
    }
}

TEST(PolynomialRoots, AreNoneWhereThereAreNone) {
    EXPECT_TRUE(list(polynomial_roots(std::array{1.0, 0.0, 0.0, 0.0, 1.0})).empty());
    EXPECT_TRUE(list(polynomial_roots(std::array{1.0, 0.0, 2.0, 0.0, 1.0})).empty()); // (x²+1)²
    EXPECT_TRUE(list(polynomial_roots(std::array{0.0, 0.0, 0.0, 0.0, 0.0})).empty());
    EXPECT_TRUE(list(polynomial_roots(std::array{3.0})).empty());
    EXPECT_TRUE(list(polynomial_roots(std::span<const double>{})).empty());
    EXPECT_TRUE(list(polynomial_roots(std::array{1.0, std::nan("")})).empty());
}

TEST(PolynomialRoots, MayHaveLeadingZerosAndTinyLeadingCoefficients) {
    EXPECT_EQ(list(polynomial_roots(std::array{-6.0, 11.0, -6.0, 1.0, 0.0})).size(), 3u);
    EXPECT_EQ(list(polynomial_roots(std::array{-1.5, 1.0, 0.0, 0.0, 0.0})),
              std::vector<double>{1.5});
    // 1e-20 x⁴ + x - 1: near 1, and near -1e20^(1/3).
    const RealRoots far = polynomial_roots(std::array{-1.0, 1.0, 0.0, 0.0, 1e-20});
    ASSERT_EQ(far.count, 2);
    EXPECT_NEAR(far[0] / -4641588.8336127788924, 1, 1e-6);
    EXPECT_DOUBLE_EQ(far[1], 1);
}

// Fuzz: every root found is one, and every change of sign on a fine grid has its root.
TEST(PolynomialRoots, AreAllFound) {
    Random random(4);
    for (int trial = 0; trial < 500; ++trial) {
        std::array<double, 5> c{};
        for (double& x : c) x = random.integer(0, 4) == 0 ? 0 : random.uniform(-1, 1);
        // The value, and the sum of the sizes of its terms.
        const auto evaluate = [&](double at, bool sizes) {
            long double sum = 0;
            for (std::size_t i = 5; i-- > 0;)
                sum = sum * static_cast<long double>(sizes ? std::abs(at) : at) +
                      static_cast<long double>(sizes ? std::abs(c[i]) : c[i]);
            return static_cast<double>(sum);
        };
        const auto p = [&](double x) { return evaluate(x, false); };
        const RealRoots found = polynomial_roots(c);
        for (const double x : found) EXPECT_LE(std::abs(p(x)), 1e-14 * evaluate(x, true));
        int changes = 0;
        for (double x = -50; x < 50; x += 0.01)
            if ((p(x) < 0) != (p(x + 0.01) < 0)) ++changes;
        int within = 0;
        for (const double x : found) within += std::abs(x) < 50 ? 1 : 0;
        EXPECT_GE(within, changes) << message(c[0], " ", c[1], " ", c[2], " ", c[3], " ", c[4]);
    }
}

} // namespace
} // namespace rigor
