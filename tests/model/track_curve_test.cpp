// The curve of a track against curves with closed forms.
#include "model/track_curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "test_support.h"

namespace rigor {
namespace {

constexpr double kPi = 3.14159265358979323846;

std::vector<Vec3d> circle(int n, double radius = 1) {
    std::vector<Vec3d> points;
    for (int i = 0; i < n; ++i)
        points.push_back(
            {radius * std::cos(2 * kPi * i / n), radius * std::sin(2 * kPi * i / n), 0});
    return points;
}

std::vector<Vec3d> helix(int n, int turns, double radius, double pitch) {
    std::vector<Vec3d> points;
    for (int i = 0; i <= n; ++i) {
        const double a = 2 * kPi * turns * i / n;
        points.push_back({radius * std::cos(a), radius * std::sin(a), pitch * a / (2 * kPi)});
    }
    return points;
}

TrackCurve curve_of(const std::vector<Vec3d>& points, bool closed) {
    return TrackCurve::make(points, closed).value();
}

std::string message_of(const std::vector<Vec3d>& points, bool closed) {
    const auto made = TrackCurve::make(points, closed);
    return made ? "" : made.error().where + " " + made.error().message;
}

// A cubic spline: fourth order in position and length, second in curvature.
TEST(TrackCurve, CirclesBecomeRoundWithTheirPoints) {
    double last_length = 1, last_curvature = 1;
    for (const int n : {16, 32, 64}) {
        const TrackCurve curve = curve_of(circle(n), true);
        const double length_error = std::abs(curve.length() - 2 * kPi);
        double curvature_error = 0;
        for (int i = 0; i < 1000; ++i)
            curvature_error =
                std::max(curvature_error, std::abs(length(curve.at(i * 0.00628).curvature) - 1));
        EXPECT_LT(length_error, last_length / 12) << n;
        EXPECT_LT(curvature_error, last_curvature / 3.5) << n;
        last_length = length_error;
        last_curvature = curvature_error;
    }
    EXPECT_LT(last_length, 2e-6);
}

TEST(TrackCurve, DerivativesAreThoseByArcLength) {
    test::Random random(3);
    std::vector<Vec3d> points;
    for (int i = 0; i < 12; ++i) points.push_back(Vec3d{1.5 * i, 0, 0} + random.vec());
    for (const bool closed : {false, true}) {
        const TrackCurve curve = curve_of(points, closed);
        for (int i = 0; i < 200; ++i) {
            const double s = random.uniform(0.01, 0.99) * curve.length(), h = 1e-4;
            const auto before = curve.at(s - h), at = curve.at(s), after = curve.at(s + h);
            ASSERT_NEAR(length(at.tangent), 1, 1e-14);
            ASSERT_NEAR(dot(at.tangent, at.curvature), 0, 1e-12);
            ASSERT_LT(length((after.position - before.position) * (0.5 / h) - at.tangent), 1e-5);
            ASSERT_LT(length((after.tangent - before.tangent) * (0.5 / h) - at.curvature), 1e-2);
        }
    }
}

// Position, tangent and curvature at both sides of every point, beyond the ends, and of the seam.
TEST(TrackCurve, HasContinuousCurvature) {
    test::Random random(4);
    std::vector<Vec3d> points = circle(9, 3);
    for (Vec3d& point : points) point += random.vec(-0.3, 0.3);
    for (const bool closed : {false, true}) {
        const TrackCurve curve = curve_of(points, closed);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const double s = curve.nearest(points[i]).s, h = 1e-9;
            const auto before = curve.at(s - h), after = curve.at(s + h);
            ASSERT_LT(length(curve.at(s).position - points[i]), 1e-12) << "goes through its points";
            ASSERT_LT(length(after.tangent - before.tangent), 1e-7);
            ASSERT_LT(length(after.curvature - before.curvature), 1e-6);
        }
    }
}

TEST(TrackCurve, ArcLengthIsExact) {
    const TrackCurve line = curve_of({{1, 2, 3}, {1, 2, 4}, {1, 2, 13}}, false);
    EXPECT_NEAR(line.length(), 10, 1e-13);
    EXPECT_LT(length(line.at(7).position - Vec3d{1, 2, 10}), 1e-13);
    // A sharp bend, whose speed by chord length is far from even, against very many small chords.
    const TrackCurve bend = curve_of({{0, 0, 0}, {5, 0, 0}, {5, 0.1, 0}, {0, 0.5, 0}}, false);
    const int n = 100'000;
    double sum = 0;
    Vec3d last = bend.at(0).position;
    for (int i = 1; i <= n; ++i) {
        const Vec3d next = bend.at(bend.length() * i / n).position;
        sum += length(next - last);
        last = next;
    }
    EXPECT_NEAR(sum, bend.length(), 1e-7);
}

TEST(TrackCurve, CountsLaps) {
    const TrackCurve curve = curve_of(circle(24), true);
    const double lap = curve.length();
    EXPECT_LT(length(curve.at(100 * lap + 1).position - curve.at(1).position), 1e-12);
    EXPECT_LT(length(curve.at(-3 * lap + 1).position - curve.at(1).position), 1e-12);
    double s = 0;
    for (int i = 1; i <= 3000; ++i) {
        const double a = 0.1 * i;
        s = curve.nearest_from(Vec3d{std::cos(a), std::sin(a), 0} * 1.1, s).s;
        ASSERT_NEAR(s, a * lap / (2 * kPi), 1e-4) << i;
    }
    s = curve.nearest_from({std::cos(0.05), -std::sin(0.05), 0}, 0).s;
    EXPECT_NEAR(s, -0.05, 1e-4) << "backward over the seam";
}

// Strands of a helix 0.1 apart, and a point nearer to the next strand than to its own.
TEST(TrackCurve, StaysOnItsStrand) {
    const TrackCurve curve = curve_of(helix(400, 20, 1, 0.1), false);
    const auto on = curve.at(30.0);
    const auto found = curve.nearest_from(on.position + Vec3d{0, 0, 0.07}, 29.9);
    EXPECT_NEAR(found.s, 30, 0.05);
    const auto nearest = curve.nearest(on.position + Vec3d{0, 0, 0.07});
    EXPECT_NEAR(nearest.s, 30 + curve.length() / 20, 0.05);
}

TEST(TrackCurve, GoesOnStraightBeyondItsEnds) {
    const TrackCurve curve = curve_of({{0, 0, 0}, {1, 1, 0}, {2, 0, 0}}, false);
    for (const double s : {-0.5, curve.length() + 0.5}) {
        const auto out = curve.at(s);
        EXPECT_EQ(out.curvature, Vec3d{});
        const auto end = curve.at(s < 0 ? 0 : curve.length());
        EXPECT_LT(length(out.position - end.position - end.tangent * (s - end.s)), 1e-14);
        EXPECT_NEAR(curve.nearest_from(out.position, end.s).s, s, 1e-13);
    }
}

// The nearest point of all, against a scan.
TEST(TrackCurve, FindsTheNearestPoint) {
    test::Random random(5);
    std::vector<Vec3d> points;
    for (int i = 0; i < 20; ++i) points.push_back(random.vec(-3, 3));
    const TrackCurve curve = curve_of(points, true);
    for (int i = 0; i < 200; ++i) {
        const Vec3d p = random.vec(-4, 4);
        double least = 1e9;
        for (int k = 0; k < 5000; ++k)
            least = std::min(least, length(curve.at(curve.length() * k / 5000).position - p));
        const double found = length(curve.nearest(p).position - p);
        ASSERT_LE(found, least + 1e-12);
        ASSERT_GT(found, least - 0.05);
    }
}

TEST(TrackCurve, RefusesWhatIsNoCurve) {
    const double nan = std::nan("");
    EXPECT_EQ(message_of({}, false), "curve must have at least 2 points, got 0");
    EXPECT_EQ(message_of({{1, 1, 1}}, false), "curve must have at least 2 points, got 1");
    EXPECT_EQ(message_of({{0, 0, 0}, {1, 0, 0}}, true),
              "curve must have at least 3 points to be closed, got 2");
    EXPECT_EQ(message_of({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, false),
              "curve must not repeat point 1");
    EXPECT_EQ(message_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}}, true),
              "curve must not end where it begins: a closed curve leads back by itself");
    EXPECT_EQ(message_of({{0, 0, 0}, {nan, 0, 0}}, false),
              "curve must have finite points, but point 1 is not");
    EXPECT_EQ(message_of({{0, 0, 0}, {1e9, 0, 0}}, false),
              "curve must have points at most 1e+06 m apart, got 1e+09");
    EXPECT_EQ(message_of({{0, 0, 0}, {1, 0, 0}, {0.3, 0, 0}}, false),
              "curve must not turn back on itself: a spline through such points has a cusp");
}

} // namespace
} // namespace rigor
