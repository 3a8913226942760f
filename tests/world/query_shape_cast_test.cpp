// Shape casts of a world equal brute force over all shapes.

#include "collide/shape_cast.h"

#include "query_world.h"

namespace rigor {
namespace {

using test::Oracle;
using test::QueryWorld;

std::optional<Oracle::Answer> first_met(const QueryWorld& w, const ShapeDef& def, const Posed& at,
                                        const Vec3d& displacement, const QueryFilter& filter) {
    const Shape<double> shape = make_shape(def).value();
    const Posed placed = test::placed(def, at);
    std::optional<Oracle::Answer> first;
    w.oracle.for_each(w.world, filter, [&](const Oracle::Member& m, const Posed& pose) {
        const auto hit = shape_cast(shape, m.geometry, relative_pose<double>(pose, placed),
                                    inverse_rotate(pose.q, displacement), 1.0);
        if (hit && (!first || Oracle::Answer{hit->t, m.hit} < *first)) first = {hit->t, m.hit};
    });
    return first;
}

void expect_casts_match(QueryWorld& w, int count, const QueryFilter& filter = {}) {
    for (int i = 0; i < count; ++i) {
        const ShapeDef shape = test::moving_shape(i % test::kMovingKinds, w.random);
        const Posed pose{w.place(), w.random.rotation()};
        const Vec3d displacement = i % 10 == 0 ? Vec3d{} : w.random.vec(-6, 6);
        const auto expected = first_met(w, shape, pose, displacement, filter);
        const auto hit = w.world.cast_shape(shape, pose, displacement, filter).value();
        ASSERT_EQ(hit.has_value(), expected.has_value()) << i;
        if (hit) {
            ASSERT_EQ((Oracle::Answer{hit->fraction, *hit}), *expected) << i;
        }
    }
}

TEST(QueryShapeCast, ShapesMeetWhatEveryShapeAskedMeets) {
    QueryWorld w(21, 80);
    expect_casts_match(w, 800);
    w.world.step(0.1);
    QueryFilter filter;
    filter.mask = 3;
    filter.include_sensors = true;
    expect_casts_match(w, 400, filter);
}

TEST(QueryShapeCast, FarFromTheOriginNothingIsLost) {
    QueryWorld w(22, 80, {1e6, 1e6, -1e6});
    expect_casts_match(w, 100);
}

// Brought to where it hits, the shape touches what it hits and overlaps nothing.
TEST(QueryShapeCast, AShapeStopsWhereItTouches) {
    QueryWorld w(23, 80);
    int checked = 0;
    for (int i = 0; i < 200; ++i) {
        const ShapeDef def = test::moving_shape(i % test::kMovingKinds, w.random);
        const Posed pose{w.place(), w.random.rotation()};
        const Vec3d displacement = w.random.vec(-6, 6);
        const auto hit = w.world.cast_shape(def, pose, displacement).value();
        if (!hit || hit->initial_overlap) continue;
        ++checked;
        const Shape<double> shape = make_shape(def).value();
        // A hair before: exactly touching, a mesh may count as touching or as overlapping.
        const double before = hit->fraction - 1e-9 / length(displacement);
        const Posed there = test::placed(def, {pose.p + before * displacement, pose.q});
        w.oracle.for_each(w.world, {}, [&](const Oracle::Member& m, const Posed& at) {
            const auto d = distance(m.geometry, shape, relative_pose<double>(at, there));
            ASSERT_GT(d.distance, 0) << name(shape) << " through " << name(m.geometry);
            if (m.hit != *hit) return;
            ASSERT_LT(d.distance, 1e-6) << name(m.geometry);
            const auto near = closest_point(m.geometry, inverse_transform(at, hit->point));
            ASSERT_NEAR(near.distance, 0, 1e-6) << name(m.geometry);
        });
        ASSERT_NEAR(length(hit->normal), 1, 1e-12);
        ASSERT_LE(dot(hit->normal, displacement), 1e-6);
    }
    EXPECT_GT(checked, 50);
}

// A ball of radius 0.5 flies 10 m toward a wall whose face is 4 m away: it stops after 3.5 m.
TEST(QueryShapeCast, ABallStopsItsRadiusBeforeAWall) {
    World world({.method = Method::free});
    BodyDef def;
    def.type = BodyType::static_body;
    def.position = {4.5, 0, 0};
    def.shapes = {{BoxDef{{1, 10, 10}}}};
    const BodyId wall = world.add_body(def).value();
    const ShapeDef ball{SphereDef{0.5}};
    const auto hit = world.cast_shape(ball, {}, {10, 0, 0}).value();
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->body, wall);
    EXPECT_NEAR(hit->fraction, 0.35, 1e-12);
    EXPECT_LT(length(hit->point - Vec3d{4, 0, 0}), 1e-6);
    EXPECT_LT(length(hit->normal - Vec3d{-1, 0, 0}), 1e-6);
    EXPECT_FALSE(world.cast_shape(ball, {}, {3.4, 0, 0}).value());
    EXPECT_FALSE(world.cast_shape(ball, {}, {-10, 0, 0}).value());
    EXPECT_FALSE(world.cast_shape(ball, {}, {}).value());
    EXPECT_TRUE(world.cast_shape(ball, {{4, 0, 0}, {}}, {}).value()->initial_overlap);
}

TEST(QueryShapeCast, MistakesAreTold) {
    const World world({.method = Method::free});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW((void)world.cast_shape({SphereDef{}}, {}, {nan, 0, 0}), UsageError);
    EXPECT_THROW((void)world.cast_shape({SphereDef{}}, {{nan, 0, 0}, {}}, {1, 0, 0}), UsageError);
    EXPECT_EQ(world.cast_shape({BoxDef{{1, -1, 1}}}, {}, {1, 0, 0}).error().where, "size");
    EXPECT_FALSE(world.cast_shape({SphereDef{}}, {}, {1, 0, 0}).value());
}

} // namespace
} // namespace rigor
