// Queries equal brute force over all shapes, whatever happened to the world before.

#include "query_world.h"

namespace rigor {
namespace {

using test::Oracle;
using test::QueryWorld;

void expect_rays_match(QueryWorld& w, int count, const QueryFilter& filter = {}) {
    for (int i = 0; i < count; ++i) {
        const RayQuery ray = w.ray();
        const auto expected = w.oracle.ray(w.world, ray, filter);
        const auto hit = w.world.cast_ray(ray, filter);
        ASSERT_EQ(hit.has_value(), !expected.empty()) << i;
        ASSERT_EQ(w.world.cast_ray_any(ray, filter), !expected.empty()) << i;
        if (hit) {
            ASSERT_EQ((Oracle::Answer{hit->distance, *hit}), expected.front()) << i;
        }
        const auto all = w.world.cast_ray_all(ray, filter);
        ASSERT_EQ(all.size(), expected.size()) << i;
        for (std::size_t k = 0; k < all.size(); ++k) {
            ASSERT_EQ((Oracle::Answer{all[k].distance, all[k]}), expected[k]) << i << ", " << k;
        }
    }
}

void expect_points_match(QueryWorld& w, int count, const QueryFilter& filter = {}) {
    for (int i = 0; i < count; ++i) {
        const Vec3d point = w.place();
        const double reach = i % 3 == 0 ? Aabb<double>::kInfinity : w.random.uniform(0, 2);
        const auto expected = w.oracle.near(w.world, point, reach, filter);
        const auto hit = w.world.closest_point(point, reach, filter);
        ASSERT_EQ(hit.has_value(), !expected.empty()) << i;
        if (hit) {
            ASSERT_EQ((Oracle::Answer{hit->distance, *hit}), expected.front()) << i;
        }
        std::vector<ShapeHit> holding;
        for (const auto& answer : expected) {
            if (answer.distance <= 0) holding.push_back(answer.hit);
        }
        std::sort(holding.begin(), holding.end());
        ASSERT_EQ(w.world.overlap_point(point, filter), holding) << i;
    }
}

void expect_overlaps_match(QueryWorld& w, int count, const QueryFilter& filter = {}) {
    for (int i = 0; i < count; ++i) {
        const ShapeDef shape = test::moving_shape(i % test::kMovingKinds, w.random);
        const Posed pose{w.place(), w.random.rotation()};
        const auto hits = w.world.overlap_shape(shape, pose, filter).value();
        ASSERT_EQ(hits, w.oracle.touching(w.world, shape, pose, filter)) << i;
    }
}

void expect_all_match(QueryWorld& w, const char* when) {
    SCOPED_TRACE(when);
    expect_rays_match(w, 150);
    expect_points_match(w, 60);
    expect_overlaps_match(w, 30);
}

TEST(Query, RaysMeetWhatEveryShapeAskedMeets) {
    QueryWorld w(1);
    expect_rays_match(w, 3000);
}

TEST(Query, PointsAreNearestToWhatEveryShapeAskedIs) {
    QueryWorld w(2);
    expect_points_match(w, 1000);
}

TEST(Query, ShapesOverlapWhatEveryShapeAskedOverlaps) {
    QueryWorld w(3);
    expect_overlaps_match(w, 300);
}

// The search tree is brought up to date lazily; nobody must see that.
TEST(Query, EveryChangeOfTheWorldIsSeenByTheNextQuery) {
    QueryWorld w(4);
    const auto pick = [&] {
        return static_cast<std::size_t>(w.random.integer(0, static_cast<int>(w.bodies.size()) - 1));
    };
    expect_all_match(w, "at first");
    for (int round = 0; round < 4; ++round) {
        w.world.step(0.05);
        w.world.step(0.05);
        expect_all_match(w, "after steps");
        for (int i = 0; i < 10; ++i) w.add(i + round);
        expect_all_match(w, "after adding");
        for (int i = 0; i < 8; ++i) {
            const std::size_t k = pick();
            w.oracle.remove(w.world, w.bodies[k]);
            w.bodies.erase(w.bodies.begin() + static_cast<std::ptrdiff_t>(k));
        }
        w.add(round); // takes a slot just freed
        expect_all_match(w, "after removing");
        for (int i = 0; i < 5; ++i) {
            w.world.set_pose(w.bodies[pick()], {w.place(), w.random.rotation()});
        }
        expect_all_match(w, "after set_pose");
    }
    const Snapshot snapshot = w.world.snapshot();
    const Oracle oracle = w.oracle;
    for (int i = 0; i < 5; ++i) w.oracle.remove(w.world, w.bodies.back()), w.bodies.pop_back();
    w.add(2);
    w.world.step(0.5);
    expect_all_match(w, "after more");
    w.world.restore(snapshot);
    w.oracle = oracle;
    expect_all_match(w, "after restore");
    w.world.step(0.05);
    expect_all_match(w, "after a step from there");
}

// Whether anyone asks makes no difference to where the world goes.
TEST(Query, AskingChangesNothing) {
    QueryWorld asked(5), left_alone(5);
    for (int i = 0; i < 5; ++i) {
        expect_rays_match(asked, 20);
        asked.world.step(0.01);
        left_alone.world.step(0.01);
        EXPECT_EQ(asked.world.state_hash(), left_alone.world.state_hash());
    }
}

// At 1,000 km a float has steps of 6 cm, a double of 1e-10 m: boxes get coarse, answers do not.
TEST(Query, FarFromTheOriginNothingIsLost) {
    const Vec3d far{1e6, -2e6, 1.5e6};
    QueryWorld w(6, 120, far);
    expect_rays_match(w, 500);
    expect_points_match(w, 200);
    w.world.step(0.1);
    expect_rays_match(w, 500);
    expect_overlaps_match(w, 100);
}

// Beyond 1e17 m boxes end (kFarthest) and bodies do not.
TEST(Query, BodiesBeyondAllBoxesAreFound) {
    World world({.method = Method::free});
    BodyDef def;
    def.shapes = {{SphereDef{1e10}}};
    def.type = BodyType::static_body;
    def.position = {1e18, 0.5e18, 0};
    const BodyId id = world.add_body(def).value();
    const auto hit = world.cast_ray({{}, {2, 1, 0}});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->body, id);
    EXPECT_NEAR(hit->distance, std::sqrt(1.25) * 1e18, 2e10);
    EXPECT_FALSE(world.cast_ray({{}, {1, 1, 0}}));
    EXPECT_EQ(world.closest_point({1e18, 0, 0}, 1e18)->body, id);
    EXPECT_EQ(world.overlap_point(def.position).size(), 1u);
}

TEST(Query, FiltersDecideWhomAQueryConcerns) {
    QueryWorld w(7);
    for (int i = 0; i < 20; ++i) {
        QueryFilter filter;
        filter.group = static_cast<std::uint32_t>(w.random.integer(0, 3));
        filter.mask = static_cast<std::uint32_t>(w.random.integer(0, 15));
        filter.include_sensors = i % 2 == 0;
        filter.ignored = w.bodies[static_cast<std::size_t>(i)];
        if (i % 3 == 0) {
            filter.accept = [](BodyId body, ShapeId) { return body.index % 2 == 0; };
        }
        expect_rays_match(w, 60, filter);
        expect_points_match(w, 20, filter);
        expect_overlaps_match(w, 10, filter);
    }
}

TEST(Query, SensorsArePassedThroughUnlessAskedFor) {
    World world({.method = Method::free});
    BodyDef def;
    def.type = BodyType::static_body;
    def.shapes = {{BoxDef{}}, {SphereDef{2}}};
    def.shapes[1].sensor = true;
    const BodyId id = world.add_body(def).value();
    const RayQuery ray{{5, 0, 0}, {-1, 0, 0}};
    EXPECT_NEAR(world.cast_ray(ray)->distance, 4.5, 1e-15);
    QueryFilter with_sensors;
    with_sensors.include_sensors = true;
    const auto hit = world.cast_ray(ray, with_sensors);
    EXPECT_NEAR(hit->distance, 3, 1e-15);
    EXPECT_EQ(hit->shape, world.shapes(id)[1]);
    EXPECT_EQ(world.cast_ray_all(ray, with_sensors).size(), 2u);
    EXPECT_TRUE(world.overlap_point({0, 0, 1.5}).empty());
    EXPECT_EQ(world.overlap_point({0, 0, 1.5}, with_sensors).size(), 1u);
}

TEST(Query, ARayHitsTheSurfaceWhereItEnters) {
    QueryWorld w(8);
    for (int i = 0; i < 2000; ++i) {
        const RayQuery ray = w.ray();
        const auto hit = w.world.cast_ray(ray);
        if (!hit) continue;
        const Vec3d direction = normalize(ray.direction);
        ASSERT_LT(length(hit->point - (ray.origin + hit->distance * direction)), 1e-13);
        ASSERT_NEAR(length(hit->normal), 1, 1e-12);
        ASSERT_LE(dot(hit->normal, direction), 1e-9);
        if (hit->inside) {
            ASSERT_EQ(hit->distance, 0);
            ASSERT_LT(length(hit->normal + direction), 1e-12);
            continue;
        }
        const Oracle::Member& m = w.oracle.find(*hit);
        const Posed pose = w.world.pose(hit->body) * m.local;
        const auto near = closest_point(m.geometry, inverse_transform(pose, hit->point));
        ASSERT_NEAR(near.distance, 0, 1e-12) << name(m.geometry);
    }
}

// A unit box at the origin: every number can be read off.
TEST(Query, RaysOfAllLengthsAgainstOneBox) {
    World world({.method = Method::free});
    BodyDef def;
    def.shapes = {{BoxDef{}}};
    const BodyId id = world.add_body(def).value();
    const auto hit = world.cast_ray({{3, 0.2, 0.1}, {-7, 0, 0}});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->body, id);
    EXPECT_EQ(hit->distance, 2.5);
    EXPECT_EQ(hit->point, (Vec3d{0.5, 0.2, 0.1}));
    EXPECT_EQ(hit->normal, (Vec3d{1, 0, 0}));
    EXPECT_FALSE(hit->inside);

    EXPECT_TRUE(world.cast_ray({{3, 0, 0}, {-1, 0, 0}, 2.5})) << "just long enough";
    EXPECT_FALSE(world.cast_ray({{3, 0, 0}, {-1, 0, 0}, 2.4999}));
    EXPECT_FALSE(world.cast_ray({{3, 0, 0}, {1, 0, 0}})) << "away from it";

    const auto inside = world.cast_ray({{0.1, 0, 0}, {0, 0, 2}, 0});
    ASSERT_TRUE(inside) << "without length, but inside";
    EXPECT_TRUE(inside->inside);
    EXPECT_EQ(inside->distance, 0);
    EXPECT_EQ(inside->normal, (Vec3d{0, 0, -1}));
    EXPECT_FALSE(world.cast_ray({{3, 0, 0}, {1, 0, 0}, 0})) << "without length, outside";
}

// Two equal boxes in one place, and a third: whoever has the smaller id is hit.
TEST(Query, TiesAreDecidedById) {
    for (const bool is_static : {false, true}) {
        World world({.method = Method::free});
        BodyDef def;
        def.shapes = {{BoxDef{}}, {BoxDef{}}};
        std::vector<BodyId> ids;
        for (int i = 0; i < 3; ++i) {
            // The two trees are asked one after the other: the order must not show either.
            def.type = is_static == (i == 0) ? BodyType::static_body : BodyType::dynamic_body;
            ids.push_back(world.add_body(def).value());
        }
        const RayQuery ray{{3, 0, 0}, {-1, 0, 0}};
        EXPECT_EQ(world.cast_ray(ray)->body, ids[0]);
        EXPECT_EQ(world.closest_point({2, 0, 0}, 5)->body, ids[0]);
        const auto all = world.cast_ray_all(ray);
        ASSERT_EQ(all.size(), 6u);
        for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(all[i].body, ids[i / 2]);
        EXPECT_LT(all[0].shape, all[1].shape);
        world.remove_body(ids[0]);
        EXPECT_EQ(world.cast_ray(ray)->body, ids[1]);
    }
}

// The children of a compound are shapes of their own, in the order of the definition.
TEST(Query, AHitNamesTheChildOfACompound) {
    World world({.method = Method::free});
    ShapeDef left{BoxDef{}}, right{SphereDef{0.5}};
    left.position = {-1, 0, 0};
    right.position = {1, 0, 0};
    BodyDef def;
    def.shapes = {{CapsuleDef{0.1, 0.1}}, {CompoundDef{{left, right}}}};
    const BodyId id = world.add_body(def).value();
    const std::vector<ShapeId> shapes = world.shapes(id);
    ASSERT_EQ(shapes.size(), 3u);
    EXPECT_EQ(world.cast_ray({{-1, 0, 5}, {0, 0, -1}})->shape, shapes[1]);
    EXPECT_EQ(world.cast_ray({{1, 0, 5}, {0, 0, -1}})->shape, shapes[2]);
    EXPECT_EQ(world.cast_ray({{0, 0, 5}, {0, 0, -1}})->shape, shapes[0]);
}

TEST(Query, AHitNamesTheTriangleOfAMesh) {
    World world({.method = Method::free});
    BodyDef def;
    def.type = BodyType::static_body;
    def.shapes = {{MeshDef{test::sheet_soup()}}};
    world.add_body(def).value();
    EXPECT_EQ(world.cast_ray({{0.5, -0.5, 3}, {0, 0, -1}})->feature, 0u);
    EXPECT_EQ(world.cast_ray({{-0.5, 0.5, 3}, {0, 0, -1}})->feature, 1u);
    EXPECT_EQ(world.cast_ray({{-0.5, 0.5, -3}, {0, 0, 1}})->feature, 1u) << "from below too";
}

// The ground of a height field has no end below, and a plane none anywhere.
TEST(Query, EndlessShapesAreFoundDeepInside) {
    World world({.method = Method::free});
    BodyDef def;
    def.type = BodyType::static_body;
    def.shapes = {{HeightFieldDef{2, 2, 2, 2, {0, 0, 0, 0}}}};
    const BodyId field = world.add_body(def).value();
    def.shapes = {{PlaneDef{{1, 0, 0}, -1000}}};
    const BodyId plane = world.add_body(def).value();
    EXPECT_EQ(world.overlap_point({0.5, 0, -300}).at(0).body, field);
    EXPECT_TRUE(world.overlap_point({0.5, 0, 1}).empty());
    EXPECT_EQ(world.overlap_point({-1e30, 4, 7}).at(0).body, plane);
    EXPECT_EQ(world.overlap_box({-0.1, -0.1, -50}, {0.1, 0.1, -40}).at(0).body, field);
    EXPECT_EQ(world.cast_ray({{0, 50, 0}, {-1, 0, 1e-3}})->body, plane);
}

TEST(Query, OverlapBoxAsksTheTightBoxesOfShapes) {
    QueryWorld w(9);
    w.world.step(0.02);
    for (int i = 0; i < 200; ++i) {
        const Vec3d a = w.place(), b = a + w.random.vec(0, 3);
        std::vector<ShapeHit> expected;
        w.oracle.for_each(w.world, {}, [&](const Oracle::Member& m, const Posed& pose) {
            if (std::string(name(m.geometry)) == "height_field") return; // see the test above
            if (overlap(bounds(m.geometry, pose), Aabb<double>{a, b})) expected.push_back(m.hit);
        });
        std::sort(expected.begin(), expected.end());
        auto hits = w.world.overlap_box(a, b);
        std::erase_if(hits, [&](const ShapeHit& hit) {
            return std::string(name(w.oracle.find(hit).geometry)) == "height_field";
        });
        ASSERT_EQ(hits, expected) << i;
    }
    const double infinity = Aabb<double>::kInfinity;
    QueryFilter all;
    all.include_sensors = true;
    EXPECT_EQ(
        w.world.overlap_box({-infinity, -infinity, -infinity}, {infinity, infinity, infinity}, all)
            .size(),
        w.oracle.size());
}

TEST(Query, TheClosestPointIsOnTheSurfaceAndAsFarAsItSays) {
    QueryWorld w(10);
    for (int i = 0; i < 500; ++i) {
        const Vec3d point = w.place();
        const auto hit = w.world.closest_point(point, 100);
        ASSERT_TRUE(hit);
        ASSERT_NEAR(length(hit->point - point), std::abs(hit->distance), 1e-12);
        ASSERT_NEAR(length(hit->normal), 1, 1e-12);
    }
}

TEST(Query, AnEmptyWorldHasNoAnswers) {
    const World world({.method = Method::free});
    EXPECT_FALSE(world.cast_ray({{}, {1, 0, 0}}));
    EXPECT_FALSE(world.cast_ray_any({{}, {1, 0, 0}}));
    EXPECT_TRUE(world.cast_ray_all({{}, {1, 0, 0}}).empty());
    EXPECT_TRUE(world.overlap_point({}).empty());
    EXPECT_TRUE(world.overlap_shape({SphereDef{}}, {}).value().empty());
    EXPECT_FALSE(world.closest_point({}, Aabb<double>::kInfinity));
    EXPECT_NO_THROW(world.cast_rays({}, {}));
}

TEST(Query, MistakesOfTheCallerAreTold) {
    const World world({.method = Method::free});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(world.cast_ray({{nan, 0, 0}, {1, 0, 0}}), UsageError);
    EXPECT_THROW(world.cast_ray({{}, {}}), UsageError);
    EXPECT_THROW(world.cast_ray_any({{}, {0, nan, 0}}), UsageError);
    EXPECT_THROW(world.cast_ray_all({{}, {1, 0, 0}, -1}), UsageError);
    EXPECT_THROW(world.cast_ray({{}, {1, 0, 0}, nan}), UsageError);
    EXPECT_THROW(world.overlap_point({nan, 0, 0}), UsageError);
    EXPECT_THROW(world.overlap_box({1, 0, 0}, {0, 1, 1}), UsageError);
    EXPECT_THROW(world.overlap_box({nan, 0, 0}, {0, 1, 1}), UsageError);
    EXPECT_THROW(world.closest_point({}, -1), UsageError);
    EXPECT_THROW((void)world.overlap_shape({SphereDef{}}, {{}, {2, 0, 0, 0}}), UsageError);
    const std::vector<RayQuery> rays(2, {{}, {1, 0, 0}});
    std::vector<std::optional<RayCastHit>> hits(1);
    EXPECT_THROW(world.cast_rays(rays, hits), UsageError);
    try {
        world.cast_ray({{}, {1, 0, 0}, -2});
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "max_distance must not be negative, got -2");
    }
}

TEST(Query, AShapeThatIsNoSolidIsAnErrorInTheData) {
    const World world({.method = Method::free});
    const auto hits = world.overlap_shape({SphereDef{-1}}, {});
    ASSERT_FALSE(hits);
    EXPECT_EQ(hits.error().where, "radius");
}

} // namespace
} // namespace rigor
