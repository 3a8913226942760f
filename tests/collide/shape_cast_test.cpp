// Shape casts: a ball's is a ray against the grown target, and any is proved by a plane.

#include "collide/shape_cast.h"

#include "collide/certificate.h"
#include "collide/impact_support.h"
#include "geometry/mesh_samples.h"

namespace rigor::test {
namespace {

template <class S>
struct Cast : testing::Test {
    static constexpr S kTolerance = std::is_same_v<S, double> ? S(1e-10) : S(2e-4);
    static constexpr S kInfinity = std::numeric_limits<S>::infinity();
};
TYPED_TEST_SUITE(Cast, Scalars);

// A ball of radius r meets a solid where its center meets the solid grown by r, which here is a
// solid of the same kind.
TYPED_TEST(Cast, OfABallIsARayAgainstTheGrownSolid) {
    using S = TypeParam;
    Random random(11);
    const double r = 0.2;
    const Shape<S> ball = shape_of<S>(SphereDef{r});
    const std::pair<Shape<S>, Shape<S>> targets[] = {
        {shape_of<S>(SphereDef{0.7}), shape_of<S>(SphereDef{0.7 + r})},
        {shape_of<S>(BoxDef{{1, 2, 3}}), shape_of<S>(BoxDef{{1 + 2 * r, 2 + 2 * r, 3 + 2 * r}}, r)},
        {shape_of<S>(CapsuleDef{0.3, 1}), shape_of<S>(CapsuleDef{0.3 + r, 1})},
        {shape_of<S>(PlaneDef{{0, 0, 1}, -1}), shape_of<S>(PlaneDef{{0, 0, 1}, -1 + r})}};
    int hits = 0;
    for (const auto& [target, grown] : targets) {
        for (int i = 0; i < 200; ++i) {
            Vec3<S> from = random.direction<S>() * S(3);
            from.z = std::abs(from.z) + S(2);
            const Vec3<S> way = from * S(-1.5) + random.vec<S>(-2, 2);
            const auto hit = shape_cast(ball, target, Pose<S>{from, {}}, way, S(1));
            const auto ray = cast_ray(grown, Ray<S>{from, way, S(1)});
            ASSERT_EQ(hit.has_value(), ray.has_value()) << i;
            if (!hit) continue;
            ++hits;
            // A ray that grazes knows its time by a square root only.
            const S steep = std::abs(dot(ray->normal, normalize(way)));
            EXPECT_NEAR(hit->t, ray->t, S(0.1) * this->kTolerance / (steep * steep));
            EXPECT_LE(length(hit->normal - ray->normal), this->kTolerance / (steep * steep));
            EXPECT_LE(length(hit->point - (from + way * ray->t - ray->normal * S(r))),
                      this->kTolerance / steep);
            EXPECT_FALSE(hit->initial_overlap);
        }
    }
    EXPECT_GT(hits, 300);
}

// A plane across the normal has the two on its sides at the time of the hit, and leaves nothing
// but rounding between them: so they touch, and have not passed.
TYPED_TEST(Cast, EndsAtAPlaneBetweenBoth) {
    using S = TypeParam;
    Random random(12);
    const std::vector<Specimen<S>> samples = convex_samples<S>();
    int hits = 0;
    for (const Specimen<S>& target : samples) {
        for (const Specimen<S>& body : samples) {
            SCOPED_TRACE(message(body.name, " against ", target.name));
            Pose<S> pose{random.direction<S>() * S(4), random.rotation<S>()};
            const Vec3<S> way = pose.p * S(-1.2) + random.vec<S>(-1, 1);
            const auto hit = shape_cast(body.shape, target.shape, pose, way, S(1));
            const Pose<S> start = pose;
            pose.p += way * (hit ? hit->t : S(1));
            for (int i = 0; i < 10; ++i) {
                const Pose<S> now{start.p + (pose.p - start.p) * (S(i) / S(10)), pose.q};
                EXPECT_GT(distance(target.shape, body.shape, now).distance, S(0));
            }
            if (!hit) continue;
            ++hits;
            const S room = room_along(target.shape, body.shape, pose, hit->normal);
            EXPECT_GT(room, S(-100) * std::numeric_limits<S>::epsilon());
            EXPECT_LE(distance(target.shape, body.shape, pose).distance, this->kTolerance);
            EXPECT_LE(off_surface(target.shape, hit->point), this->kTolerance);
            EXPECT_LE(off_surface(body.shape, inverse_transform(pose, hit->point)),
                      S(3) * this->kTolerance);
        }
    }
    EXPECT_GT(hits, 150);
}

// The faces of a box, be it a box, a hull, a closed mesh or one child of many.
TYPED_TEST(Cast, KnowsABoxInAnyGuise) {
    using S = TypeParam;
    Random random(13);
    std::vector<Vec3d> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 0.5 : -0.5, i & 4 ? 2.0 : -2.0});
    CompoundDef many;
    many.shapes.push_back(define(BoxDef{{2, 1, 4}}));
    many.shapes.push_back(define(SphereDef{0.1}));
    const Shape<S> guises[] = {
        shape_of<S>(HullDef{corners}),
        shape_of<S>(MeshDef{std::make_shared<const TriangleSoup>(box_mesh({2, 1, 4}))}),
        shape_of<S>(many)};
    const Shape<S> box = shape_of<S>(BoxDef{{2, 1, 4}}), cone = shape_of<S>(ConeDef{0.3, 0.8});
    for (int i = 0; i < 100; ++i) {
        const Pose<S> pose{random.direction<S>() * S(5), random.rotation<S>()};
        const Vec3<S> way = pose.p * S(-1.2) + random.vec<S>(-1, 1);
        const auto plain = shape_cast(cone, box, pose, way, this->kInfinity);
        for (const Shape<S>& guise : guises) {
            const auto hit = shape_cast(cone, guise, pose, way, this->kInfinity);
            ASSERT_EQ(hit.has_value(), plain.has_value()) << i;
            if (!hit) continue;
            EXPECT_NEAR(hit->t, plain->t, this->kTolerance);
        }
    }
}

TYPED_TEST(Cast, OutOfAnOverlapIsTold) {
    using S = TypeParam;
    const Shape<S> box = shape_of<S>(BoxDef{{1, 1, 1}});
    const Pose<S> inside{{S(0.9), S(0), S(0)}, {}};
    const auto hit = shape_cast(box, box, inside, Vec3<S>{S(1), S(0), S(0)}, S(1));
    ASSERT_TRUE(hit);
    EXPECT_TRUE(hit->initial_overlap);
    EXPECT_EQ(hit->t, S(0));
    EXPECT_NEAR(hit->normal.x, S(1), S(1e-6));
}

TYPED_TEST(Cast, EndsAtItsReach) {
    using S = TypeParam;
    const Shape<S> box = shape_of<S>(BoxDef{{1, 1, 1}});
    const Pose<S> above{{S(0.2), S(0.1), S(3)}, {}};
    const Vec3<S> down{S(0), S(0), S(-1)};
    const auto hit = shape_cast(box, box, above, down, S(10)); // the gap is 2
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->t, S(2), this->kTolerance);
    EXPECT_LE(hit->t, S(2));
    EXPECT_EQ(hit->normal.z, S(1));
    EXPECT_FALSE(shape_cast(box, box, above, down, S(1.999)));
    EXPECT_FALSE(shape_cast(box, box, above, -down, this->kInfinity));
    EXPECT_FALSE(shape_cast(box, box, above, Vec3<S>{}, S(1)));
    EXPECT_FALSE(shape_cast(box, box, above, Vec3<S>{S(1), S(0), S(0)}, this->kInfinity));
    // Not a number is no cast.
    const S nan = std::numeric_limits<S>::quiet_NaN();
    EXPECT_FALSE(shape_cast(box, box, above, Vec3<S>{nan, S(0), S(0)}, S(1)));
    EXPECT_FALSE(shape_cast(box, box, above, down, nan));
}

TYPED_TEST(Cast, NamesThePartsThatMeet) {
    using S = TypeParam;
    CompoundDef two;
    for (const double x : {-1.0, 1.0}) {
        ShapeDef child = define(SphereDef{0.3});
        child.position = {x, 0, x};
        two.shapes.push_back(child);
    }
    const Shape<S> pair = shape_of<S>(two);
    const Shape<S> floor = shape_of<S>(
        MeshDef{std::make_shared<const TriangleSoup>(box_mesh({8, 8, 1}, {0, 0, -0.5}))});
    const auto hit = shape_cast(pair, floor, Pose<S>{{S(0.1), S(0.3), S(4)}, {}},
                                Vec3<S>{S(0), S(0), S(-1)}, S(10));
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->t, S(2.7), this->kTolerance); // the lower ball, its center at 3
    EXPECT_EQ(hit->part_a.child, 0u);
    EXPECT_LE(length(hit->point - Vec3<S>{S(-0.9), S(0.3), S(0)}), this->kTolerance);
}

} // namespace
} // namespace rigor::test
