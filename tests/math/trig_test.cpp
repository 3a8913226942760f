// The elementary functions against the system's in long double, which is 11 bits finer than
// double and so a fair judge of fractions of a unit in the last place (ulp).
#include "math/trig.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <type_traits>
#include <vector>

#include "base/hash.h"
#include "test_support.h"

namespace rigor::test {
namespace {

template <class S>
double error_in_ulps(S value, long double exact) {
    if (std::isnan(exact)) return std::isnan(value) ? 0 : 1e9;
    if (std::isinf(static_cast<S>(exact)) || std::isinf(value))
        return value == static_cast<S>(exact) ? 0 : 1e9;
    using Limits = std::numeric_limits<S>;
    int exponent = Limits::min_exponent;
    if (exact != 0) std::frexp(exact, &exponent);
    const int last_place = std::max(exponent, Limits::min_exponent) - Limits::digits;
    const long double error = std::abs(static_cast<long double>(value) - exact);
    return static_cast<double>(std::ldexp(error, -last_place));
}

// Remembers the worst case, so that a failure names the argument.
template <class S>
class WorstError {
  public:
    void add(S value, long double exact, S x, S y = 0) {
        const double error = error_in_ulps(value, exact);
        if (error > worst_) {
            worst_ = error;
            x_ = x;
            y_ = y;
        }
    }
    void expect_below(double bound, const char* name) const {
        EXPECT_LT(worst_, bound) << name << " at " << message(x_, ", ", y_);
        std::printf("    %-6s %-5s largest error %.4f ulp\n", sizeof(S) == 8 ? "double" : "float",
                    name, worst_);
    }

  private:
    double worst_ = 0;
    S x_{}, y_{};
};

template <class S>
S any_finite(Random& random) {
    using Bits = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;
    for (;;) {
        const S x = std::bit_cast<S>(static_cast<Bits>(random.bits()));
        if (std::isfinite(x)) return x;
    }
}

// Small angles, a few turns, a million turns, any size at all, and the neighbors of multiples
// of pi/2, where almost everything cancels in the reduction.
template <class S>
std::vector<S> hard_angles() {
    Random random(7);
    std::vector<S> angles;
    const auto add = [&](double x) { angles.push_back(static_cast<S>(x)); };
    for (int i = 0; i <= 20000; ++i) add(-10 + 1e-3 * i);
    for (int i = 0; i < 20000; ++i) {
        add(random.uniform(-0.8, 0.8));
        add(random.uniform(-10, 10));
        add(random.uniform(-2e6, 2e6));
        angles.push_back(any_finite<S>(random));
        S near = static_cast<S>(random.integer(1, 3000000) * (kPi<double> / 2));
        if (i < 2000) near = static_cast<S>(i * (kPi<double> / 2));
        angles.push_back(near);
        angles.push_back(std::nextafter(near, S(0)));
    }
    // The double nearest to a multiple of pi/2 of all: 4.7e-19 away.
    if (sizeof(S) == 8) add(0x1.6ac5b262ca1ffp+849);
    for (int e = 0; e < std::numeric_limits<S>::max_exponent; ++e)
        angles.push_back(std::ldexp(S(1), e));
    return angles;
}

template <class S>
class Trig : public testing::Test {};
TYPED_TEST_SUITE(Trig, Scalars);

// Half an ulp is the rounding of the answer itself; what is beyond is our error.
template <class S>
double bound(double for_double) {
    return sizeof(S) == 8 ? for_double : 0.501;
}

TYPED_TEST(Trig, SineCosineAndTangentAreWithinAnUlpAtAnySize) {
    using S = TypeParam;
    WorstError<S> sine, cosine, tangent;
    for (const S x : hard_angles<S>()) {
        const SinCos<S> both = sin_cos(x);
        const long double exact = static_cast<long double>(x);
        sine.add(both.sin, std::sin(exact), x);
        cosine.add(both.cos, std::cos(exact), x);
        tangent.add(tan(x), std::tan(exact), x);
        EXPECT_EQ(both.sin, sin(x));
        EXPECT_EQ(both.cos, cos(x));
    }
    sine.expect_below(bound<S>(0.8), "sin");
    cosine.expect_below(bound<S>(0.8), "cos");
    tangent.expect_below(bound<S>(0.9), "tan");
}

TYPED_TEST(Trig, InverseFunctionsAreWithinAnUlp) {
    using S = TypeParam;
    Random random(8);
    WorstError<S> arctangent, arctangent2, arcsine, arccosine;
    const auto try_ratio = [&](S y, S x) {
        arctangent2.add(atan2(y, x), std::atan2(static_cast<long double>(y), x), y, x);
    };
    for (int i = 0; i < 100000; ++i) {
        const S wide = any_finite<S>(random), near = static_cast<S>(random.uniform(-4, 4));
        for (const S x : {wide, near})
            arctangent.add(atan(x), std::atan(static_cast<long double>(x)), x);
        try_ratio(wide, any_finite<S>(random));
        try_ratio(near, static_cast<S>(random.uniform(-4, 4)));
        try_ratio(near, near * static_cast<S>(random.uniform(0.4, 2.5)));
        S unit = static_cast<S>(random.uniform(-1, 1));
        if (i % 4 == 0) unit = std::copysign(S(1) - unit * unit * unit * unit, unit);
        arcsine.add(asin(unit), std::asin(static_cast<long double>(unit)), unit);
        arccosine.add(acos(unit), std::acos(static_cast<long double>(unit)), unit);
    }
    arctangent.expect_below(bound<S>(0.8), "atan");
    arctangent2.expect_below(bound<S>(0.8), "atan2");
    arcsine.expect_below(bound<S>(0.8), "asin");
    arccosine.expect_below(bound<S>(0.8), "acos");
}

TYPED_TEST(Trig, ExponentialAndLogarithmAreWithinAnUlp) {
    using S = TypeParam;
    Random random(9);
    const double lowest = sizeof(S) == 8 ? -746 : -104, highest = sizeof(S) == 8 ? 710 : 89;
    WorstError<S> exponential, logarithm;
    for (int i = 0; i < 100000; ++i) {
        for (const double x : {random.uniform(lowest, highest), random.uniform(-1, 1)}) {
            const S argument = static_cast<S>(x);
            exponential.add(exp(argument), std::exp(static_cast<long double>(argument)), argument);
        }
        for (const S x : {std::abs(any_finite<S>(random)), static_cast<S>(random.uniform(0.3, 3))})
            logarithm.add(log(x), std::log(static_cast<long double>(x)), x);
    }
    exponential.expect_below(bound<S>(0.95), "exp");
    logarithm.expect_below(bound<S>(0.9), "log");
}

TYPED_TEST(Trig, SquaresOfSineAndCosineAddToOneAndSymmetriesHoldExactly) {
    using S = TypeParam;
    for (const S x : hard_angles<S>()) {
        const SinCos<S> plus = sin_cos(x), minus = sin_cos(-x);
        EXPECT_NEAR(plus.sin * plus.sin + plus.cos * plus.cos, S(1),
                    S(2) * std::numeric_limits<S>::epsilon());
        EXPECT_EQ(minus.sin, -plus.sin);
        EXPECT_EQ(minus.cos, plus.cos);
        EXPECT_EQ(tan(-x), -tan(x));
        EXPECT_EQ(atan(-x), -atan(x));
    }
}

TYPED_TEST(Trig, ArctangentKnowsItsQuadrantAndTheSignsOfZero) {
    using S = TypeParam;
    const S pi = kPi<S>, inf = std::numeric_limits<S>::infinity();
    EXPECT_EQ(atan2(S(1), S(1)), pi / 4);
    EXPECT_EQ(atan2(S(1), S(-1)), static_cast<S>(0.75L * std::acos(-1.0L)));
    EXPECT_EQ(atan2(S(-1), S(1)), -pi / 4);
    EXPECT_EQ(atan2(S(3), S(0)), pi / 2);
    EXPECT_EQ(atan2(S(-3), S(-0.0)), -pi / 2);
    EXPECT_EQ(atan2(S(0), S(-2)), pi);
    EXPECT_EQ(atan2(S(-0.0), S(-2)), -pi);
    for (const S x : {S(0), S(1), inf}) {
        EXPECT_EQ(atan2(S(0), x), S(0));
        EXPECT_FALSE(std::signbit(atan2(S(0), x)));
        EXPECT_TRUE(std::signbit(atan2(S(-0.0), x)));
        EXPECT_EQ(atan2(S(0), -x), pi);
        EXPECT_EQ(atan2(S(-0.0), -x), -pi);
    }
    EXPECT_EQ(atan2(inf, inf), pi / 4);
    EXPECT_EQ(atan2(-inf, S(5)), -pi / 2);
    EXPECT_EQ(atan2(S(5), inf), S(0));
    EXPECT_EQ(atan(inf), pi / 2);
    EXPECT_TRUE(std::isnan(atan2(std::numeric_limits<S>::quiet_NaN(), S(1))));
}

TYPED_TEST(Trig, WhatIsNotFiniteGivesNan) {
    using S = TypeParam;
    const S inf = std::numeric_limits<S>::infinity(), nan = std::numeric_limits<S>::quiet_NaN();
    for (const S x : {inf, -inf, nan}) {
        EXPECT_TRUE(std::isnan(sin_cos(x).sin));
        EXPECT_TRUE(std::isnan(sin_cos(x).cos));
        EXPECT_TRUE(std::isnan(tan(x)));
        EXPECT_TRUE(std::isnan(asin(x)));
        EXPECT_TRUE(std::isnan(acos(x)));
    }
    EXPECT_EQ(exp(inf), inf);
    EXPECT_EQ(exp(-inf), S(0));
    EXPECT_EQ(log(inf), inf);
    EXPECT_TRUE(std::isnan(exp(nan)) && std::isnan(log(nan)) && std::isnan(log(S(-1))));
    EXPECT_EQ(log(S(0)), -inf);
    EXPECT_EQ(log(S(-0.0)), -inf);
}

TYPED_TEST(Trig, ZerosAndSubnormalsComeBackUnchanged) {
    using S = TypeParam;
    const S smallest = std::numeric_limits<S>::denorm_min(), least = std::numeric_limits<S>::min();
    for (const S x : {S(0), S(-0.0), smallest, -smallest, least, -least}) {
        for (const S y : {sin(x), tan(x), atan(x), asin(x)}) {
            EXPECT_EQ(y, x);
            EXPECT_EQ(std::signbit(y), std::signbit(x));
        }
        EXPECT_EQ(cos(x), S(1));
        EXPECT_EQ(exp(x), S(1));
    }
    EXPECT_EQ(log(S(1)), S(0));
}

// A dot product of unit vectors is often 1 + 2^-52: that is an angle of zero, not NaN.
TYPED_TEST(Trig, ArgumentsARoundingErrorBeyondOneCountAsOne) {
    using S = TypeParam;
    const S above = S(1) + S(4) * std::numeric_limits<S>::epsilon();
    EXPECT_EQ(acos(above), S(0));
    EXPECT_EQ(acos(-above), kPi<S>);
    EXPECT_EQ(asin(-above), -kPi<S> / 2);
    EXPECT_TRUE(std::isnan(acos(S(1.001))));
}

TYPED_TEST(Trig, LogarithmUndoesTheExponential) {
    using S = TypeParam;
    for (S x = S(-80); x <= S(80); x += S(0.37)) {
        // A relative error eps of exp x is an absolute error eps of its logarithm.
        EXPECT_NEAR(log(exp(x)), x, test::round_off(S(1) + std::abs(x)) / 8);
        EXPECT_NEAR(exp(x) * exp(-x), S(1), test::round_off(S(1)) / 4);
    }
}

template <class S>
void add_grid(Hasher& hasher) {
    const auto add = [&](S value) { hasher.add_value(value); };
    for (int i = -4000; i <= 4000; ++i) {
        const S x = static_cast<S>(i) * S(0.0078125), unit = static_cast<S>(i) / S(4000);
        const S large = x * x * x * S(1048577);
        for (const S angle : {x, unit, large, large * large * large}) {
            add(sin(angle));
            add(cos(angle));
            if (angle != S(0)) add(tan(angle));
            add(atan(angle));
        }
        add(asin(unit));
        add(acos(unit));
        add(atan2(x, S(1) - unit));
        add(atan2(unit, -x * x - S(1)));
        add(exp(x));
        add(log(x * x + S(0.001)));
    }
}

// Golden value: equal for gcc and clang, -O0 to -O3. When it changes, so do the bits of
// every simulation: the numerics version must change with it.
TEST(TrigBits, AreTheOnesTheyHaveAlwaysBeen) {
    Hasher hasher;
    add_grid<float>(hasher);
    add_grid<double>(hasher);
    EXPECT_EQ(hasher.value(), 0x64b9c17de48c45dbu);
}

} // namespace
} // namespace rigor::test
