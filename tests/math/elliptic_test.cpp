// Elliptic functions: their identities, their limits, tabulated values, and the integral that
// defines them, done numerically in long double.
#include "math/elliptic.h"

#include "math/trig.h"
#include "test_support.h"

namespace rigor {
namespace {

using test::message;
using test::Random;

constexpr double kParameters[] = {1,     0.999, 0.75,  0.5,   0.1,    1e-2,   1e-4, 1e-8,
                                  1e-12, 1e-16, 1e-30, 1e-60, 1e-150, 1e-300, 0};

// F(phi) by quadrature after t = gd(x), which spreads the steep end at pi/2:
// dt / sqrt(cos² t + kc2 sin² t) = dx / sqrt(1 + kc2 sinh² x).
double integral(double s, double c, double parameter) {
    using Long = long double;
    const Long kc2 = static_cast<Long>(parameter);
    const Long end = std::asinh(static_cast<Long>(s) / static_cast<Long>(c));
    const auto f = [&](long double x) {
        const long double sh = std::sinh(x);
        return 1 / std::sqrt(1 + kc2 * sh * sh);
    };
    // Gauss-Legendre with 5 points on 4000 pieces: far more exact than is asked for.
    const long double node1 = std::sqrt(5 - 2 * std::sqrt(10 / 7.0L)) / 3;
    const long double node2 = std::sqrt(5 + 2 * std::sqrt(10 / 7.0L)) / 3;
    const long double w1 = (322 + 13 * std::sqrt(70.0L)) / 900,
                      w2 = (322 - 13 * std::sqrt(70.0L)) / 900;
    const int pieces = 4000;
    const long double h = end / pieces / 2;
    long double sum = 0;
    for (int i = 0; i < pieces; ++i) {
        const long double m = (2 * i + 1) * h;
        sum += 128 / 225.0L * f(m) + w1 * (f(m - h * node1) + f(m + h * node1)) +
               w2 * (f(m - h * node2) + f(m + h * node2));
    }
    return static_cast<double>(sum * h);
}

TEST(Elliptic, CompleteIntegralHasItsTabulatedValues) {
    // 40-digit arithmetic-geometric mean; m = 1/2 also [Abramowitz 1964, table 17.1].
    const double table[][2] = {{1, 1.5707963267948966192},     {0.5, 1.8540746773013719184},
                               {0.1, 2.5780921133481731882},   {1e-6, 8.2940514636154399853},
                               {1e-20, 24.412145291060347459}, {1e-300, 346.77405831022674322}};
    for (const auto& [kc2, k] : table) EXPECT_DOUBLE_EQ(complete_k(kc2), k) << kc2;
    EXPECT_EQ(complete_k(0), complete_k(1e-300));
    EXPECT_TRUE(std::isnan(complete_k(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Elliptic, FunctionsHaveTheirTabulatedValues) {
    // u, kc2, sn, cn, dn from 60-digit arithmetic.
    const double table[][5] = {
        {0.7, 0.5, 0.62434009096621737623, 0.78115264245363428956, 0.89727349532132492713},
        {1000, 0.3, 0.31563151696232002572, -0.94888183958808310933, 0.9645017998169030265},
        {1000, 0.999, 0.66207347575511175546, 0.74943893193611542356, 0.9997808053331997957},
        {1, 1e-10, 0.76159415596430538348, 0.64805427365384859924, 0.64805427369859991729}};
    for (const auto& [u, kc2, sn, cn, dn] : table) {
        SCOPED_TRACE(message("u = ", u, ", kc2 = ", kc2));
        const Jacobi j = jacobi(u, kc2);
        EXPECT_NEAR(j.sn, sn, 1e-15);
        EXPECT_NEAR(j.cn, cn, 1e-15);
        EXPECT_NEAR(j.dn, dn, 1e-15);
    }
    // Where cn and dn are tiny they keep their digits.
    const Jacobi turned = jacobi(40, 1e-30);
    EXPECT_NEAR(turned.cn / -2.941466164611691745e-14, 1, 2e-14);
    EXPECT_NEAR(turned.dn / 2.9431655063138083806e-14, 1, 2e-14);
    const Jacobi resting = jacobi(500.25, 1e-200);
    EXPECT_NEAR(resting.cn / -1.7755602190790941406e-16, 1, 1e-13);
}

TEST(Elliptic, IdentitiesHold) {
    Random random(11);
    for (const double kc2 : kParameters) {
        for (int i = 0; i < 300; ++i) {
            const double u = i < 100 ? random.uniform(-3, 3) : random.uniform(-1000, 1000);
            SCOPED_TRACE(message("u = ", u, ", kc2 = ", kc2));
            const Jacobi j = jacobi(u, kc2);
            EXPECT_NEAR(j.sn * j.sn + j.cn * j.cn, 1, 1e-15);
            EXPECT_NEAR(j.dn / std::sqrt(j.cn * j.cn + std::max(kc2, 1e-300) * j.sn * j.sn), 1,
                        4e-15);
            const Jacobi mirrored = jacobi(-u, kc2);
            EXPECT_NEAR(mirrored.sn, -j.sn, 1e-15);
            EXPECT_NEAR(mirrored.cn, j.cn, 1e-15);
        }
    }
}

TEST(Elliptic, WithoutModulusTheyAreTrigonometric) {
    for (double u = -1000; u <= 1000; u += 0.731) {
        const Jacobi j = jacobi(u, 1);
        EXPECT_NEAR(j.sn, sin(u), 5e-16);
        EXPECT_NEAR(j.cn, cos(u), 5e-16);
        EXPECT_NEAR(j.dn, 1, 3e-16);
    }
}

// On the separatrix the period is infinite: sn = tanh, cn = dn = sech.
TEST(Elliptic, OnTheSeparatrixTheyAreHyperbolic) {
    for (const double kc2 : {0.0, 1e-300, 1e-100}) {
        for (double u = -20; u <= 20; u += 0.173) {
            const Jacobi j = jacobi(u, kc2);
            EXPECT_NEAR(j.sn, std::tanh(u), 5e-16);
            EXPECT_NEAR(j.cn * std::cosh(u), 1, 2e-15 * (1 + std::abs(u)));
            EXPECT_NEAR(j.dn * std::cosh(u), 1, 2e-15 * (1 + std::abs(u)));
        }
    }
}

TEST(Elliptic, FunctionsRepeatAfterFourQuarterPeriods) {
    Random random(12);
    for (const double kc2 : kParameters) {
        const double period = 4 * complete_k(kc2);
        for (int i = 0; i < 50; ++i) {
            const double u = random.uniform(-2, 2);
            // The argument itself is rounded to the spacing of doubles near the period.
            const double slack = 4e-16 * (period + 4);
            const Jacobi a = jacobi(u, kc2), b = jacobi(u + period, kc2),
                         c = jacobi(u + period / 2, kc2);
            EXPECT_NEAR(a.sn, b.sn, slack);
            EXPECT_NEAR(a.cn, b.cn, slack);
            EXPECT_NEAR(a.dn, b.dn, slack);
            EXPECT_NEAR(a.sn, -c.sn, slack);
            EXPECT_NEAR(a.dn, c.dn, slack);
        }
        const Jacobi quarter = jacobi(complete_k(kc2), kc2);
        EXPECT_NEAR(quarter.sn, 1, 1e-15);
        EXPECT_NEAR(quarter.cn, 0, 1e-13 * std::sqrt(std::max(kc2, 1e-300)));
    }
}

// sn' = cn dn, cn' = -sn dn, dn' = -k² sn cn: central differences, error h².
TEST(Elliptic, DerivativesAreProductsOfTheOthers) {
    const double h = 1e-4;
    for (const double kc2 : {1.0, 0.7, 0.2, 1e-3, 1e-9}) {
        for (double u = -7; u < 7; u += 0.37) {
            const Jacobi a = jacobi(u - h, kc2), j = jacobi(u, kc2), b = jacobi(u + h, kc2);
            EXPECT_NEAR((b.sn - a.sn) / (2 * h), j.cn * j.dn, 2e-8);
            EXPECT_NEAR((b.cn - a.cn) / (2 * h), -j.sn * j.dn, 2e-8);
            EXPECT_NEAR((b.dn - a.dn) / (2 * h), -(1 - kc2) * j.sn * j.cn, 2e-8);
        }
    }
}

TEST(Elliptic, IncompleteIntegralIsTheIntegral) {
    for (const double kc2 : {1.0, 0.6, 0.01, 1e-6, 1e-14, 1e-60}) {
        for (const double c : {0.999999, 0.9, 0.5, 0.1, 1e-3, 1e-6, 1e-9}) {
            SCOPED_TRACE(message("cos = ", c, ", kc2 = ", kc2));
            const double s = std::sqrt((1 - c) * (1 + c));
            const double exact = integral(s, c, kc2);
            EXPECT_NEAR(incomplete_f(s, c, kc2) / exact, 1, 2e-15);
        }
    }
}

TEST(Elliptic, FunctionsUndoTheIntegralInAllQuadrants) {
    Random random(13);
    for (const double kc2 : kParameters) {
        for (int i = 0; i < 400; ++i) {
            const SinCos<double> a = sin_cos(random.uniform(-kPi<double>, kPi<double>));
            const double u = incomplete_f(a.sin * 3, a.cos * 3, kc2);
            SCOPED_TRACE(message("(", a.sin, ", ", a.cos, "), kc2 = ", kc2, ", u = ", u));
            const Jacobi j = jacobi(u, kc2);
            // u can be no better than its own rounding.
            const double slack = 1e-15 + 4e-16 * std::abs(u);
            EXPECT_NEAR(j.sn, a.sin, slack);
            EXPECT_NEAR(j.cn, a.cos, slack);
        }
    }
}

TEST(Elliptic, IncompleteIntegralMeetsTheQuarterPeriods) {
    for (const double kc2 : kParameters) {
        const double k = complete_k(kc2);
        EXPECT_DOUBLE_EQ(incomplete_f(1, 0, kc2), k);
        EXPECT_DOUBLE_EQ(incomplete_f(-1, 0, kc2), -k);
        EXPECT_DOUBLE_EQ(incomplete_f(0.0, -1, kc2), 2 * k);
        EXPECT_DOUBLE_EQ(incomplete_f(-0.0, -1, kc2), -2 * k);
        EXPECT_EQ(incomplete_f(0, 1, kc2), 0);
        EXPECT_EQ(incomplete_f(0, 0, kc2), 0);
    }
}

TEST(Elliptic, CarlsonsIntegralIsSymmetricAndHomogeneous) {
    // RF(x, x, x) = x^-1/2, RF(0, 1, 2) the lemniscate constant of [Carlson 1995].
    EXPECT_DOUBLE_EQ(carlson_rf(4, 4, 4), 0.5);
    EXPECT_DOUBLE_EQ(carlson_rf(0, 1, 2), 1.3110287771460599052);
    EXPECT_DOUBLE_EQ(carlson_rf(2, 3, 4), 0.58408284167715170669);
    EXPECT_DOUBLE_EQ(carlson_rf(4, 2, 3), carlson_rf(2, 3, 4));
    EXPECT_DOUBLE_EQ(carlson_rf(200, 300, 400), carlson_rf(2, 3, 4) / 10);
    EXPECT_TRUE(std::isinf(carlson_rf(0, 0, 1)));
}

TEST(Elliptic, TinyAndBrokenArgumentsAreHandled) {
    const double tiny = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(jacobi(0, 0.3).sn, 0);
    EXPECT_EQ(jacobi(tiny, 0.3).sn, tiny);
    EXPECT_EQ(jacobi(-tiny, 0.3).sn, -tiny);
    EXPECT_EQ(jacobi(tiny, 0.3).dn, 1);
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(std::isnan(jacobi(nan, 0.5).sn));
    EXPECT_TRUE(std::isnan(jacobi(inf, 0.5).cn));
    EXPECT_TRUE(std::isnan(jacobi(1, nan).cn));
}

} // namespace
} // namespace rigor
