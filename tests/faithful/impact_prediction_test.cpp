// Predicted times of impact, against closed forms of the textbook.

#include "faithful/impact_prediction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "step_fixture.h"
#include "test_support.h"

namespace rigor::faithful {
namespace {

constexpr double kG = 9.81;

/// The predictor of a world at the start of a step of one second.
struct Prediction {
    explicit Prediction(const StepFixture& fixture, double dt = 1)
        : pair_predictor(fixture.state),
          trajectories(fixture.state, dt),
          predictor(fixture.state, fixture.laws.tolerances, pair_predictor, trajectories) {}

    PairPredictor pair_predictor;
    BodyTrajectories trajectories;
    ImpactPredictor predictor;
};

/// A number that no time is equal to, if there is no impact.
double time_of(const StepFixture& fixture, const ShapePair& pair, double dt = 1) {
    return Prediction(fixture, dt).predictor.time_of_impact(pair).value_or(-1);
}

// z0 + v t - g t²/2 = r. The plane may be either shape of the pair.
TEST(ImpactPrediction, OfABallOverAPlane) {
    for (const double v : {-2.0, 0.0, 2.0})
        for (const bool ground_first : {true, false}) {
            SCOPED_TRACE(test::message("v = ", v, ", ground first: ", ground_first));
            StepFixture fixture;
            fixture.state.gravity = {0, 0, -kG};
            if (ground_first) fixture.add_ground();
            fixture.add(SphereDef{0.5}, {0.3, 0, 1.5}, {1, 0, v});
            if (!ground_first) fixture.add_ground();
            const double expected = (v + std::sqrt(v * v + 2 * kG * 1.0)) / kG;
            EXPECT_NEAR(time_of(fixture, {0, 1}), expected, 1e-14);
            EXPECT_NEAR(Prediction(fixture).predictor.gap_at({0, 1}, expected), 0, 1e-14);
        }
}

TEST(ImpactPrediction, EndsWithTheStep) {
    StepFixture fixture;
    fixture.add_ground();
    fixture.add(SphereDef{0.5}, {0, 0, 1.5}, {0, 0, -2});
    EXPECT_EQ(time_of(fixture, {0, 1}, 0.49), -1);
    EXPECT_NEAR(time_of(fixture, {0, 1}, 0.51), 0.5, 1e-14);
}

// The distance of the centers is the sum of the radii: (d - vt)² + b² = (r1 + r2)² with the impact
// parameter b. Common gravity does not matter, and balls with b > r1 + r2 miss.
TEST(ImpactPrediction, OfTwoBalls) {
    for (const double g : {0.0, kG})
        for (const double b : {0.0, 0.3, 0.69, 0.71}) {
            SCOPED_TRACE(test::message("g = ", g, ", b = ", b));
            StepFixture fixture;
            fixture.state.gravity = {0, 0, -g};
            fixture.add(SphereDef{0.5}, {0, 0, 0}, {1, 0, 0});
            fixture.add(SphereDef{0.2}, {2, b, 0}, {-2, 0, 0});
            const double expected = b > 0.7 ? -1 : (2 - std::sqrt(0.49 - b * b)) / 3;
            EXPECT_NEAR(time_of(fixture, {0, 1}), expected, 1e-14);
        }
}

// Without a common acceleration there is no closed form in the code: conservative advancement must
// find h = g t²/2.
TEST(ImpactPrediction, OfTwoBallsOfWhichOneFalls) {
    StepFixture fixture;
    fixture.state.gravity = {0, 0, -kG};
    BodyDef hovering;
    hovering.gravity_scale = 0;
    hovering.shapes.push_back({.geometry = SphereDef{0.5}});
    fixture.add(hovering);
    fixture.add(SphereDef{0.5}, {0, 0, 3});
    EXPECT_NEAR(time_of(fixture, {0, 1}), std::sqrt(2 * 2 / kG), 1e-10);
}

TEST(ImpactPrediction, OfTwoBoxesFaceToFace) {
    StepFixture fixture;
    fixture.add(BoxDef{{1, 1, 1}}, {0, 0, 0}, {0.5, 0, 0});
    fixture.add(BoxDef{{1, 1, 1}}, {1.8, 0.2, 0.1}, {-1.5, 0, 0});
    EXPECT_NEAR(time_of(fixture, {0, 1}), 0.4, 1e-10);
}

TEST(ImpactPrediction, OfTwoBoxesThatPass) {
    StepFixture fixture;
    fixture.add(BoxDef{{1, 1, 1}}, {0, 0, 0}, {3, 0, 0});
    fixture.add(BoxDef{{1, 1, 1}}, {1.8, 1.01, 0}, {-3, 0, 0});
    EXPECT_EQ(time_of(fixture, {0, 1}), -1);
}

// Pure rotation: the lowest corner of a cube of half side s that rotates about a horizontal axis is
// s √2 sin(w t + π/4) below its center.
TEST(ImpactPrediction, OfARotatingCubeOverAPlane) {
    const double s = 0.5, height = 0.6, w = 2;
    StepFixture fixture;
    fixture.add_ground();
    BodyDef cube;
    cube.shapes.push_back({.geometry = BoxDef{{2 * s, 2 * s, 2 * s}}});
    cube.position = {0, 0, height};
    cube.angular_velocity = {w, 0, 0};
    fixture.add(cube);
    const double angle = std::asin(height / (s * std::numbers::sqrt2)) - std::numbers::pi / 4;
    EXPECT_NEAR(time_of(fixture, {0, 1}), angle / w, 1e-10);
}

// Bounds of free flight contain every center on the way, and no more than the sagitta in excess.
TEST(BodyTrajectories, BoundsOfFreeFlightContainThePath) {
    StepFixture fixture;
    fixture.state.gravity = {0, 0, -kG};
    fixture.add(SphereDef{0.1}, {1, 2, 3}, {2, -1, 0.5 * kG});
    const BodyTrajectories trajectories(fixture.state, 1); // back at its height after one second
    const Aabb<double> bounds = trajectories.center_bounds(0);
    double top = 0;
    for (int i = 0; i <= 100; ++i) {
        const Vec3d x = trajectories.center_at(0, 0.01 * i);
        EXPECT_EQ(min(x, bounds.lo), bounds.lo);
        EXPECT_EQ(max(x, bounds.hi), bounds.hi);
        top = std::max(top, x.z);
    }
    EXPECT_NEAR(top, 3 + kG / 8, 1e-12);
    EXPECT_NEAR(bounds.hi.z, top, 1e-12);
    EXPECT_NEAR(bounds.hi.x, 3, 1e-12);
}

} // namespace
} // namespace rigor::faithful
