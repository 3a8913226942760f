// Patterns of `generate`: where their bodies stand.

#include <chrono>
#include <set>

#include "geometry/shape.h"
#include "model/body_builder.h"
#include "rigor/rotation.h"
#include "scene/template_bounds.h"
#include "scene_test_support.h"
#include "test_support.h"

namespace rigor::test {
namespace {

const std::string kBrick = R"("body": {"shapes": [{"type": "box", "size": [2, 1, 0.5]}]})";

Scene generated(const std::string& fields, const std::string& body = kBrick) {
    return parsed(scene_with("\"generate\": [{" + fields + ", " + body + "}]"));
}

std::vector<Vec3d> positions(const Scene& scene) {
    std::vector<Vec3d> result;
    for (const SceneBody& body : scene.bodies) result.push_back(body.def.position);
    return result;
}

TEST(Pattern, StackStandsOnItsPositionAndShiftsByItsOffset) {
    const Scene scene = generated(
        R"("pattern": "stack", "count": 3, "position": [1, 2, 3], "offset": [0.5, 0, 0])");
    EXPECT_THAT(positions(scene),
                testing::ElementsAre(Vec3d{1, 2, 3.25}, Vec3d{1.5, 2, 3.75}, Vec3d{2, 2, 4.25}));
    EXPECT_EQ(scene.bodies[2].def.name, "stack[2]");
}

TEST(Pattern, GridIsCenteredAndRunsAlongXFirst) {
    const Scene scene = generated(R"("pattern": "grid", "count": [2, 2, 2], "spacing": [4, 3, 2])");
    EXPECT_THAT(positions(scene), testing::ElementsAre(Vec3d{-2, -1.5, 0.25}, Vec3d{2, -1.5, 0.25},
                                                       Vec3d{-2, 1.5, 0.25}, Vec3d{2, 1.5, 0.25},
                                                       Vec3d{-2, -1.5, 2.25}, Vec3d{2, -1.5, 2.25},
                                                       Vec3d{-2, 1.5, 2.25}, Vec3d{2, 1.5, 2.25}));
}

TEST(Pattern, PyramidLeavesATenthOfAWidthAndMayStandOnItsPoint) {
    EXPECT_THAT(positions(generated(R"("pattern": "pyramid", "base": 2)")),
                testing::ElementsAre(Vec3d{-1.1, 0, 0.25}, Vec3d{1.1, 0, 0.25}, Vec3d{0, 0, 0.75}));
    EXPECT_THAT(
        positions(generated(R"("pattern": "pyramid", "base": 2, "gap": 0, "inverted": true)")),
        testing::ElementsAre(Vec3d{0, 0, 0.25}, Vec3d{-1, 0, 0.75}, Vec3d{1, 0, 0.75}));
}

TEST(Pattern, WallRowsShiftByAQuarterPitchInTurn) {
    EXPECT_THAT(positions(generated(R"("pattern": "wall", "count": 2, "length": 2, "gap": 0)")),
                testing::ElementsAre(Vec3d{-1.5, 0, 0.25}, Vec3d{0.5, 0, 0.25},
                                     Vec3d{-0.5, 0, 0.75}, Vec3d{1.5, 0, 0.75}));
}

// Row r has n = side - |r - side + 1| bricks at x = (i - (n-1)/2) w: side² bricks in all.
TEST(Pattern, DiamondHasItsSideSquaredBricks) {
    for (int side = 1; side <= 6; ++side) {
        const auto centers =
            positions(generated("\"pattern\": \"diamond\", \"side\": " + std::to_string(side)));
        ASSERT_EQ(centers.size(), static_cast<std::size_t>(side * side));
        std::size_t next = 0;
        for (int r = 0; r < 2 * side - 1; ++r) {
            const int n = side - std::abs(r - side + 1);
            for (int i = 0; i < n; ++i)
                EXPECT_EQ(centers[next++], (Vec3d{(i - (n - 1) / 2.0) * 2, 0, (r + 0.5) * 0.5}));
        }
    }
}

TEST(Pattern, PileFillsItsRegionWithTemplatesInTurn) {
    const Scene scene = generated(
        R"("pattern": "pile", "count": 20, "region": [[-5, -5, 1], [5, 5, 11]], "tilt": 0.3,
           "jitter": 0.05, "seed": 3)",
        R"("bodies": [{"shapes": [{"type": "sphere", "radius": 0.5}]},
                      {"shapes": [{"type": "box", "size": [1, 1, 1]}]}])");
    ASSERT_EQ(scene.bodies.size(), 20u);
    for (std::size_t i = 0; i < 20; ++i) {
        const BodyDef& body = scene.bodies[i].def;
        EXPECT_EQ(body.shapes[0].geometry.index(), i % 2);
        EXPECT_LE(length(to_rotation_vector(body.orientation)), 0.3 + 1e-12);
        for (int k = 0; k < 3; ++k) {
            EXPECT_GT(body.position[k], (k == 2 ? 1 : -5) + 0.4);
            EXPECT_LT(body.position[k], (k == 2 ? 11 : 5) - 0.4);
        }
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_GT(length(body.position - scene.bodies[j].def.position), 1.0);
    }
}

TEST(Pattern, ChainJoinsLinksEndToEnd) {
    const Scene scene = generated(
        R"("pattern": "chain", "count": 3, "axis": [0, 0, -1], "fixed": "both", "position": [0, 0, 1])",
        R"("body": {"shapes": [{"type": "capsule", "radius": 0.1, "length": 0.8}]})");
    EXPECT_EQ(scene.bodies.size(), 3u);
    ASSERT_EQ(scene.joints.size(), 4u);
    // From the top, 3 links of length 1 above z = 1.
    for (int i = 0; i < 4; ++i) {
        const SceneJoint& joint = scene.joints[static_cast<std::size_t>(i)];
        EXPECT_NEAR(joint.def.anchor.z, 4 - i, 1e-12);
        EXPECT_EQ(joint.a, i == 0 ? SceneJoint::kWorld : i - 1);
        EXPECT_EQ(joint.b, i == 3 ? SceneJoint::kWorld : i);
        EXPECT_EQ(joint.def.type(), JointType::ball);
    }
}

TEST(Pattern, VehicleHangsItsWheelsOnTheChassis) {
    const Scene scene = generated(
        R"("pattern": "vehicle", "name": "car", "wheels": [[1, 0.5], [1, -0.5], [-1, 0.5], [-1, -0.5]],
           "steered": [0, 1], "driven": [2, 3], "clearance": 0.2,
           "suspension": {"frequency_hz": 2, "damping_ratio": 0.5},
           "wheel": {"orientation": {"axis": [1, 0, 0], "angle_deg": 90},
                     "shapes": [{"type": "cylinder", "radius": 0.3, "height": 0.2}]})");
    ASSERT_EQ(scene.bodies.size(), 5u);
    ASSERT_EQ(scene.joints.size(), 4u);
    ASSERT_EQ(scene.vehicles.size(), 1u);
    EXPECT_EQ(scene.bodies[0].def.position, (Vec3d{0, 0, 0.45}));
    EXPECT_NEAR(scene.bodies[1].def.position.z, 0.3, 1e-12); // standing on the ground
    EXPECT_EQ(scene.joints[0].def.type(), JointType::wheel);
    EXPECT_EQ(scene.joints[0].a, 0);
    EXPECT_EQ(scene.joints[3].b, 4);
    for (const SceneJoint& joint : scene.joints) // a motor would brake where nobody drives
        EXPECT_FALSE(std::get<WheelJoint>(joint.def.kind).motor.has_value());
    EXPECT_EQ(scene.vehicles[0].steered, (std::vector<bool>{true, true, false, false}));
    EXPECT_EQ(scene.vehicles[0].driven, (std::vector<bool>{false, false, true, true}));
    EXPECT_TRUE(scene.vehicles[0].def.wheels[2].hand_braked);
    EXPECT_FALSE(scene.vehicles[0].def.wheels[0].hand_braked);
}

TEST(Pattern, DominoesStandInARow) {
    const auto centers = positions(generated(R"("pattern": "domino", "count": 3)"));
    EXPECT_THAT(centers, testing::ElementsAre(Vec3d{-2.25, 0, 0.25}, Vec3d{0, 0, 0.25},
                                              Vec3d{2.25, 0, 0.25}));
}

// The bounds count, not the body's frame: a cone whose frame is at its tip stands just as well.
TEST(Pattern, SizesAndPlacesComeFromTheBoundsOfTheTemplate) {
    const Scene scene = generated(R"("pattern": "stack", "count": 2)",
                                  R"("body": {"orientation": {"axis": [0, 1, 0], "angle_deg": 90},
                    "shapes": [{"type": "box", "size": [3, 1, 1], "position": [-1.5, 0, 0]}]})");
    // The box reaches from x = -3 to 0 in the body, hence from z = 0 to 3 in the world.
    EXPECT_NEAR(length(scene.bodies[0].def.position - Vec3d{0, 0, 0}), 0, 1e-12);
    EXPECT_NEAR(length(scene.bodies[1].def.position - Vec3d{0, 0, 3}), 0, 1e-12);
}

// The same seed gives the same scene on every machine: these are the first numbers of
// splitmix64 for the seed 1, scaled.
TEST(Pattern, RandomNumbersAreTheSameEverywhere) {
    const std::string grid = R"("pattern": "grid", "count": [1, 1, 1], "jitter": 1, "seed": 1)";
    const Vec3d p = generated(grid).bodies[0].def.position;
    const auto expected = [](std::uint64_t bits) {
        return static_cast<double>(bits >> 11) * 0x1p-52 - 1;
    };
    EXPECT_EQ(p, (Vec3d{expected(0x910a2dec89025cc1u), expected(0xbeeb8da1658eec67u),
                        0.25 + expected(0xf893a2eefb32555eu)}));
}

TEST(Pattern, AHundredThousandBodiesTakeNoTime) {
    const auto start = std::chrono::steady_clock::now();
    const Scene scene =
        generated(R"("pattern": "grid", "count": [100, 100, 10], "jitter": 0.1, "tilt": 1)");
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(scene.bodies.size(), 100'000u);
    std::set<std::string> names;
    for (const SceneBody& body : scene.bodies) names.insert(body.def.name);
    EXPECT_EQ(names.size(), 100'000u);
    RecordProperty("milliseconds", static_cast<int>(taken.count() * 1000));
    EXPECT_LT(taken.count(), 5); // a fraction of a second; more only under a sanitizer
}

// Neighbors in a stack touch: they stand as far apart as the template is high, and the lowest
// stands on the ground.
TEST(Pattern, RoundedConesAndHullsTouchInAStack) {
    // The tip of a cone is cut by rounding: make_shape knows by how much.
    const Scene cones = generated(
        R"("pattern": "stack", "count": 3)",
        R"("body": {"shapes": [{"type": "cone", "radius": 1, "height": 2, "rounding": 0.2}]})");
    const double pitch = cones.bodies[1].def.position.z - cones.bodies[0].def.position.z;
    const Shape<double> cone = *make_shape(cones.bodies[0].def.shapes[0]);
    const double top = support(cone, {0, 0, 1}).z, bottom = support(cone, {0, 0, -1}).z;
    EXPECT_NEAR(pitch, top - bottom, 1e-14);
    EXPECT_NEAR(pitch, 1.7528, 1e-4);
    EXPECT_NEAR(cones.bodies[0].def.position.z + bottom, 0, 1e-14);

    // An octahedron of radius 1 whose corners become balls of radius r reaches to
    // 1 - r (sqrt(3) - 1).
    const Scene hulls = generated(R"("pattern": "stack", "count": 2)",
                                  R"("body": {"shapes": [{"type": "hull", "rounding": 0.2,
            "points": [[1,0,0],[-1,0,0],[0,1,0],[0,-1,0],[0,0,1],[0,0,-1]]}]})");
    EXPECT_NEAR(hulls.bodies[1].def.position.z - hulls.bodies[0].def.position.z,
                2 * (1 - 0.2 * (std::sqrt(3.0) - 1)), 1e-9);
}

// Against many points of the surface, found as the farthest in many directions: nothing is
// outside, and along the bounded direction itself something touches.
TEST(TemplateBounds, AreTight) {
    Random random(3);
    const std::vector<ShapeDef> shapes = {
        {.geometry = SphereDef{2}},
        {.geometry = BoxDef{{2, 3, 4}}, .rounding = 0.5},
        {.geometry = CapsuleDef{1, 2}},
        {.geometry = CylinderDef{1, 2}, .rounding = 0.1},
        {.geometry = ConeDef{1, 4}, .rounding = 0.2},
        {.geometry = HullDef{{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}}}, .rounding = 0.1}};
    for (ShapeDef shape : shapes) {
        shape.position = {1, 2, 3};
        shape.orientation = random.rotation();
        BodyDef body;
        body.shapes.push_back(shape);
        const Quatd turn = random.rotation();
        const Result<BuiltBody> built = build_body(body);
        ASSERT_TRUE(built.ok()) << to_string(built.error());
        const Vec3d d = random.direction();
        const Range extent = extent_along(built->shapes, turn, d);
        const Shape<double> solid = *make_shape(shape);
        const Posed pose = Posed{{}, turn} * Posed{shape.position, shape.orientation};
        const auto farthest = [&](const Vec3d& direction) {
            return transform(pose, support(solid, inverse_rotate(pose.q, direction)));
        };
        EXPECT_NEAR(dot(farthest(d), d), extent.hi, 1e-12);
        EXPECT_NEAR(dot(farthest(-d), d), extent.lo, 1e-12);
        for (int i = 0; i < 100; ++i) {
            const double along = dot(farthest(random.direction()), d);
            EXPECT_LE(along, extent.hi + 1e-12);
            EXPECT_GE(along, extent.lo - 1e-12);
        }
    }
}

} // namespace
} // namespace rigor::test
