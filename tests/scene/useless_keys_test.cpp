// Keys that do nothing because of other keys beside them: each has a warning that names it.

#include "scene_test_support.h"

namespace rigor::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kNamedBall =
    R"({ "name": "ball", "shapes": [ { "type": "sphere", "radius": 1 } ] })";

std::vector<std::string> warnings(const std::string& sections) {
    return parsed(scene_with(sections)).warnings;
}
std::vector<std::string> of_body(const std::string& keys, const std::string& shape = "") {
    return warnings(R"("bodies": [ { )" + keys + R"( "shapes": [ { "type": "sphere", "radius": 1)" +
                    shape + " } ] } ]");
}
std::vector<std::string> of_joint(const std::string& keys) {
    return warnings("\"bodies\": [ " + kNamedBall +
                    R"( ], "joints": [ { "a": "ball", "anchor": [0, 0, 1], )" + keys + " } ]");
}
std::vector<std::string> of_car(const std::string& keys) {
    return warnings(R"("generate": [ { "pattern": "vehicle", "wheels": [[1, 0], [-1, 0]],
      "wheel": { "orientation": { "axis": [1, 0, 0], "angle_deg": 90 },
                 "shapes": [ { "type": "cylinder", "radius": 0.4, "height": 0.2 } ] },
      "body": { "shapes": [ { "type": "box", "size": [3, 1, 0.5] } ] }, )" +
                    keys + " } ]");
}

TEST(UselessKeys, OfShapes) {
    EXPECT_THAT(of_body("", R"(, "friction": 0.2, "restitution": 0.5, "density": 5)"), IsEmpty());
    EXPECT_THAT(of_body(R"("type": "static",)", R"(, "density": 5)"), IsEmpty());
    EXPECT_THAT(of_body(R"("type": "static",)", R"(, "hollow": true)"),
                ElementsAre("bodies[0].shapes[0]: hollow does not apply to a body that is not "
                            "dynamic"));
    EXPECT_THAT(of_body(R"("type": "static",)", R"(, "sensor": true, "friction": 0.5)"),
                ElementsAre("bodies[0].shapes[0]: friction does not apply to a sensor"));
    EXPECT_THAT(of_body("", R"(, "friction": 0, "surface_velocity": [1, 0, 0])"),
                ElementsAre("bodies[0].shapes[0]: surface_velocity does not act without friction"));
    EXPECT_THAT(of_body("", R"(, "anisotropy": { "axis": [1, 0, 0], "ratio": 1 })"),
                ElementsAre("bodies[0].shapes[0]: anisotropy has the ratio 1, which is none"));
}

TEST(UselessKeys, OfWheelSurfaces) {
    const auto of_wheel = [](const std::string& keys) {
        return warnings(R"("generate": [ { "pattern": "vehicle", "wheels": [[1, 0], [-1, 0]],
          "wheel": { "orientation": { "axis": [1, 0, 0], "angle_deg": 90 },
                     "shapes": [ { "type": "cylinder", "radius": 0.4, "height": 0.2)" +
                        keys + R"( } ] },
          "body": { "shapes": [ { "type": "box", "size": [3, 1, 0.5] } ] } } ])");
    };
    EXPECT_THAT(of_wheel(R"(, "friction": 0.7, "rolling_resistance": 0.01)"), IsEmpty());
    EXPECT_THAT(of_wheel(R"(, "torsional_friction": 0.1, "surface_velocity": [1, 0, 0])"),
                ElementsAre("generate[0].wheel: torsional_friction does not apply to wheels, which "
                            "have a tire instead",
                            "generate[0].wheel: surface_velocity does not apply to wheels, which "
                            "have a tire instead"));
}

// Between equal limits nothing moves.
TEST(UselessKeys, OfLockedJoints) {
    const std::string actions = R"(, "friction": 2, "motor": { "target_velocity": 1 },
        "spring": { "frequency_hz": 2 })";
    EXPECT_THAT(of_joint(R"("type": "hinge", "axis": [0, 1, 0], "limits": [0, 1])" + actions),
                IsEmpty());
    EXPECT_THAT(of_joint(R"("type": "hinge", "axis": [0, 1, 0], "limits": [1, 1])" + actions),
                ElementsAre("joints[0]: friction does nothing, since the joint is locked",
                            "joints[0]: motor does nothing, since the joint is locked",
                            "joints[0]: spring does nothing, since the joint is locked"));
    EXPECT_THAT(
        of_joint(R"("type": "distance", "anchor_b": [0, 0, 3], "length": 2, "friction": 2)"),
        ElementsAre("joints[0]: friction does nothing, since the joint is locked"));
    EXPECT_THAT(of_joint(R"("type": "six_dof", "friction": 2)"),
                ElementsAre("joints[0]: friction does nothing, since the joint is locked"));
    EXPECT_THAT(of_joint(R"("type": "six_dof", "limits": { "rx": "free" }, "friction": 2)"),
                IsEmpty());
    EXPECT_THAT(of_joint(R"("type": "cone_twist", "axis": [0, 0, 1], "cone": 0, "twist": 0,
                    "friction": 2)"),
                ElementsAre("joints[0]: friction does nothing, since the joint is locked"));
}

TEST(UselessKeys, OfBodies) {
    EXPECT_THAT(of_body(R"("continuous": true, "can_sleep": false,)"), IsEmpty());
    EXPECT_THAT(of_body(R"("type": "kinematic", "continuous": true,)"),
                ElementsAre("bodies[0]: continuous does not apply to a kinematic body"));
    EXPECT_THAT(of_body(R"("mass_properties": { "mass": 1, "center_of_mass": [0, 0, 0],
                  "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]] },)",
                        R"(, "hollow": true)"),
                ElementsAre("bodies[0].shapes[0]: hollow does not matter beside mass_properties"));
    EXPECT_THAT(of_body(R"("plane": "xz", "velocity": [1, 0, 2], "angular_velocity": [0, 3, 0],)"),
                IsEmpty());
    EXPECT_THAT(
        of_body(R"("plane": "xz", "velocity": [1, 1, 0], "angular_velocity": [0, 0, 3],)"),
        ElementsAre("bodies[0]: velocity has a part along \"ty\", which is locked",
                    "bodies[0]: angular_velocity has a part along \"rz\", which is locked"));
    EXPECT_THAT(of_body(R"("lock": ["tx"], "velocity": [1, 0, 0],)"),
                ElementsAre("bodies[0]: velocity has a part along \"tx\", which is locked"));
}

TEST(UselessKeys, OfJointsForcesPairsAndPatterns) {
    EXPECT_THAT(of_joint(R"("type": "ball", "collide": true)"),
                ElementsAre("joints[0]: collide does not apply to a joint with the world, which "
                            "touches nothing"));
    EXPECT_THAT(of_joint(R"("type": "hinge", "axis": [0, 1, 0],
                  "motor": { "target_velocity": 1, "max_force": 0 })"),
                ElementsAre("joints[0]: motor has the max_force 0 and moves nothing"));
    EXPECT_THAT(of_joint(R"("type": "six_dof", "limits": { "tx": "free", "ty": "free", "tz": "free",
                  "rx": "free", "ry": "free", "rz": "free" })"),
                ElementsAre("joints[0]: holds nothing: all its axes are free"));
    EXPECT_THAT(
        warnings(
            "\"bodies\": [ " + kNamedBall +
            R"( ], "forces": [ { "body": "ball", "force": [1, 0, 0], "from": -2, "to": -1 } ])"),
        ElementsAre("forces[0]: ends before the scene begins, at 0 s"));
    EXPECT_THAT(
        warnings("\"bodies\": [ " + kNamedBall +
                 R"( ], "materials": { "m": {}, "n": {} }, "pairs": [ { "a": "m", "b": "n" } ])"),
        ElementsAre("pairs[0]: gives neither friction nor restitution and changes nothing"));
    EXPECT_THAT(
        warnings(R"("generate": [ { "pattern": "grid", "count": [2, 1, 1], "seed": 3, "body":
                  { "shapes": [ { "type": "sphere", "radius": 1 } ] } } ])"),
        ElementsAre("generate[0]: seed does not matter without jitter and tilt"));
}

TEST(UselessKeys, OfVehicles) {
    EXPECT_THAT(of_car(R"("steered": [0], "max_steer": 0.3, "drive": [ { "t": 0, "steer": 1 } ])"),
                IsEmpty());
    EXPECT_THAT(of_car(R"("max_steer": 0.3, "drive": [ { "t": 0, "steer": 1, "throttle": 1 } ])"),
                ElementsAre("generate[0]: max_steer does not matter without steered wheels",
                            "generate[0].drive[0]: steer does nothing: no wheel is steered",
                            "generate[0].drive[0]: throttle does nothing: no wheel is driven"));
    EXPECT_THAT(of_car(R"("driven": [0], "drive_force": 0, "tire": { "reference_load": 9 })"),
                ElementsAre("generate[0]: drive_force is 0 and drives nothing",
                            "generate[0].tire: reference_load does not matter without "
                            "load_sensitivity"));
    EXPECT_THAT(of_car(R"("driven": [0], "engine": { "torque": 9, "shift_time": 1 })"),
                ElementsAre("generate[0].engine: shift_time does not matter with one gear"));
    EXPECT_THAT(
        of_car(R"("hand_brake": { "wheels": [] }, "drive": [ { "t": 0, "hand_brake": true } ])"),
        ElementsAre("generate[0].drive[0]: hand_brake does nothing: it holds no wheel"));
}

} // namespace
} // namespace rigor::test
