// Distances of planes, meshes, height fields and compounds: by descent, against equal solids of
// another type, and against brute force over all triangles.

#include "collide/brute_force.h"
#include "collide/convex_distance.h"
#include "collide/distance.h"
#include "geometry/mesh_samples.h"
#include "geometry/sample_shapes.h"

namespace rigor::test {
namespace {

template <class S>
struct SurfaceDistance : testing::Test {
    static constexpr S kTolerance = std::is_same_v<S, double> ? S(1e-9) : S(1e-4);

    static Shape<S> in_scalar(const Shape<double>& shape) {
        if constexpr (std::is_same_v<S, double>) {
            return shape;
        } else {
            return to_float(shape);
        }
    }
    static Shape<S> shape(ShapeGeometry geometry, double rounding = 0) {
        return in_scalar(make_shape(define(std::move(geometry), rounding)).value());
    }
    static Shape<S> mesh(TriangleSoup soup) {
        return shape(MeshDef{std::make_shared<const TriangleSoup>(std::move(soup))});
    }
};
TYPED_TEST_SUITE(SurfaceDistance, Scalars);

template <class S>
Pose<S> at(double x, double y, double z) {
    return {cast<S>(Vec3d{x, y, z}), {}};
}

/// A bumpy ground of 8 x 6 cells over 4 x 3 meters, at most 0.3 high.
HeightFieldDef bumps() {
    HeightFieldDef def{4, 3, 9, 7, {}};
    Random random(31);
    for (int i = 0; i < 9 * 7; ++i) def.heights.push_back(random.uniform(0, 0.3));
    return def;
}

TriangleSoup sheet() {
    return {{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
}

// The lowest point decides, be the solid round, rounded, sharp or a mesh.
TYPED_TEST(SurfaceDistance, OverAPlaneIsTheHeightOfTheLowestPoint) {
    using S = TypeParam;
    Random random(32);
    PlaneDef def;
    def.normal = normalize(Vec3d{0.2, -0.4, 1});
    def.offset = 0.3;
    const Shape<S> plane = this->shape(def);
    std::vector<Specimen<S>> solids = convex_samples<S>();
    solids.push_back({"mesh", this->mesh(pyramid_mesh())});
    solids.push_back({"ground", this->shape(bumps())});
    for (const Specimen<S>& s : solids) {
        const Pose<S> pose = random.pose<S>(2);
        SCOPED_TRACE(s.name);
        const Distance<S> d = distance(plane, s.shape, pose);
        const Vec3<S> n = cast<S>(def.normal);
        const Vec3<S> lowest = transform(pose, support(s.shape, inverse_rotate(pose.q, -n)));
        EXPECT_NEAR(d.distance, dot(n, lowest) - S(def.offset), S(100) * round_off(S(1)));
        const Distance<S> back = distance(s.shape, plane, inverse(pose));
        EXPECT_NEAR(back.distance, d.distance, S(100) * round_off(S(1)));
        EXPECT_LE(length(rotate(pose.q, back.normal) + d.normal), S(10) * round_off(S(1)));
        EXPECT_LE(length(transform(pose, back.point_b) - d.point_a), S(1000) * round_off(S(1)));
    }
}

TYPED_TEST(SurfaceDistance, OfHalfSpacesIsTheirGapOrWithoutEnd) {
    using S = TypeParam;
    const Shape<S> plane = this->shape(PlaneDef{{0, 0, 1}, 1});
    const Pose<S> facing{{S(0), S(0), S(5)}, {S(0), S(1), S(0), S(0)}}; // upside down
    EXPECT_EQ(distance(plane, plane, facing).distance, S(3));
    EXPECT_EQ(distance(plane, plane, at<S>(0, 0, 5)).distance, -std::numeric_limits<S>::infinity());
}

// A box given as a mesh is as far from everything as the box, and a solid too.
TYPED_TEST(SurfaceDistance, OfABoxAsAMeshIsThatOfTheBox) {
    using S = TypeParam;
    Random random(33);
    const Shape<S> box = this->shape(BoxDef{{2, 1, 1.5}});
    const Shape<S> mesh = this->mesh(box_mesh({2, 1, 1.5}));
    for (const Specimen<S>& s : convex_samples<S>()) {
        for (int i = 0; i < 12; ++i) {
            const Pose<S> pose = random.pose<S>(3);
            SCOPED_TRACE(message(s.name, " at ", pose.p, pose.q));
            const Distance<S> expected = distance(box, s.shape, pose);
            if (expected.distance < S(0)) continue;
            const Distance<S> d = distance(mesh, s.shape, pose);
            EXPECT_NEAR(d.distance, expected.distance, this->kTolerance);
            const Distance<S> back = distance(s.shape, mesh, inverse(pose));
            EXPECT_NEAR(back.distance, expected.distance, this->kTolerance);
            EXPECT_LT(back.part_b.triangle, 12U);
        }
    }
}

// Sinking through a face, the solid is pushed back out of that face all the way, also when it
// touches no triangle any more: its depth is that of its far side.
TYPED_TEST(SurfaceDistance, GrowsSteadilyAsABallSinksIntoASolidMesh) {
    using S = TypeParam;
    const Shape<S> ball = this->shape(SphereDef{0.25}), cube = this->shape(BoxDef{{0.5, 0.5, 0.5}});
    const Shape<S> mesh = this->mesh(box_mesh({4, 4, 4}));
    for (int i = -10; i <= 30; ++i) {
        const double height = 2.25 - 0.05 * i; // of the center; the face is at 2
        SCOPED_TRACE(message("height ", height));
        const Distance<S> d = distance(mesh, ball, at<S>(0.1, 0.2, height));
        EXPECT_NEAR(d.distance, S(height - 2.25), S(100) * round_off(S(4)));
        EXPECT_NEAR(d.normal.z, S(1), S(100) * round_off(S(1)));
        EXPECT_NEAR(distance(mesh, cube, at<S>(0.1, 0.2, height)).distance, S(height - 2.25),
                    S(100) * round_off(S(4)));
    }
}

// A solid that touches an edge or a corner of a closed mesh from outside overlaps none of the
// triangles beside it by more than it is sunk in, though the way out of one of them may lead into
// the other, and at a corner none of them alone may know the way.
TYPED_TEST(SurfaceDistance, DoesNotJumpAtTouch) {
    using S = TypeParam;
    Random random(37);
    const Vec3d size{1, 1.2, 0.8};
    const Shape<S> box = this->shape(BoxDef{size}), mesh = this->mesh(box_mesh(size));
    int asked = 0, jumps = 0;
    for (const Specimen<S>& s : convex_samples<S>()) {
        for (int i = 0; i < 100; ++i) {
            Pose<S> pose = random.pose<S>(2);
            if (i % 2 == 0) pose.q = {}; // face to face
            const Distance<S> d = distance(box, s.shape, pose);
            if (!(d.distance > S(0.01))) continue;
            for (const double gap : {1e-3, 1e-12, 0.0, -1e-12, -1e-7, -1e-3}) {
                Pose<S> moved = pose;
                moved.p += d.normal * (S(gap) - d.distance);
                const S sunk = S(std::abs(gap)) + S(100) * this->kTolerance;
                ++asked;
                jumps += std::abs(distance(mesh, s.shape, moved).distance) > S(2) * sunk;
            }
        }
    }
    EXPECT_EQ(jumps, 0) << "of " << asked;
}

// A cylinder standing on the border of a block: its sides know nothing of how it stands.
TYPED_TEST(SurfaceDistance, OfACylinderThatStandsAtAnEdgeIsItsHeight) {
    using S = TypeParam;
    const Shape<S> cylinder = this->shape(CylinderDef{0.47, 1});
    const Shape<S> mesh = this->mesh(box_mesh({2, 2, 2}));
    for (int i = 0; i <= 60; ++i) {
        for (const double gap : {1e-6, 0.0, -1e-12, -1e-6}) {
            const Pose<S> pose = at<S>(0.025 * i, 0.4, 1.5 + gap);
            SCOPED_TRACE(message("at ", 0.025 * i, ", gap ", gap));
            if (0.025 * i >= 1.46) continue; // beside the block
            EXPECT_NEAR(distance(mesh, cylinder, pose).distance, S(gap), S(100) * round_off(S(1)));
        }
    }
}

TYPED_TEST(SurfaceDistance, OfASheetIsPositiveOnBothSides) {
    using S = TypeParam;
    const Shape<S> ball = this->shape(SphereDef{0.25}), open = this->mesh(sheet());
    for (const double side : {-1.0, 1.0}) {
        const Distance<S> d = distance(open, ball, at<S>(0.3, 0.2, side));
        EXPECT_NEAR(d.distance, S(0.75), round_off(S(4)));
        EXPECT_NEAR(d.normal.z, S(side), round_off(S(4)));
        EXPECT_NEAR(distance(open, ball, at<S>(0.3, 0.2, 0.1 * side)).distance, S(-0.15),
                    round_off(S(4)));
    }
}

// The descent must find what a look at every triangle finds.
TYPED_TEST(SurfaceDistance, IsTheLeastOverAllTriangles) {
    using S = TypeParam;
    Random random(34);
    const Shape<S> ground = this->shape(bumps());
    const HeightField<S>& field = *std::get<std::shared_ptr<const HeightField<S>>>(ground.solid);
    const auto triangles = static_cast<std::uint32_t>(2 * 8 * 6);
    for (const Specimen<S>& s : convex_samples<S>()) {
        for (int i = 0; i < 6; ++i) {
            Pose<S> pose = random.pose<S>(3);
            pose.p.z = std::abs(pose.p.z) + S(1.8);
            SCOPED_TRACE(message(s.name, " at ", pose.p, pose.q));
            S least = std::numeric_limits<S>::infinity();
            visit_solid(s.shape, [&](const auto& solid) {
                if constexpr (RoundedConvex<std::decay_t<decltype(solid)>, S>) {
                    for (std::uint32_t t = 0; t < triangles; ++t) {
                        const auto d =
                            convex_distance(core_of(triangle_at(field, t)), core_of(solid), pose);
                        least = std::min(least, d.distance);
                    }
                }
            });
            DistanceCache<S> cache;
            for (int again = 0; again < 2; ++again) { // cold, then warm
                const Distance<S> d = distance(ground, s.shape, pose, &cache);
                EXPECT_NEAR(d.distance, least, this->kTolerance);
                EXPECT_NEAR(length(d.point_b - d.point_a), std::abs(d.distance), this->kTolerance);
            }
        }
    }
}

// Ground is solid below: a ball that has fallen through is as deep as it lies, not free again.
TYPED_TEST(SurfaceDistance, OfABallUnderTheGroundIsItsDepth) {
    using S = TypeParam;
    HeightFieldDef flat{4, 4, 5, 5, std::vector<double>(25, 1.0)};
    const Shape<S> ground = this->shape(flat), ball = this->shape(SphereDef{0.25});
    for (const double height : {2.0, 1.2, 1.0, 0.8, 0.0, -5.0}) {
        const Distance<S> d = distance(ground, ball, at<S>(0.3, 0.2, height));
        EXPECT_NEAR(d.distance, S(height - 1.25), round_off(S(8)));
        EXPECT_NEAR(d.normal.z, S(1), round_off(S(1)));
    }
}

TYPED_TEST(SurfaceDistance, OfTwoMeshesIsThatOfTheirSolids) {
    using S = TypeParam;
    Random random(35);
    const Shape<S> box = this->shape(BoxDef{{2, 1, 1.5}}), cube = this->shape(BoxDef{{1, 1, 1}});
    const Shape<S> box_as_mesh = this->mesh(box_mesh({2, 1, 1.5}));
    const Shape<S> cube_as_mesh = this->mesh(box_mesh({1, 1, 1}));
    for (int i = 0; i < 40; ++i) {
        const Pose<S> pose = random.pose<S>(3);
        SCOPED_TRACE(message("at ", pose.p, pose.q));
        const S expected = distance(box, cube, pose).distance;
        const Distance<S> d = distance(box_as_mesh, cube_as_mesh, pose);
        const Distance<S> back = distance(cube_as_mesh, box_as_mesh, inverse(pose));
        if (expected > S(0)) {
            EXPECT_NEAR(d.distance, expected, this->kTolerance);
            EXPECT_NEAR(back.distance, expected, this->kTolerance);
        } else {
            EXPECT_LE(d.distance, this->kTolerance);
        }
    }
    // One within the other touches no triangle and is inside all the same.
    const Shape<S> room = this->mesh(box_mesh({10, 10, 10}));
    EXPECT_NEAR(distance(room, cube_as_mesh, at<S>(0, 0, 4)).distance, S(-1.5), round_off(S(40)));
    EXPECT_NEAR(distance(cube_as_mesh, room, at<S>(0, 0, -4)).distance, S(-1.5), round_off(S(40)));
}

TYPED_TEST(SurfaceDistance, OfACompoundIsThatOfItsNearestChild) {
    using S = TypeParam;
    CompoundDef dumbbell;
    for (const double x : {-2.0, 2.0}) {
        ShapeDef ball = define(SphereDef{0.5});
        ball.position = {x, 0, 0};
        dumbbell.shapes.push_back(ball);
    }
    ShapeDef bar = define(BoxDef{{4, 0.2, 0.2}});
    dumbbell.shapes.push_back(bar);
    const Shape<S> compound = this->shape(dumbbell), ball = this->shape(SphereDef{0.25});
    DistanceCache<S> cache;
    const Distance<S> right = distance(compound, ball, at<S>(2, 3, 0), &cache);
    EXPECT_NEAR(right.distance, S(2.25), round_off(S(4)));
    EXPECT_EQ(right.part_a.child, 1U);
    EXPECT_EQ(cache.part_a.child, 1U);
    // The ball has moved on: what the cache remembers is no longer nearest.
    const Distance<S> middle = distance(compound, ball, at<S>(0, 1, 0), &cache);
    EXPECT_NEAR(middle.distance, S(0.65), round_off(S(4)));
    EXPECT_EQ(middle.part_a.child, 2U);
    const Distance<S> both = distance(compound, compound, at<S>(0, 0, 4));
    EXPECT_NEAR(both.distance, S(3), round_off(S(8)));
    const Distance<S> turned = distance(ball, compound, at<S>(-2, -3, 0));
    EXPECT_EQ(turned.part_b.child, 1U);
}

} // namespace
} // namespace rigor::test
