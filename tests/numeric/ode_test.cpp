// ODE integrators: order of accuracy, dense output and event location.

#include "numeric/ode.h"

#include <array>
#include <cmath>

#include "math/trig.h"
#include "test_support.h"

namespace rigor {
namespace {

// A harmonic oscillator, y = (cos t, -sin t) from (1, 0).
void oscillator(double, std::span<const double> y, std::span<double> rate) {
    rate[0] = y[1];
    rate[1] = -y[0];
}

// Depends on time, too: y' = y cos t, so y = exp(sin t).
void driven(double t, std::span<const double> y, std::span<double> rate) {
    rate[0] = y[0] * std::cos(t);
}

template <class Stepper>
double error_after(const OdeRate& f, std::vector<double> y, double end, int steps, double exact) {
    Stepper stepper;
    const double h = end / steps;
    for (int i = 0; i < steps; ++i) stepper.step(f, i * h, h, y);
    return std::abs(y[0] - exact);
}

template <class Stepper>
double measured_order(int steps) {
    const double coarse = error_after<Stepper>(driven, {1}, 2, steps, std::exp(std::sin(2.0)));
    const double fine = error_after<Stepper>(driven, {1}, 2, 2 * steps, std::exp(std::sin(2.0)));
    return std::log2(coarse / fine);
}

TEST(FixedSteps, HalvingTheStepDividesTheErrorByTwoToTheOrder) {
    EXPECT_NEAR(measured_order<ExplicitEuler>(2000), 1, 0.01);
    EXPECT_NEAR(measured_order<RungeKutta4>(100), 4, 0.05);
    const double coarse = error_after<RungeKutta4>(oscillator, {1, 0}, 3, 400, std::cos(3.0));
    const double fine = error_after<RungeKutta4>(oscillator, {1, 0}, 3, 800, std::cos(3.0));
    EXPECT_NEAR(std::log2(coarse / fine), 4, 0.1);
}

// With a tolerance that accepts everything and max_step = h the pair runs at fixed steps.
OdeSettings fixed_step(double h) {
    OdeSettings settings;
    settings.relative_tolerance = settings.absolute_tolerance = 1e30;
    settings.first_step = settings.max_step = h;
    return settings;
}

TEST(AdaptiveSteps, AreOfFifthOrderAndTheirInterpolantOfFourth) {
    std::array<double, 2> end_error{}, dense_error{};
    for (std::size_t run = 0; run < 2; ++run) {
        DormandPrince solver(fixed_step(run == 0 ? 0.1 : 0.05));
        std::array<double, 1> y{1};
        const auto observe = [&](const DenseStep& step, std::span<const double>) {
            const double t = step.begin() + 0.37 * (step.end() - step.begin());
            std::array<double, 1> inside;
            step.evaluate(t, inside);
            dense_error[run] =
                std::max(dense_error[run], std::abs(inside[0] - std::exp(std::sin(t))));
        };
        solver.integrate(driven, 0, 2, y, {}, observe);
        end_error[run] = std::abs(y[0] - std::exp(std::sin(2.0)));
    }
    EXPECT_NEAR(std::log2(end_error[0] / end_error[1]), 5, 0.3);
    EXPECT_GT(std::log2(dense_error[0] / dense_error[1]), 4);
}

TEST(AdaptiveSteps, DenseOutputMeetsTheEndsOfItsStep) {
    DormandPrince solver;
    std::array<double, 2> y{1, 0}, previous = y, at_begin, at_end;
    solver.integrate(oscillator, 0, 5, y, {},
                     [&](const DenseStep& step, std::span<const double> now) {
                         step.evaluate(step.begin(), at_begin);
                         step.evaluate(step.end(), at_end);
                         for (std::size_t i = 0; i < 2; ++i) {
                             EXPECT_NEAR(at_begin[i], previous[i], 1e-15);
                             EXPECT_NEAR(at_end[i], now[i], 1e-15);
                             previous[i] = now[i];
                         }
                     });
}

TEST(AdaptiveSteps, KeepTheErrorNearTheToleranceForwardAndBackward) {
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
        OdeSettings settings;
        settings.relative_tolerance = settings.absolute_tolerance = tolerance;
        DormandPrince solver(settings);
        std::array<double, 2> y{1, 0};
        const OdeResult there = solver.integrate(oscillator, 0, 20, y);
        EXPECT_EQ(there.status, OdeStatus::reached_end);
        EXPECT_EQ(there.t, 20);
        EXPECT_NEAR(y[0], std::cos(20.0), 100 * tolerance);
        const OdeResult back = solver.integrate(oscillator, 20, 0, y);
        EXPECT_EQ(back.t, 0);
        EXPECT_NEAR(y[0], 1, 200 * tolerance);
        EXPECT_GT(there.evaluations, 6 * there.steps);
    }
}

// A Kepler orbit of eccentricity 0.9 closes after 2 pi, though the step must shrink by a
// factor of hundreds at the near point.
TEST(AdaptiveSteps, FollowAnEccentricOrbit) {
    const auto kepler = [](double, std::span<const double> y, std::span<double> rate) {
        const double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * std::sqrt(r2);
        rate[0] = y[2];
        rate[1] = y[3];
        rate[2] = -y[0] / r3;
        rate[3] = -y[1] / r3;
    };
    OdeSettings settings;
    settings.relative_tolerance = settings.absolute_tolerance = 1e-12;
    std::array<double, 4> y{0.1, 0, 0, std::sqrt(1.9 / 0.1)};
    DormandPrince solver(settings);
    EXPECT_EQ(solver.integrate(kepler, 0, 2 * kPi<double>, y).status, OdeStatus::reached_end);
    EXPECT_NEAR(y[0], 0.1, 1e-8);
    EXPECT_NEAR(y[1], 0, 1e-8);
}

// A ball thrown up at 3 m/s from 1 m meets the ground at a time known in closed form.
TEST(Events, StopAtTheGroundJustBeforeItIsPassed) {
    const auto fall = [](double, std::span<const double> y, std::span<double> rate) {
        rate[0] = y[1];
        rate[1] = -9.81;
    };
    const OdeEvent ground{[](double, std::span<const double> y) { return y[0]; },
                          OdeEvent::Direction::falling};
    const OdeEvent apex{[](double, std::span<const double> y) { return y[1]; }};
    const double impact = (3 + std::sqrt(9 + 2 * 9.81)) / 9.81;
    std::array<double, 2> y{1, 3};
    DormandPrince solver;
    OdeResult r = solver.integrate(fall, 0, 10, y, std::array{ground});
    EXPECT_EQ(r.status, OdeStatus::stopped_at_event);
    EXPECT_NEAR(r.t, impact, 1e-14);
    EXPECT_GE(y[0], 0);
    EXPECT_NEAR(y[0], 0, 1e-13);
    EXPECT_NEAR(y[1], -std::sqrt(9 + 2 * 9.81), 1e-13);

    // Of two events the earlier one wins, in whatever order they are given.
    for (const bool swapped : {false, true}) {
        y = {1, 3};
        const std::array events = swapped ? std::array{apex, ground} : std::array{ground, apex};
        r = solver.integrate(fall, 0, 10, y, events);
        EXPECT_EQ(r.event, swapped ? 0u : 1u);
        EXPECT_NEAR(r.t, 3 / 9.81, 1e-14);
        EXPECT_NEAR(y[0], 1 + 4.5 / 9.81, 1e-13);
    }
}

TEST(Events, AreLocatedWithTheAccuracyOfTheSteps) {
    OdeSettings settings;
    settings.relative_tolerance = settings.absolute_tolerance = 1e-12;
    DormandPrince solver(settings);
    std::array<double, 2> y{1, 0};
    const OdeEvent zero{[](double, std::span<const double> s) { return s[0]; },
                        OdeEvent::Direction::rising};
    const OdeResult r = solver.integrate(oscillator, 0, 10, y, std::array{zero});
    EXPECT_NEAR(r.t, 1.5 * kPi<double>, 1e-10);
    EXPECT_LE(y[0], 0); // rising: just before it is below zero
}

// A function that only says yes or no gives bisection nothing to interpolate. Dense output is
// bisected, so that the rate, which may cost much, is asked for in a few steps only.
TEST(Events, OfYesOrNoAreFoundInFewSteps) {
    OdeSettings settings;
    settings.relative_tolerance = settings.absolute_tolerance = 1e-12;
    settings.first_step = 0.05;
    DormandPrince solver(settings);
    std::array<double, 2> y{1, 0};
    const OdeEvent passed{
        [](double, std::span<const double> s) { return s[0] > 0.5 ? 1e-3 : -1e-3; },
        OdeEvent::Direction::falling, OdeEvent::Stop::after};
    const OdeResult r = solver.integrate(oscillator, 0, 10, y, std::array{passed});
    EXPECT_EQ(r.status, OdeStatus::stopped_at_event);
    EXPECT_NEAR(r.t, kPi<double> / 3, 1e-11);
    EXPECT_LE(y[0], 0.5);
    EXPECT_LT(r.evaluations, 6 * (r.steps + r.rejected) + 60);
}

TEST(Events, ThatStartAtZeroMustFirstLeaveIt) {
    DormandPrince solver;
    std::array<double, 2> y{0, 1}; // sin t: zero now, and again at pi
    const OdeEvent zero{[](double, std::span<const double> s) { return s[0]; }};
    const OdeResult r = solver.integrate(oscillator, 0, 10, y, std::array{zero});
    EXPECT_EQ(r.status, OdeStatus::stopped_at_event);
    EXPECT_NEAR(r.t, kPi<double>, 1e-8);
}

TEST(AdaptiveSteps, SayWhenTheyCannotGoOn) {
    // y' = y² from 1 is infinite at t = 1.
    const auto explode = [](double, std::span<const double> y, std::span<double> rate) {
        rate[0] = y[0] * y[0];
    };
    DormandPrince solver;
    std::array<double, 1> y{1};
    const OdeResult stuck = solver.integrate(explode, 0, 2, y);
    EXPECT_TRUE(stuck.status == OdeStatus::step_too_small || stuck.status == OdeStatus::not_finite);
    EXPECT_NEAR(stuck.t, 1, 1e-6);
    EXPECT_TRUE(std::isfinite(y[0]));

    OdeSettings few;
    few.max_steps = 10;
    std::array<double, 2> o{1, 0};
    const OdeResult limited = DormandPrince(few).integrate(oscillator, 0, 1000, o);
    EXPECT_EQ(limited.status, OdeStatus::too_many_steps);
    EXPECT_NEAR(o[0], std::cos(limited.t), 1e-8);

    const auto broken = [](double, std::span<const double>, std::span<double> rate) {
        rate[0] = std::nan("");
    };
    EXPECT_EQ(solver.integrate(broken, 0, 1, y).status, OdeStatus::not_finite);

    // A rate that jumps at random can meet no tolerance.
    const auto noise = [n = 0](double, std::span<const double>, std::span<double> rate) mutable {
        rate[0] = ++n % 2 == 0 ? 1e6 : -1e6;
    };
    y = {0};
    EXPECT_NE(solver.integrate(noise, 1, 2, y).status, OdeStatus::reached_end);
}

TEST(AdaptiveSteps, ToTheSameTimeChangeNothing) {
    DormandPrince solver;
    std::array<double, 2> y{1, 0};
    const OdeResult r = solver.integrate(oscillator, 3, 3, y);
    EXPECT_EQ(r.status, OdeStatus::reached_end);
    EXPECT_EQ(r.steps, 0);
    EXPECT_EQ(y[0], 1);
}

} // namespace
} // namespace rigor
