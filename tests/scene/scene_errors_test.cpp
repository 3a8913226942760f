// Every mistake a scene can hold gets one sentence: file, line, column, path, rule, value.
#include "scene_test_support.h"
#include "test_support.h"

namespace rigor::test {
namespace {

const std::string kBall = R"("shapes": [{"type": "sphere", "radius": 1}])";

std::string shape_refusal(const std::string& shape) {
    return refusal(scene_of_shape(shape));
}
std::string body_refusal(const std::string& body) {
    return refusal(scene_of_body(body));
}
std::string joint_refusal(const std::string& joint) {
    return refusal(scene_with("\"bodies\": [{\"name\": \"plank\", " + kBall +
                              "}, {\"name\": \"floor\", " + kBall + "}],\n\"joints\": [" + joint +
                              "]"));
}

TEST(SceneErrors, TellLineColumnAndPathOfAValue) {
    EXPECT_EQ(refusal("{ \"rigor\": 1,\n  \"bodies\": [\n    { \"shapes\": [\n"
                      "      { \"type\": \"sphere\", \"radius\": -1 } ] } ] }"),
              "scene.json:4:37: bodies[0].shapes[0].radius must be positive, got -1");
}

TEST(SceneErrors, NotANumberAndInfinity) {
    EXPECT_EQ(shape_refusal(R"({"type": "sphere", "radius": NaN})"),
              "scene.json:2:74: numbers must be finite, got NaN");
    EXPECT_EQ(shape_refusal(R"({"type": "sphere", "radius": 1e999})"),
              "scene.json:2:74: numbers must be finite, got 1e999");
    EXPECT_EQ(refusal(scene_with("\"gravity\": [0, 0, -Infinity]")),
              "scene.json:2:19: numbers must be finite, got -Infinity");
}

/// What is wrong with a body of one ball, without the place.
std::string ball_refusal(const std::string& keys) {
    const std::string text = body_refusal("{ " + kBall + ", " + keys + " }");
    const std::size_t place = text.find(": ");
    return place == std::string::npos ? text : text.substr(place + 2);
}

std::string grid_of(int poses) {
    std::string grid;
    for (int i = 0; i < poses; ++i) grid += (i > 0 ? ", " : "") + std::string("[[0, 0, 1]]");
    return "[" + grid + "]";
}

TEST(SceneErrors, FeaturesThatCannotBe) {
    EXPECT_EQ(ball_refusal(R"("fracture": {"pieces": 0, "impulse": 1})"),
              "bodies[0].fracture.pieces must be a whole number from 2 to 1000, got 0");
    EXPECT_EQ(ball_refusal(R"("fracture": {"seed": -1, "impulse": 1})"),
              "bodies[0].fracture.seed must be a whole number from 0 to 9007199254740992, got -1");
    EXPECT_EQ(ball_refusal(R"("fracture": {"seed": 1e16, "impulse": 1})"),
              "bodies[0].fracture.seed must be a whole number from 0 to 9007199254740992, got "
              "1e16");
    EXPECT_EQ(ball_refusal(R"("driver": {"input": "mouse", "grid": )" + grid_of(8) + "}"),
              "bodies[0].driver.grid must have at least 9 elements, got 8");
    EXPECT_EQ(ball_refusal(R"("driver": {"input": "mouse", "grid": )" + grid_of(10) + "}"),
              "bodies[0].driver.grid must have at most 9 elements, got 10");
    const std::string one_point =
        joint_refusal(R"({"type": "track", "a": "plank", "curve": [[0, 0, 0]]})");
    EXPECT_THAT(one_point,
                testing::EndsWith("joints[0].curve must have at least 2 elements, got 1"));
    EXPECT_EQ(refusal(scene_with(R"("wind": {})")),
              "scene.json:2:9: wind must have a velocity or a whirl");
    EXPECT_EQ(refusal(scene_with(R"("wind": {"whirl": {"radius": 0, "speed": 1}})")),
              "scene.json:2:30: wind.whirl.radius must be positive, got 0");
}

TEST(SceneErrors, SizesThatAreNotPositive) {
    EXPECT_EQ(shape_refusal(R"({"type": "sphere", "radius": 0})"),
              "scene.json:2:74: bodies[0].shapes[0].radius must be positive, got 0");
    EXPECT_EQ(shape_refusal(R"({"type": "box", "size": [1, -2.5, 1]})"),
              "scene.json:2:73: bodies[0].shapes[0].size[1] must be positive, got -2.5");
    EXPECT_EQ(shape_refusal(R"({"type": "cylinder", "radius": 1, "height": 0})"),
              "scene.json:2:89: bodies[0].shapes[0].height must be positive, got 0");
    EXPECT_EQ(shape_refusal(R"({"type": "capsule", "radius": 1, "length": -1})"),
              "scene.json:2:88: bodies[0].shapes[0].length must not be negative, got -1");
    EXPECT_EQ(shape_refusal(R"({"type": "box", "size": [1, 1]})"),
              "scene.json:2:69: bodies[0].shapes[0].size must be 3 numbers, got an array of 2");
    EXPECT_EQ(refusal(scene_with("\"time_step\": 0")),
              "scene.json:2:14: time_step must be positive, got 0");
}

TEST(SceneErrors, MassThatIsNotPositive) {
    EXPECT_EQ(body_refusal("{\"mass\": 0, " + kBall + "}"),
              "scene.json:2:22: bodies[0].mass must be positive, got 0");
    EXPECT_EQ(body_refusal("{\"mass\": -3, " + kBall + "}"),
              "scene.json:2:22: bodies[0].mass must be positive, got -3");
    EXPECT_EQ(
        body_refusal(R"({"mass_properties": {"mass": 0, "inertia": [[1,0,0],[0,1,0],[0,0,1]]}})"),
        "scene.json:2:42: bodies[0].mass_properties.mass must be positive, got 0");
}

TEST(SceneErrors, DynamicBodyWithoutMass) {
    const std::string sentence =
        ": a dynamic body needs mass: give it a shape that is not a sensor, or mass_properties";
    EXPECT_EQ(body_refusal(R"({"name": "ghost"})"), "scene.json:2:13: bodies[0]" + sentence);
    EXPECT_EQ(body_refusal(R"({"shapes": []})"), "scene.json:2:24: bodies[0].shapes" + sentence);
    EXPECT_EQ(body_refusal(R"({"shapes": [{"type": "sphere", "radius": 1, "sensor": true}]})"),
              "scene.json:2:24: bodies[0].shapes" + sentence);
    EXPECT_EQ(
        body_refusal(R"({"mass": 1, "shapes": [{"type": "sphere", "radius": 1, "density": 0}]})"),
        "scene.json:2:79: bodies[0].shapes[0].density must be positive and finite, got 0");
    EXPECT_EQ(body_refusal(R"({"type": "kinematic"})"), "accepted");
}

std::string inertia_refusal(const std::string& inertia) {
    return body_refusal("{\"mass_properties\": {\"mass\": 1, \"inertia\": " + inertia + "}}");
}

TEST(SceneErrors, InertiaThatBelongsToNoSolid) {
    EXPECT_EQ(inertia_refusal("[[1,0,0],[0,1,0],[0,0,3]]"),
              "scene.json:2:56: bodies[0].mass_properties.inertia: no principal moment of "
              "inertia may exceed the sum of the other two, got (1, 1, 3)");
    EXPECT_EQ(inertia_refusal("[[1,0,0],[0,2,0],[0,0,-1]]"),
              "scene.json:2:56: bodies[0].mass_properties.inertia: principal moments of inertia "
              "must be positive, got (-1, 1, 2)");
    EXPECT_EQ(inertia_refusal("[[2,0.5,0],[0,2,0],[0,0,2]]"),
              "scene.json:2:56: bodies[0].mass_properties.inertia must be symmetric, got 0.5 and 0 "
              "on the two sides of the diagonal");
    EXPECT_EQ(inertia_refusal("[[1,0,0],[0,1,0]]"),
              "scene.json:2:56: bodies[0].mass_properties.inertia must have at least 3 elements, "
              "got 2");
    // A flat plate reaches the bound, and rounding must not count against it.
    EXPECT_EQ(inertia_refusal("[[0.1,0,0],[0,0.2,0],[0,0,0.30000000000000004]]"), "accepted");
}

TEST(SceneErrors, QuaternionIsMadeAUnitOnlyWhenNearlyOne) {
    const auto oriented = [](const std::string& q) {
        return scene_of_body("{\"type\": \"static\", \"orientation\": " + q + "}");
    };
    const Scene scene = parsed(oriented("[1.0009, 0, 0, 0]"));
    EXPECT_EQ(scene.bodies[0].def.orientation, Quatd{});
    EXPECT_EQ(refusal(oriented("[1.1, 0, 0, 0]")),
              "scene.json:2:47: bodies[0].orientation must be a unit quaternion, got one of length "
              "1.1");
    EXPECT_EQ(refusal(oriented("[0, 0, 0, 0]")),
              "scene.json:2:47: bodies[0].orientation must be a unit quaternion, got one of length "
              "0");
    EXPECT_EQ(refusal(oriented("[1, 0, 0]")),
              "scene.json:2:47: bodies[0].orientation must be 4 numbers, got an array of 3");
    EXPECT_EQ(refusal(oriented("3")),
              "scene.json:2:47: bodies[0].orientation must be [w, x, y, z], {axis, angle}, "
              "{euler_zxz_deg} or {euler_xyz_deg}, got 3");
    EXPECT_EQ(refusal(oriented("{\"axis\": [0, 0, 1]}")),
              "scene.json:2:47: bodies[0].orientation must have exactly one of \"angle\" and "
              "\"angle_deg\"");
    EXPECT_EQ(refusal(oriented("{\"axis\": [0, 0, 0], \"angle\": 1}")),
              "scene.json:2:56: bodies[0].orientation.axis must have a length, got [0, 0, 0]");
    EXPECT_EQ(refusal(oriented("{\"angle\": 1}")),
              "scene.json:2:47: bodies[0].orientation must have exactly one of \"axis\", "
              "\"euler_zxz_deg\" and \"euler_xyz_deg\"");
}

TEST(SceneErrors, BadMeshes) {
    EXPECT_EQ(shape_refusal(R"({"type": "mesh", "vertices": [], "triangles": []})"),
              "scene.json:2:91: bodies[0].shapes[0].triangles: a mesh needs at least one triangle");
    EXPECT_EQ(
        shape_refusal(
            R"({"type": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,3]]})"),
        "scene.json:2:120: bodies[0].shapes[0].triangles[0][2] must be the index of one of the 3 "
        "vertices, got 3");
    EXPECT_EQ(
        shape_refusal(
            R"({"type": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,-1]]})"),
        "scene.json:2:120: bodies[0].shapes[0].triangles[0][2] must be the index of one of the 3 "
        "vertices, got -1");
    EXPECT_EQ(shape_refusal(R"({"type": "mesh", "vertices": [[0,0,0]]})"),
              "scene.json:2:45: bodies[0].shapes[0] must have \"triangles\"");
    EXPECT_EQ(
        body_refusal(
            R"({"shapes": [{"type": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]]}]})"),
        "scene.json:2:25: bodies[0].shapes[0] is a mesh of a dynamic body and must be closed, got "
        "one with 3 open edges; \"thickness\" makes a sheet solid");
    EXPECT_EQ(
        body_refusal(
            R"({"shapes": [{"type": "mesh", "thickness": 0.1, "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "triangles": [[0,2,1],[0,1,3],[0,3,2],[1,2,3]]}]})"),
        "scene.json:2:55: bodies[0].shapes[0].thickness cannot be given: the mesh is closed, which "
        "makes it a solid already");
    EXPECT_EQ(
        body_refusal(
            R"({"shapes": [{"type": "mesh", "scale": -1, "vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]]}]})"),
        "scene.json:2:51: bodies[0].shapes[0].scale must be positive, got -1");
}

TEST(SceneErrors, BadHulls) {
    EXPECT_EQ(shape_refusal(R"({"type": "hull", "points": [[0,0,0],[1,0,0],[0,1,0]]})"),
              "scene.json:2:72: bodies[0].shapes[0].points: a hull needs at least 4 points, got 3");
    EXPECT_EQ(
        shape_refusal(R"({"type": "hull", "points": [[0,0,1],[1,0,1],[0,1,1],[1,1,1],[3,2,1]]})"),
        "scene.json:2:72: bodies[0].shapes[0].points: a hull needs a volume, but the points lie in "
        "a plane");
    EXPECT_EQ(
        shape_refusal(R"({"type": "hull"})"),
        "scene.json:2:45: bodies[0].shapes[0] must have exactly one of \"points\" and \"file\"");
}

TEST(SceneErrors, BadHeightFields) {
    EXPECT_EQ(
        shape_refusal(R"({"type": "height_field", "size": [1, 1], "samples": [[0, 1], [0]]})"),
        "scene.json:2:106: bodies[0].shapes[0].samples[1] must have rows of equal length, got "
        "2 and 1");
    EXPECT_EQ(
        shape_refusal(R"({"type": "height_field", "size": [1, 0], "samples": [[0, 1], [0, 1]]})"),
        "scene.json:2:82: bodies[0].shapes[0].size[1] must be positive, got 0");
    EXPECT_EQ(shape_refusal(R"({"type": "height_field", "size": [1, 1], "samples": [[0, 1]]})"),
              "scene.json:2:97: bodies[0].shapes[0].samples must have at least 2 x 2 heights, got "
              "1 x 2");
}

TEST(SceneErrors, ShapesThatOnlySomeBodiesMayHave) {
    EXPECT_EQ(body_refusal(R"({"shapes": [{"type": "plane", "normal": [0, 0, 1]}]})"),
              "scene.json:2:25: bodies[0].shapes[0]: a plane is for static bodies only");
    EXPECT_EQ(body_refusal(
                  R"({"type": "kinematic", "shapes": [{"type": "plane", "normal": [0, 0, 1]}]})"),
              "scene.json:2:46: bodies[0].shapes[0]: a plane is for static bodies only");
    EXPECT_EQ(
        body_refusal(
            R"({"shapes": [{"type": "compound", "shapes": [{"type": "height_field", "size": [1, 1], "samples": [[0, 1], [0, 1]]}]}]})"),
        "scene.json:2:57: bodies[0].shapes[0].shapes[0]: a height_field is for static "
        "bodies only");
    EXPECT_EQ(body_refusal(R"({"type": "static", "velocity": [1, 0, 0]})"),
              "scene.json:2:13: bodies[0] is static and cannot have a velocity");
    EXPECT_EQ(
        body_refusal("{\"driver\": {\"input\": \"mouse\"}, \"type\": \"static\", " + kBall + "}"),
        "scene.json:2:24: bodies[0].driver can only be given for a kinematic or dynamic body");
}

TEST(SceneErrors, RoundingThatDoesNotFit) {
    EXPECT_EQ(shape_refusal(R"({"type": "box", "size": [1, 2, 3], "rounding": 0.6})"),
              "scene.json:2:92: bodies[0].shapes[0].rounding must be at most half of the smallest "
              "size, 0.5, got 0.6");
    EXPECT_EQ(shape_refusal(R"({"type": "plane", "normal": [0, 0, 1], "rounding": 0.1})"),
              "scene.json:2:96: bodies[0].shapes[0].rounding cannot be given for a plane");
    // A regular octahedron of edge sqrt(2) holds a ball of radius 1/sqrt(3).
    EXPECT_THAT(
        shape_refusal(
            R"({"type": "hull", "rounding": 0.6, "points": [[1,0,0],[-1,0,0],[0,1,0],[0,-1,0],[0,0,1],[0,0,-1]]})"),
        testing::AllOf(
            testing::StartsWith("scene.json:2:74: bodies[0].shapes[0].rounding must be less than"),
            testing::EndsWith("got 0.6")));
}

const std::string kTetra =
    R"("vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "triangles": [[0,2,1],[0,1,3],[1,2,3],[0,3,2]])";

// What only shows when a body is built is still told with line and path.
TEST(SceneErrors, BodiesThatCannotBeBuilt) {
    EXPECT_EQ(
        body_refusal(
            R"({"type": "kinematic", "shapes": [{"type": "height_field", "size": [1, 1], "samples": [[0, 1], [0, 1]]}]})"),
        "scene.json:2:46: bodies[0].shapes[0]: a height_field is for static bodies only");
    EXPECT_EQ(
        body_refusal(
            R"({"shapes": [{"type": "mesh", "hollow": true, "vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]]}]})"),
        "scene.json:2:25: bodies[0].shapes[0] is a mesh of a dynamic body and must be closed, got "
        "one with 3 open edges; \"thickness\" makes a sheet solid");
    EXPECT_EQ(
        body_refusal(
            R"({"shapes": [{"type": "sphere", "radius": 1}, {"type": "sphere", "radius": 1, "density": 0}]})"),
        "scene.json:2:101: bodies[0].shapes[1].density must be positive and finite, got 0");
    EXPECT_THAT(
        shape_refusal(
            R"({"type": "hull", "points": [[0,0,0],[1,0,0],[0,1,0],[1,1,0],[0.5,0.5,1e-13]]})"),
        testing::StartsWith("scene.json:2:72: bodies[0].shapes[0].points: "));
    EXPECT_THAT(
        body_refusal(
            R"({"shapes": [{"type": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2],[0,2,1]]}]})"),
        testing::StartsWith("scene.json:2:25: bodies[0].shapes[0]: the mesh encloses no volume"));
    for (const std::string radius : {"1e200", "1e-200"})
        EXPECT_THAT(body_refusal(R"({"shapes": [{"type": "sphere", "radius": )" + radius + "}]}"),
                    testing::StartsWith("scene.json:2:13: bodies[0]: mass must be positive"));
    // The density of a named material is not in the shape: the shape is blamed.
    EXPECT_EQ(refusal(scene_with(R"("materials": {"air": {"density": 0}},
"bodies": [{"shapes": [{"type": "sphere", "radius": 1, "material": "air"}]}])")),
              "scene.json:3:24: bodies[0].shapes[0]: density must be positive and finite, got 0");
    EXPECT_THAT(
        refusal(scene_with(
            R"("generate": [{"pattern": "stack", "count": 2, "body": {"shapes": [{"type": "cone", "radius": 1, "height": 1, "rounding": 1}]}}])")),
        testing::HasSubstr("generate[0].body.shapes[0].rounding must be less than"));
}

TEST(SceneWarnings, TellWhatWasFoundInAMesh) {
    const auto warnings = [](const std::string& fields) {
        return parsed(scene_of_body(R"({"shapes": [{"type": "mesh", )" + fields + "}]}")).warnings;
    };
    EXPECT_TRUE(warnings(kTetra).empty());
    EXPECT_THAT(
        warnings(
            R"("vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "triangles": [[0,1,2],[0,3,1],[1,3,2],[0,2,3]])"),
        testing::ElementsAre("bodies[0].shapes[0]: the mesh was inside out and has been turned"));
}

TEST(SceneErrors, UnknownKeysNameTheNearestKnownOne) {
    EXPECT_EQ(body_refusal("{\"positon\": [0, 0, 0], " + kBall + "}"),
              "scene.json:2:14: bodies[0] has an unknown key \"positon\"; did you mean "
              "\"position\"?");
    EXPECT_EQ(refusal(scene_with("\"gravty\": [0, 0, 0]")),
              "scene.json:2:1: the scene has an unknown key \"gravty\"; did you mean \"gravity\"?");
    EXPECT_EQ(refusal(scene_with("\"settings\": {\"colour\": 1}")),
              "scene.json:2:14: settings has an unknown key \"colour\"; rigor info --settings "
              "lists them");
    EXPECT_EQ(refusal(scene_with("\"settings\": {\"substep\": 1}")),
              "scene.json:2:14: settings has an unknown key \"substep\"; did you mean "
              "\"substeps\"?");
    // A matter of the machine, not of the scene.
    EXPECT_EQ(refusal(scene_with("\"settings\": {\"threads\": 2}")),
              "scene.json:2:14: settings has an unknown key \"threads\"; rigor info --settings "
              "lists them");
    // Not "must have a radius": the misspelled key explains it.
    EXPECT_EQ(shape_refusal(R"({"type": "sphere", "raduis": 1})"),
              "scene.json:2:64: bodies[0].shapes[0] has an unknown key \"raduis\"; did you mean "
              "\"radius\"?");
    // A key of another type of shape.
    EXPECT_EQ(shape_refusal(R"({"type": "sphere", "radius": 1, "height": 1})"),
              "scene.json:2:77: bodies[0].shapes[0] has an unknown key \"height\"");
}

TEST(SceneErrors, DuplicateKeys) {
    EXPECT_EQ(body_refusal("{\"mass\": 1, \"mass\": 2}"),
              "scene.json:2:25: the key \"mass\" is given twice");
}

TEST(SceneErrors, MissingKeysAndChoices) {
    EXPECT_EQ(refusal("{}"),
              "scene.json:1:1: the scene must have \"rigor\": 1, the version of the scene format");
    EXPECT_EQ(refusal("[]"), "scene.json:1:1: the scene must be an object, got an array");
    EXPECT_EQ(refusal("{\"rigor\": 2}"),
              "scene.json:1:11: rigor must be 1, the version of the scene format, got 2");
    EXPECT_EQ(shape_refusal(R"({"type": "sphere"})"),
              "scene.json:2:45: bodies[0].shapes[0] must have \"radius\"");
    EXPECT_EQ(shape_refusal("{}"), "scene.json:2:45: bodies[0].shapes[0] must have \"type\"");
    EXPECT_EQ(refusal(scene_with("\"bodies\": [{\"name\": \"a\", " + kBall +
                                 "}], \"forces\": [{\"body\": \"a\"}]")),
              "scene.json:2:84: forces[0] must have exactly one of \"force\", \"torque\" and "
              "\"acceleration\"");
    EXPECT_EQ(body_refusal("{\"lock\": [\"tx\"], \"plane\": \"xz\", " + kBall + "}"),
              "scene.json:2:13: bodies[0] may have only one of \"lock\" and \"plane\"");
}

TEST(SceneErrors, WrongTypesAndWords) {
    EXPECT_EQ(shape_refusal(R"({"type": "sphere", "radius": "1"})"),
              "scene.json:2:74: bodies[0].shapes[0].radius must be a number, got \"1\"");
    EXPECT_EQ(body_refusal(R"({"can_sleep": 1})"),
              "scene.json:2:27: bodies[0].can_sleep must be true or false, got 1");
    EXPECT_EQ(body_refusal(R"({"name": null})"),
              "scene.json:2:22: bodies[0].name must be a string, got null");
    EXPECT_EQ(refusal(scene_with("\"bodies\": {}")),
              "scene.json:2:11: bodies must be an array, got an object");
    EXPECT_EQ(
        refusal(scene_with("\"method\": \"magic\"")),
        "scene.json:2:11: method must be \"fast\", \"faithful\", \"baber2006\", \"kavan2003\", "
        "\"baber2011\", \"kenwright\", \"galoppo2007\", \"penalty\" or \"free\", got \"magic\"");
    EXPECT_EQ(refusal(scene_with("\"settings\": {\"integrator\": \"verlet\"}")),
              "scene.json:2:28: settings.integrator must be \"euler\", \"symplectic\", \"rk4\" or "
              "\"exact\", got \"verlet\"");
    EXPECT_EQ(refusal(scene_with("\"settings\": {\"substeps\": 1.5}")),
              "scene.json:2:26: settings.substeps must be a whole number from 1 to 10000, got 1.5");
    EXPECT_EQ(refusal(scene_with("\"settings\": {\"substeps\": 0}")),
              "scene.json:2:26: settings.substeps must be a whole number from 1 to 10000, got 0");
    EXPECT_EQ(refusal(scene_with("\"settings\": {\"substeps\": 10001}")),
              "scene.json:2:26: settings.substeps must be a whole number from 1 to 10000, got "
              "10001");
    EXPECT_EQ(refusal(scene_with("\"settings\": {\"delta\": 0}")),
              "scene.json:2:23: settings.delta must be positive, got 0");
    EXPECT_EQ(refusal(scene_with("\"settings\": {\"hit_speed\": -1}")),
              "scene.json:2:27: settings.hit_speed must not be negative, got -1");
    EXPECT_EQ(refusal(scene_with("\"settings\": {\"may_sleep\": 1}")),
              "scene.json:2:27: settings.may_sleep must be true or false, got 1");
    EXPECT_EQ(refusal(scene_with("\"settings\": {\"impact\": 1}")),
              "scene.json:2:24: settings.impact must be \"newton\", \"poisson\", \"energetic\", "
              "\"euler\", \"mirtich\" or \"planar\", got 1");
    EXPECT_EQ(refusal(scene_with("\"settings\": {\"iterations\": 1}")),
              "scene.json:2:14: settings has an unknown key \"iterations\"; rigor info --settings "
              "lists them");
    EXPECT_EQ(
        body_refusal(R"({"lock": ["tw"]})"),
        "scene.json:2:23: bodies[0].lock[0] must be \"tx\", \"ty\", \"tz\", \"rx\", \"ry\" or "
        "\"rz\", got \"tw\"");
    EXPECT_EQ(shape_refusal(R"({"type": "sphere", "radius": 1, "color": "red"})"),
              "scene.json:2:86: bodies[0].shapes[0].color must be \"#rrggbb\" or [r, g, b] with "
              "parts from 0 to 1, got \"red\"");
}

TEST(SceneErrors, Materials) {
    EXPECT_EQ(refusal(scene_with("\"materials\": {\"wood\": {\"friction\": -1}}")),
              "scene.json:2:36: materials.wood.friction must not be negative, got -1");
    EXPECT_EQ(refusal(scene_with("\"materials\": {\"wood\": {\"restitution\": 1.5}}")),
              "scene.json:2:39: materials.wood.restitution must be from 0 to 1, got 1.5");
    EXPECT_EQ(refusal(scene_with("\"materials\": {\"wood\": {\"static_friction\": 1}}")),
              "scene.json:2:23: materials.wood must have \"kinetic_friction\"");
    EXPECT_EQ(refusal(scene_with("\"materials\": {\"wood\": {\"static_friction\": 0.1, "
                                 "\"kinetic_friction\": 0.2}}")),
              "scene.json:2:68: materials.wood.kinetic_friction must not exceed static_friction");
    const std::string wood = "\"materials\": {\"wood\": {}}, ";
    EXPECT_EQ(
        refusal(scene_with(
            wood +
            R"("bodies": [{"shapes": [{"type": "sphere", "radius": 1, "material": "wod"}]}])")),
        "scene.json:2:95: bodies[0].shapes[0].material names an unknown material \"wod\"; did "
        "you mean \"wood\"?");
    EXPECT_EQ(
        refusal(scene_with(
            wood +
            R"("bodies": [{"shapes": [{"type": "sphere", "radius": 1, "material": "wood", "friction": 1}]}])")),
        "scene.json:2:51: bodies[0].shapes[0] may have only one of \"material\" and "
        "\"friction\"");
}

TEST(SceneErrors, Names) {
    EXPECT_EQ(refusal(scene_with("\"bodies\": [{\"name\": \"a\", " + kBall +
                                 "},\n{\"name\": \"a\", " + kBall + "}]")),
              "scene.json:3:1: bodies[1] repeats the body name \"a\"");
    EXPECT_EQ(
        body_refusal("{\"name\": \"world\", " + kBall + "}"),
        "scene.json:2:13: bodies[0] may not be named \"world\", which means no body at all in "
        "a joint");
    EXPECT_EQ(body_refusal("{\"name\": \"\", " + kBall + "}"),
              "scene.json:2:22: bodies[0].name must not be empty");
}

TEST(SceneErrors, Joints) {
    EXPECT_EQ(joint_refusal(R"({"type": "ball", "a": "plonk", "b": "floor", "anchor": [0, 0, 0]})"),
              "scene.json:3:34: joints[0].a names an unknown body \"plonk\"; did you mean "
              "\"plank\"?");
    EXPECT_EQ(joint_refusal(R"({"type": "ball", "a": "plank", "b": "plank", "anchor": [0, 0, 0]})"),
              "scene.json:3:12: joints[0] joins a body to itself");
    EXPECT_EQ(joint_refusal(R"({"type": "ball", "a": "world", "anchor": [0, 0, 0]})"),
              "scene.json:3:12: joints[0] joins the world to itself");
    EXPECT_EQ(joint_refusal(R"({"type": "ball", "a": "plank"})"),
              "scene.json:3:12: joints[0] must have \"anchor\"");
    EXPECT_EQ(joint_refusal(R"({"type": "hinge", "a": "plank", "anchor": [0, 0, 0]})"),
              "scene.json:3:12: joints[0] must have \"axis\"");
    EXPECT_EQ(
        joint_refusal(
            R"({"type": "hinge", "a": "plank", "anchor": [0, 0, 0], "axis": [0, 0, 1], "limits": [1, -1]})"),
        "scene.json:3:94: joints[0].limits must be [lo, hi] with lo <= hi, got [1, -1]");
    EXPECT_EQ(
        joint_refusal(
            R"({"type": "hinge", "a": "plank", "anchor": [0, 0, 0], "axis": [0, 0, 1], "motor": {}})"),
        "scene.json:3:93: joints[0].motor must have exactly one of \"target_velocity\" and "
        "\"target_position\"");
    EXPECT_EQ(joint_refusal(R"({"type": "pin", "a": "plank"})"),
              "scene.json:3:21: joints[0].type must be \"ball\", \"hinge\", \"slider\", \"fixed\", "
              "\"distance\", \"cone_twist\", \"six_dof\", \"wheel\", \"gear\" or \"track\", got "
              "\"pin\"");
    EXPECT_EQ(joint_refusal(R"({"type": "gear", "joints": ["x", "y"], "ratio": 2})"),
              "scene.json:3:40: joints[0].joints[0] names an unknown joint \"x\"");
    EXPECT_EQ(joint_refusal(R"({"type": "distance", "a": "plank", "length": 1})"),
              "scene.json:3:12: joints[0] must have \"anchor\"");
}

TEST(SceneErrors, Vehicles) {
    const auto vehicle = [](const std::string& fields) {
        const std::string refused = refusal(scene_with(
            "\"generate\": [{\"pattern\": \"vehicle\", \"wheels\": [[1, 1], [1, -1], [-1, 0]],"
            "\"wheel\": {\"shapes\": [{\"type\": \"sphere\", \"radius\": 0.3}]},"
            "\"body\": {\"shapes\": [{\"type\": \"box\", \"size\": [3, 2, 1]}]}, " +
            fields + "}]"));
        return refused.substr(std::min(refused.size(), refused.find(": ") + 2));
    };
    EXPECT_EQ(vehicle(R"("steered": [0, 0, 0])"), "generate[0].steered[1] names wheel 0 twice");
    EXPECT_EQ(vehicle(R"("driven": [2, 1, 2])"), "generate[0].driven[2] names wheel 2 twice");
    EXPECT_EQ(vehicle(R"("hand_brake": {"wheels": [1, 1]})"),
              "generate[0].hand_brake.wheels[1] names wheel 1 twice");
    EXPECT_EQ(vehicle(R"("driven": [3])"),
              "generate[0].driven[0] must be a whole number from 0 to 2, got 3");
    EXPECT_EQ(vehicle(R"("drive_force": 1, "engine": {"torque": 1})"),
              "generate[0] may have only one of \"engine\" and \"drive_force\"");
    EXPECT_EQ(vehicle(R"("engine": {"torque": [[1000, 5], [900, 5]]})"),
              "generate[0].engine.torque[1] must have a higher rpm than the point before");
    EXPECT_EQ(vehicle(R"("engine": {"torque": 9, "gears": [1, 2]})"),
              "generate[0].engine.gears[1] must be below the ratio of the gear before, got 2");
    EXPECT_EQ(vehicle(R"("engine": {"torque": 9, "gears": [2, 1]})"),
              "generate[0].engine with several gears needs redline_rpm or shift_up_rpm");
    EXPECT_EQ(vehicle(R"("engine": {"torque": 9, "shift_down_rpm": 5})"),
              "generate[0].engine.shift_down_rpm needs redline_rpm or shift_up_rpm");
    EXPECT_EQ(vehicle(R"("drive": [{"t": 1}, {"t": 1}])"),
              "generate[0].drive[1].t must be later than the keyframe before, got 1");
    EXPECT_EQ(vehicle(R"("drive": [{"t": 1, "gear": 2}])"),
              "generate[0].drive[0].gear must be a whole number from -1 to 1, got 2");
    EXPECT_EQ(vehicle(R"("travel": [0.1, 0.2])"),
              "generate[0].travel must contain 0, where the vehicle is built");
    EXPECT_EQ(refusal(scene_with(
                  R"("generate": [{"pattern": "vehicle", "wheels": [[1, 1], [1, 1]],
                      "wheel": {"shapes": [{"type": "sphere", "radius": 0.3}]},
                      "body": {"shapes": [{"type": "box", "size": [3, 2, 1]}]}}])")),
              "scene.json:2:56: generate[0].wheels[1] is where wheel 0 is");
}

TEST(SceneErrors, Patterns) {
    const auto pattern = [](const std::string& fields) {
        return refusal(
            scene_with("\"generate\": [{" + fields +
                       "\"body\": {\"shapes\": [{\"type\": \"sphere\", \"radius\": 1}]}}]"));
    };
    EXPECT_EQ(
        pattern(R"("pattern": "heap", )"),
        "scene.json:2:26: generate[0].pattern must be \"stack\", \"grid\", \"pyramid\", "
        "\"wall\", \"diamond\", \"pile\", \"chain\", \"domino\" or \"vehicle\", got \"heap\"");
    EXPECT_EQ(pattern(R"("pattern": "stack", "count": 0, )"),
              "scene.json:2:44: generate[0].count must be a whole number from 1 to 2000000, got 0");
    EXPECT_EQ(pattern(R"("pattern": "pyramid", "base": 2000000, )"),
              "scene.json:2:14: generate[0] makes more than 2000000 bodies");
    EXPECT_EQ(pattern(R"("pattern": "grid", "count": [2000000, 2000000, 2000000], )"),
              "scene.json:2:14: generate[0] makes more than 2000000 bodies");
    EXPECT_EQ(pattern(R"("pattern": "pile", "count": 9, "region": [[0, 0, 0], [4, 4, 4]], )"),
              "scene.json:2:56: generate[0].region is too small for 9 such bodies");
    EXPECT_EQ(pattern(R"("pattern": "stack", )"),
              "scene.json:2:14: generate[0] must have \"count\"");
    EXPECT_EQ(refusal(scene_with(
                  R"("generate": [{"pattern": "stack", "count": 2, "body": {"name": "x"}}])")),
              "scene.json:2:56: generate[0].body has an unknown key \"name\"");
    EXPECT_EQ(
        refusal(scene_with(
            R"("generate": [{"pattern": "stack", "count": 2, "body": {"type": "static", "shapes": [{"type": "plane", "normal": [0, 0, 1]}]}}])")),
        "scene.json:2:55: generate[0].body must have shapes of finite size, from which its "
        "place in the pattern follows");
}

TEST(SceneErrors, RepeatedPatternNames) {
    const std::string stack =
        R"({"pattern": "stack", "count": 2, "body": {"shapes": [{"type": "sphere", "radius": 1}]}})";
    EXPECT_EQ(refusal(scene_with("\"generate\": [" + stack + ",\n" + stack + "]")),
              "scene.json:3:1: generate[1] repeats the pattern name \"stack\"");
    EXPECT_EQ(refusal(scene_with("\"bodies\": [{\"name\": \"stack[1]\", " + kBall +
                                 "}],\n\"generate\": [" + stack + "]")),
              "scene.json:3:14: generate[0] repeats the body name \"stack[1]\"");
}

TEST(SceneErrors, DeepAndTruncatedText) {
    EXPECT_EQ(refusal("{\"rigor\": 1, \"bodies\": " + std::string(200, '[') +
                      std::string(200, ']') + "}"),
              "scene.json:1:87: values may be nested at most 64 deep");
    EXPECT_EQ(refusal("{\"rigor\": 1, \"bodies\": ["),
              "scene.json:1:25: the text ends where a value was expected");
}

TEST(SceneErrors, CarryACode) {
    const auto code = [](const std::string& text) { return parse_scene(text, "s").error().code; };
    EXPECT_EQ(code("{"), ErrorCode::syntax);
    EXPECT_EQ(code("{\"rigor\": 3}"), ErrorCode::invalid_value);
    EXPECT_EQ(code(scene_with(R"("forces": [{"body": "x", "force": [0, 0, 1]}])")),
              ErrorCode::not_found);
    EXPECT_EQ(load_scene("no/such/scene.json").error().code, ErrorCode::not_found);
}

} // namespace
} // namespace rigor::test
