// Height fields: distances, rays and support against brute force over the triangles.

#include "geometry/height_field.h"

#include <gtest/gtest.h>

#include "test_support.h"

namespace rigor::test {
namespace {

template <class S>
class HeightFieldTest : public ::testing::Test {};
TYPED_TEST_SUITE(HeightFieldTest, Scalars);

HeightFieldDef hills(int columns, int rows, std::uint64_t seed = 1) {
    Random random(seed);
    HeightFieldDef def{4, 3, columns, rows, {}};
    for (int i = 0; i < columns * rows; ++i) def.heights.push_back(random.uniform(-0.5, 0.5));
    return def;
}

template <class S>
HeightField<S> make(const HeightFieldDef& def) {
    const HeightField<double> field = make_height_field(def).value();
    if constexpr (std::is_same_v<S, double>) {
        return field;
    } else {
        return to_float(field);
    }
}

template <class S>
std::uint32_t triangle_count(const HeightField<S>& field) {
    return static_cast<std::uint32_t>(2 * (field.columns - 1) * (field.rows - 1));
}

TYPED_TEST(HeightFieldTest, SamplesStandOnACenteredGrid) {
    using S = TypeParam;
    HeightFieldDef def{2, 4, 3, 2, {0, 1, 2, 3, 4, 5}};
    const HeightField<S> field = make<S>(def);
    EXPECT_EQ(height_at(field, S(-1), S(-2)), S(0));
    EXPECT_EQ(height_at(field, S(0), S(-2)), S(1));
    EXPECT_EQ(height_at(field, S(-1), S(2)), S(3));
    EXPECT_EQ(height_at(field, S(1), S(2)), S(5));
    const Triangle<S> t = triangle_at(field, 3); // triangle 1 of cell (1, 0)
    EXPECT_EQ(t.a, (Vec3<S>{0, -2, 1}));
    EXPECT_EQ(t.b, (Vec3<S>{1, 2, 5}));
    EXPECT_EQ(t.c, (Vec3<S>{0, 2, 4}));
}

// All triangles face up, and the height between samples is that of the triangle there.
TYPED_TEST(HeightFieldTest, HeightsLieOnTheTriangles) {
    using S = TypeParam;
    const HeightField<S> field = make<S>(hills(9, 7));
    Random random(2);
    for (std::uint32_t index = 0; index < triangle_count(field); ++index) {
        const Triangle<S> t = triangle_at(field, index);
        EXPECT_GT(normal(t).z, S(0));
        const double u = random.unit(), v = random.uniform(0, 1 - u);
        const Vec3<S> p = t.a + (t.b - t.a) * static_cast<S>(u) + (t.c - t.a) * static_cast<S>(v);
        EXPECT_NEAR(height_at(field, p.x, p.y), p.z, S(4) * round_off(S(1)));
    }
}

TYPED_TEST(HeightFieldTest, DistancesAgreeWithBruteForce) {
    using S = TypeParam;
    const HeightField<S> field = make<S>(hills(14, 9));
    Random random(3);
    for (int i = 0; i < 500; ++i) {
        const Vec3<S> p{static_cast<S>(random.uniform(-3, 3)),
                        static_cast<S>(random.uniform(-2, 2)),
                        static_cast<S>(random.uniform(-1, 1))};
        S expected = Aabb<S>::kInfinity;
        for (std::uint32_t t = 0; t < triangle_count(field); ++t) {
            expected =
                std::min(expected, length(p - closest_point(triangle_at(field, t), p).point));
        }
        const SurfacePoint<S> found = closest_point(field, p);
        EXPECT_NEAR(std::abs(found.distance), expected, round_off(S(3)));
        const bool over = std::abs(p.x) <= S(2) && std::abs(p.y) <= S(1.5);
        EXPECT_EQ(found.distance < S(0), over && p.z < height_at(field, p.x, p.y));
        EXPECT_LE(length(found.point + found.normal * found.distance - p), S(4) * round_off(S(3)));
    }
}

TYPED_TEST(HeightFieldTest, RaysAgreeWithBruteForce) {
    using S = TypeParam;
    const HeightField<S> field = make<S>(hills(14, 9));
    Random random(4);
    int hits = 0;
    for (int i = 0; i < 2000; ++i) {
        Ray<S> ray{random.vec<S>(-2, 2), random.vec<S>(), i % 2 ? S(1.5) : Aabb<S>::kInfinity};
        ray.origin.y *= S(0.75);
        if (i % 3 == 0) ray.direction.z *= S(0.1); // grazing
        if (i % 7 == 0) ray.direction = {0, 0, -1};
        const auto hit = cast_ray(field, ray);
        if (closest_point(field, ray.origin).distance < S(0)) {
            ASSERT_TRUE(hit);
            EXPECT_TRUE(hit->inside && hit->t == S(0));
            continue;
        }
        std::optional<S> expected;
        const RayShear<S> shear(ray);
        for (std::uint32_t t = 0; t < triangle_count(field); ++t) {
            const auto one = cast_ray(triangle_at(field, t), shear);
            if (one && !one->from_behind && (!expected || one->t < *expected)) expected = one->t;
        }
        ASSERT_EQ(hit.has_value(), expected.has_value());
        if (!hit) continue;
        ++hits;
        EXPECT_EQ(hit->t, *expected);
        EXPECT_GT(hit->normal.z, S(0));
    }
    EXPECT_GT(hits, 200);
}

// Straight down on every sample, on the middle of every edge, and along the rim.
TYPED_TEST(HeightFieldTest, IsWatertight) {
    using S = TypeParam;
    const HeightField<S> field = make<S>(hills(9, 7));
    for (int i = 0; i <= 16; ++i) {
        for (int j = 0; j <= 12; ++j) {
            const Vec3<S> above{S(-2) + S(0.25) * static_cast<S>(i),
                                S(-1.5) + S(0.25) * static_cast<S>(j), 5};
            const auto hit = cast_ray(field, {above, {0, 0, -2}});
            ASSERT_TRUE(hit) << above;
            EXPECT_NEAR(above.z - S(2) * hit->t, height_at(field, above.x, above.y),
                        round_off(S(5)));
        }
    }
}

TYPED_TEST(HeightFieldTest, SupportAndBoundsAreOfTheSamples) {
    using S = TypeParam;
    const HeightField<S> field = make<S>(hills(5, 6));
    Random random(5);
    for (int i = 0; i < 20; ++i) {
        const Pose<S> pose = random.pose<S>();
        const Aabb<S> box = bounds(field, pose);
        for (int axis = 0; axis < 3; ++axis) {
            Vec3<S> d;
            d[axis] = 1;
            const Vec3<S> farthest = support(field, inverse_rotate(pose.q, d));
            EXPECT_NEAR(box.hi[axis], transform(pose, farthest)[axis], round_off(S(4)));
        }
    }
    EXPECT_GE(bounding_radius(field, {}), S(2.5));
    EXPECT_LE(bounding_radius(field, {}), std::sqrt(S(2.5 * 2.5 + 0.25)) + round_off(S(3)));
}

TYPED_TEST(HeightFieldTest, VisitsExactlyTheTrianglesInABox) {
    using S = TypeParam;
    const HeightField<S> field = make<S>(hills(17, 10));
    Random random(6);
    for (int i = 0; i < 100; ++i) {
        const Vec3<S> center = random.vec<S>(-2, 2);
        const Aabb<S> box = expand(Aabb<S>{center, center}, static_cast<S>(random.uniform(0, 1)));
        std::vector<std::uint32_t> found, expected;
        visit_triangles(field, box,
                        [&](std::uint32_t t, const Triangle<S>&) { found.push_back(t); });
        for (std::uint32_t t = 0; t < triangle_count(field); ++t) {
            if (overlap(bounds(triangle_at(field, t)), box)) expected.push_back(t);
        }
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, expected);
    }
}

TEST(HeightFieldErrors, NameTheRuleAndTheValue) {
    const auto error = [](const HeightFieldDef& def) {
        return make_height_field(def).error().message;
    };
    EXPECT_EQ(error({1, 1, 1, 5, {0, 0, 0, 0, 0}}),
              "a height field needs at least 2 x 2 samples, got 1 x 5");
    EXPECT_EQ(error({1, 1, 2, 2, {0, 0, 0}}), "2 x 2 samples are 4 heights, got 3");
    EXPECT_EQ(error({1, -1, 2, 2, {0, 0, 0, 0}}), "size must be positive and finite, got 1 x -1");
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(error({1, 1, 2, 2, {0, 0, inf, 0}}), "heights must be finite, got inf at sample 2");
    EXPECT_EQ(error({1, 1, 100000, 100000, {}}),
              "a height field may have at most 2^30 samples, got 10000000000");
}

} // namespace
} // namespace rigor::test
