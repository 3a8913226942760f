// Distance and contact points of two bodies of a world.

#include <gmock/gmock.h>

#include "geometry/mesh_samples.h"
#include "rigor/rotation.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor::test {
namespace {

BodyDef fixed(ShapeGeometry geometry, const Vec3d& position = {}) {
    BodyDef def;
    def.type = BodyType::static_body;
    def.position = position;
    def.shapes = {ShapeDef{std::move(geometry)}};
    return def;
}

// Spheres: the closed form, at any distance and depth.
TEST(BodyDistance, OfSpheresIsThatOfTheirCentersLessTheRadii) {
    World world;
    const BodyId a = world.add_body(fixed(SphereDef{0.5})).value();
    const BodyId b = world.add_body(fixed(SphereDef{0.25}, {3, 4, 0})).value();
    const BodyDistance apart = world.distance(a, b);
    EXPECT_NEAR(apart.distance, 5 - 0.75, 1e-12);
    EXPECT_LT(length(apart.normal - Vec3d{0.6, 0.8, 0}), 1e-12);
    EXPECT_LT(length(apart.point_a - Vec3d{0.3, 0.4, 0}), 1e-12);
    EXPECT_LT(length(apart.point_b - apart.point_a - apart.normal * apart.distance), 1e-12);
    world.set_pose(b, {{0, 0.6, 0}, {}});
    EXPECT_NEAR(world.distance(a, b).distance, -0.15, 1e-12);
    EXPECT_NEAR(world.distance(b, a).distance, -0.15, 1e-12);
    EXPECT_LT(length(world.distance(b, a).normal - Vec3d{0, -1, 0}), 1e-12);
}

// The least over all pairs of shapes, without sensors; infinite when there is nothing to measure.
TEST(BodyDistance, IsTheLeastOfAllSolidShapes) {
    World world;
    BodyDef two = fixed(SphereDef{0.5});
    ShapeDef near{SphereDef{0.5}}, sensor{SphereDef{3}};
    near.position.x = 2;
    sensor.sensor = true;
    two.shapes.push_back(near);
    two.shapes.push_back(sensor);
    const BodyId a = world.add_body(two).value();
    const BodyId b = world.add_body(fixed(BoxDef{{1, 1, 1}}, {5, 0, 0})).value();
    const BodyDistance d = world.distance(a, b);
    EXPECT_NEAR(d.distance, 2, 1e-12);
    EXPECT_EQ(d.shape_a, world.shapes(a)[1]);
    EXPECT_EQ(d.shape_b, world.shapes(b)[0]);
    BodyDef ghost = fixed(SphereDef{1});
    ghost.shapes[0].sensor = true;
    const BodyId c = world.add_body(ghost).value();
    EXPECT_EQ(world.distance(a, c).distance, std::numeric_limits<double>::infinity());
    EXPECT_TRUE(world.contact_points(a, c).empty());
}

TEST(BodyDistance, RefusesBadArguments) {
    World world;
    const BodyId a = world.add_body(fixed(SphereDef{})).value();
    const BodyId b = world.add_body(fixed(SphereDef{}, {1, 0, 0})).value();
    EXPECT_THROW(world.distance(a, a), UsageError);
    EXPECT_THROW(world.contact_points(b, b), UsageError);
    EXPECT_THROW(world.contact_points(a, b, -1), UsageError);
    EXPECT_THROW(world.contact_points(a, b, std::numeric_limits<double>::quiet_NaN()), UsageError);
    world.remove_body(b);
    EXPECT_THROW(world.distance(a, b), UsageError);
}

// Across the boundary of a periodic world: the nearest image.
TEST(BodyDistance, FindsTheNearestImage) {
    WorldSettings settings;
    settings.periodic = PeriodicBox{{0, 0, 0}, {10, 10, 10}};
    World world(settings);
    BodyDef ball = fixed(SphereDef{0.5}, {0.7, 5, 5});
    ball.type = BodyType::dynamic_body;
    const BodyId a = world.add_body(ball).value();
    ball.position = {9.4, 5, 5};
    const BodyId b = world.add_body(ball).value();
    const BodyDistance d = world.distance(a, b);
    EXPECT_NEAR(d.distance, 0.3, 1e-12);
    EXPECT_NEAR(d.point_b.x, -0.1, 1e-12);
    world.set_pose(b, {{9.8, 5, 5}, {}});
    EXPECT_EQ(world.contact_points(a, b).size(), 1u);
}

// Figure 17 of [Baber 2006], anywhere and turned anyhow.
TEST(ContactPoints, OfFigure17AreFive) {
    Random random(3);
    for (int i = 0; i < 20; ++i) {
        World world;
        const Posed frame = random.pose(10);
        const BodyId lower = world.add_body(fixed(BoxDef{{2, 2, 1}})).value();
        const BodyId upper = world.add_body(fixed(BoxDef{{1, 1, 1}})).value();
        world.set_pose(lower, frame);
        world.set_pose(
            upper, frame * Posed{{0.6, 0, 1}, from_axis_angle<double>({0, 0, 1}, 0.785398163397)});
        const auto points = world.contact_points(lower, upper);
        ASSERT_EQ(points.size(), 5u);
        for (const ContactRegionPoint& p : points) {
            EXPECT_NEAR(p.separation, 0, 1e-9);
            EXPECT_NEAR(inverse_transform(frame, p.point_a).z, 0.5, 1e-9);
            EXPECT_LT(length(p.normal - rotate(frame.q, Vec3d{0, 0, 1})), 1e-9);
        }
    }
}

// Neighboring triangles share points: each is given once.
TEST(ContactPoints, OfAMeshAreGivenOnce) {
    World world;
    TriangleSoup two_boxes = box_mesh({4, 4, 1}); // a box alone would be its hull
    append(two_boxes, box_mesh({1, 1, 1}, {10, 0, 0}));
    const auto soup = std::make_shared<const TriangleSoup>(two_boxes);
    const BodyId floor = world.add_body(fixed(MeshDef{soup})).value();
    const BodyId box = world.add_body(fixed(BoxDef{{1, 1, 1}}, {0.3, 0.2, 1})).value();
    const auto points = world.contact_points(floor, box);
    EXPECT_EQ(points.size(), 6u); // four corners, and two edges across the diagonal of the face
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_GT(length(points[i].point_a - points[j].point_a), 1e-6);
    EXPECT_TRUE(world.contact_points(floor, box, 0).size() >= 1);
    world.set_pose(box, {{0.3, 0.2, 1.1}, {}});
    EXPECT_TRUE(world.contact_points(floor, box).empty());
    EXPECT_EQ(world.contact_points(floor, box, 0.2).size(), 6u);
}

} // namespace
} // namespace rigor::test
