// Triangles: area, normal, closest point and ray intersection.

#include "geometry/triangle.h"

#include <gtest/gtest.h>

#include "test_support.h"

namespace rigor::test {
namespace {

template <class S>
class TriangleTest : public ::testing::Test {};
TYPED_TEST_SUITE(TriangleTest, Scalars);

template <class S>
Triangle<S> random_triangle(Random& random) {
    return {random.vec<S>(), random.vec<S>(), random.vec<S>()};
}

TYPED_TEST(TriangleTest, AreaAndNormalOfARightTriangle) {
    using S = TypeParam;
    const Triangle<S> t{{0, 0, 1}, {3, 0, 1}, {0, 4, 1}};
    EXPECT_EQ(area(t), S(6));
    EXPECT_EQ(normal(t), (Vec3<S>{0, 0, 1}));
    EXPECT_EQ(normal(Triangle<S>{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}), Vec3<S>{});
}

// The nearest point c of a convex set is the one point of it from which no way within the set
// leads nearer to p: (p - c)·(v - c) <= 0 for all corners v.
TYPED_TEST(TriangleTest, NoWayLeadsNearerThanTheClosestPoint) {
    using S = TypeParam;
    Random random(1);
    std::array<int, 7> seen{};
    for (int i = 0; i < 2000; ++i) {
        const Triangle<S> t = random_triangle<S>(random);
        const Vec3<S> p = random.vec<S>(-2, 2);
        const TrianglePoint<S> nearest = closest_point(t, p);
        ++seen[static_cast<std::size_t>(nearest.feature)];
        for (const Vec3<S>& v : {t.a, t.b, t.c}) {
            EXPECT_LE(dot(p - nearest.point, v - nearest.point), round_off(S(20)));
        }
        if (area(t) < S(0.05)) continue;
        EXPECT_NEAR(dot(normal(t), nearest.point - t.a), 0, round_off(S(20))); // in its plane
    }
    for (const int count : seen) EXPECT_GT(count, 20);
}

TYPED_TEST(TriangleTest, ClosestPointOfSegmentsAndPoints) {
    using S = TypeParam;
    const Triangle<S> segment{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    EXPECT_EQ(closest_point(segment, Vec3<S>{S(1.5), 1, 0}).point, (Vec3<S>{S(1.5), 0, 0}));
    EXPECT_EQ(closest_point(segment, Vec3<S>{3, 1, 0}).point, (Vec3<S>{2, 0, 0}));
    const Triangle<S> point{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    EXPECT_EQ(closest_point(point, Vec3<S>{}).point, point.a);
}

// A ray aimed at a known point of the triangle hits there; one aimed at a point of its plane
// outside misses. The direction need not be a unit.
TYPED_TEST(TriangleTest, RaysHitWhatTheyAimAt) {
    using S = TypeParam;
    Random random(2);
    for (int i = 0; i < 1000; ++i) {
        const Triangle<S> t = random_triangle<S>(random);
        const Vec3<S> origin = random.vec<S>(-3, 3);
        if (area(t) < S(0.1) || std::abs(dot(origin - t.a, normal(t))) < S(0.1)) continue;
        const S u = static_cast<S>(random.uniform(-1, 2)),
                v = static_cast<S>(random.uniform(-1, 2));
        const S margin = std::min({u, v, S(1) - u - v});
        if (std::abs(margin) < S(0.01)) continue;
        const Vec3<S> target = t.a + (t.b - t.a) * u + (t.c - t.a) * v;
        const auto hit = cast_ray(t, RayShear<S>({origin, (target - origin) * S(0.5)}));
        ASSERT_EQ(hit.has_value(), margin > S(0));
        if (!hit) continue;
        EXPECT_NEAR(hit->t, S(2), S(1000) * round_off(S(1)));
        EXPECT_EQ(hit->from_behind, dot(origin - t.a, normal(t)) < S(0));
        EXPECT_FALSE(hit->on_edge);
        EXPECT_FALSE(cast_ray(t, RayShear<S>({origin, target - origin, S(0.99)})));
        EXPECT_FALSE(cast_ray(t, RayShear<S>({origin, origin - target})));
    }
}

// Along each axis, both ways: the main axis is never mixed up, nor is the side.
TYPED_TEST(TriangleTest, RaysAlongTheAxes) {
    using S = TypeParam;
    for (int axis = 0; axis < 3; ++axis) {
        for (const S way : {S(1), S(-1)}) {
            Triangle<S> t;
            t.a[(axis + 1) % 3] = -1, t.a[(axis + 2) % 3] = -1;
            t.b[(axis + 1) % 3] = 2, t.b[(axis + 2) % 3] = -1;
            t.c[(axis + 1) % 3] = -1, t.c[(axis + 2) % 3] = 2; // faces +axis
            Vec3<S> origin, direction;
            origin[axis] = -3 * way, direction[axis] = way;
            const auto hit = cast_ray(t, RayShear<S>({origin, direction}));
            ASSERT_TRUE(hit);
            EXPECT_EQ(hit->t, S(3));
            EXPECT_EQ(hit->from_behind, way > S(0));
        }
    }
}

// A ray that aims exactly at points of the common edge of two triangles meets at least one.
TYPED_TEST(TriangleTest, NoRaySlipsBetweenNeighbors) {
    using S = TypeParam;
    Random random(3);
    for (int i = 0; i < 20000; ++i) {
        const Vec3<S> a = random.vec<S>(), b = random.vec<S>();
        const Vec3<S> side = cross(b - a, random.vec<S>());
        const Triangle<S> left{a, b, a + side}, right{b, a, b - side};
        if (length(side) < S(0.1)) continue;
        const Vec3<S> n = normal(left);
        const Vec3<S> target = a + (b - a) * static_cast<S>(random.uniform(0.05, 0.95));
        const Vec3<S> origin = target + n * S(2) + random.vec<S>();
        const RayShear<S> ray({origin, target - origin});
        EXPECT_TRUE(cast_ray(left, ray) || cast_ray(right, ray));
    }
}

TEST(TriangleCrossing, ProperOnly) {
    const Triangle<double> flat{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
    EXPECT_TRUE(cross_properly(flat, {{0.5, 0.5, -1}, {0.5, 0.5, 1}, {5, 5, 0}}));
    EXPECT_FALSE(cross_properly(flat, {{0.5, 0.5, 0}, {0.5, 0.5, 1}, {5, 5, 1}})); // touches
    EXPECT_FALSE(cross_properly(flat, {{2, 0, 0}, {0, 2, 0}, {2, 2, 1}}));         // neighbor
    EXPECT_FALSE(cross_properly(flat, {{0.1, 0.1, 0}, {1, 0.1, 0}, {0.1, 1, 0}})); // one plane
    EXPECT_FALSE(cross_properly(flat, {{3, 3, -1}, {3, 3, 1}, {5, 5, 0}}));        // beside
}

} // namespace
} // namespace rigor::test
