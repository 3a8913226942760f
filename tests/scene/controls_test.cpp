// Controls of a scene: what is read, what begins where, and what is refused.

#include "scene_test_support.h"

namespace rigor::test {
namespace {

/// A ball and a floor with these controls, the first of which begins at line 6, column 15.
std::string with_controls(const std::string& controls) {
    return R"({ "rigor": 1, "gravity": [0, 0, -5],
  "settings": { "substeps": 8, "may_sleep": false },
  "materials": { "m": { "friction": 0.5, "restitution": 0.25 } },
  "bodies": [ { "name": "ball", "shapes": [ { "type": "sphere", "radius": 1, "material": "m" } ] } ],

"controls": [ )" +
           controls + " ] }";
}

SceneControl only_control(const std::string& control, const LoadOptions& options = {}) {
    const Scene scene = parsed(with_controls(control), {}, options);
    EXPECT_EQ(scene.controls.size(), 1u);
    return scene.controls.empty() ? SceneControl{} : scene.controls[0];
}

std::string refused(const std::string& controls) {
    return refusal(with_controls(controls));
}

const std::string kFriction =
    R"({ "type": "slider", "label": "Friction", "unit": "-", "path": "materials.m.friction",
         "range": [0, 1], "step": 0.05 })";

TEST(Controls, ASliderHasTheValueOfTheScene) {
    const SceneControl c = only_control(kFriction);
    EXPECT_EQ(c.type, ControlType::slider);
    EXPECT_EQ(c.label, "Friction");
    EXPECT_EQ(c.unit, "-");
    EXPECT_EQ(c.path, "materials.m.friction");
    EXPECT_EQ(c.range, (Range{0, 1}));
    EXPECT_EQ(c.step, 0.05);
    EXPECT_EQ(c.value, ControlValue(0.5));
}

TEST(Controls, SwitchesChoicesAndButtons) {
    const SceneControl sleep =
        only_control(R"({ "type": "switch", "label": "Sleep", "path": "settings.may_sleep" })");
    EXPECT_EQ(sleep.value, ControlValue(false));
    EXPECT_EQ(sleep.values, (std::vector<ControlValue>{false, true}));
    const SceneControl weight = only_control(
        R"({ "type": "switch", "label": "Weight", "path": "gravity[2]", "range": [0, -5] })");
    EXPECT_EQ(weight.value, ControlValue(-5.0));
    const SceneControl method = only_control(
        R"({ "type": "choice", "label": "Method", "path": "method", "range": ["fast", "penalty"] })");
    EXPECT_EQ(method.value, ControlValue("fast"));
    EXPECT_EQ(json_text(method.values[1]), "\"penalty\"");
    const SceneControl again =
        only_control(R"({ "type": "button", "label": "Again", "action": "restart" })");
    EXPECT_EQ(again.action, "restart");
    EXPECT_EQ(again.path, "");
}

// What every scene has need not be written in it.
TEST(Controls, DefaultsMayBeControlled) {
    const auto value = [](const std::string& path, const std::string& range) {
        return only_control(R"({ "type": "slider", "label": "x", "path": ")" + path +
                            R"(", "range": )" + range + " }")
            .value;
    };
    EXPECT_EQ(value("time_step", "[0.001, 0.1]"), ControlValue(1.0 / 60.0));
    EXPECT_EQ(value("settings.max_wall_seconds", "[1, 100]"), ControlValue(60.0));
    EXPECT_EQ(value("settings.substeps", "[1, 8]"), ControlValue(8.0));
    EXPECT_EQ(value("gravity[0]", "[-1, 1]"), ControlValue(0.0));
}

// --set may go where the page does not.
TEST(Controls, AnOverrideIsTheValueWhereverItLies) {
    const SceneControl c = only_control(kFriction, {{{"materials.m.friction", "3"}}});
    EXPECT_EQ(c.value, ControlValue(3.0));
}

TEST(Controls, MistakesAreToldByTheirPlace) {
    EXPECT_EQ(refused(R"({ "type": "knob", "label": "x" })"),
              "scene.json:6:25: controls[0].type must be \"slider\", \"switch\", \"button\" or "
              "\"choice\", got \"knob\"");
    EXPECT_EQ(
        refused(R"({ "type": "slider", "label": "x", "path": "bodies[0].mass", "range": [0, 1] })"),
        "scene.json:6:57: controls[0].path names no value of the scene, got "
        "\"bodies[0].mass\"; a control begins with the value that is written there");
    EXPECT_EQ(refused(R"({ "type": "slider", "label": "x", "path": "bodies[0", "range": [0, 1] })"),
              "scene.json:6:57: controls[0].path must be written like settings.substeps or "
              "bodies[0].mass, got \"bodies[0\"");
    EXPECT_EQ(refused(R"({ "type": "slider", "label": "x", "path": "gravity", "range": [0, 1] })"),
              "scene.json:6:57: controls[0].path must name a number, a text, true or false, got "
              "\"gravity\"");
    EXPECT_EQ(
        refused(
            R"({ "type": "slider", "label": "x", "path": "controls[0].step", "range": [0, 1] })"),
        "scene.json:6:57: controls[0].path must not lead to the controls");
    EXPECT_EQ(
        refused(R"({ "type": "slider", "label": "x", "path": "gravity[2]", "range": [1, 1] })"),
        "scene.json:6:80: controls[0].range must be [lo, hi] with lo < hi, got [1, 1]");
    EXPECT_EQ(
        refused(R"({ "type": "slider", "label": "x", "path": "gravity[2]", "range": [0, 1] })"),
        "scene.json:6:80: controls[0].range must hold the value that the scene has, -5");
    EXPECT_EQ(refused(R"({ "type": "slider", "label": "x", "path": "method", "range": [0, 1] })"),
              "scene.json:6:15: controls[0] is a slider, whose path must name a number");
    EXPECT_EQ(refused(R"({ "type": "switch", "label": "x", "path": "gravity[2]" })"),
              "scene.json:6:15: controls[0] is a switch, whose path must name true or false unless "
              "it has a range");
    EXPECT_EQ(
        refused(
            R"({ "type": "choice", "label": "x", "path": "method", "range": ["fast", "fast"] })"),
        "scene.json:6:76: controls[0].range has \"fast\" twice");
    EXPECT_EQ(refused(R"({ "type": "button", "label": "x", "action": "jump" })").substr(0, 72),
              "scene.json:6:59: controls[0].action must be \"restart\", \"run\", \"pause\", \"");
    EXPECT_EQ(refused(R"({ "type": "button", "label": "x", "action": "run", "path": "method" })"),
              "scene.json:6:66: controls[0] has an unknown key \"path\"");
}

TEST(Controls, NoTwoAreTheSame) {
    EXPECT_EQ(
        refused(kFriction + "," + R"({ "type": "button", "label": "Friction", "action": "run" })"),
        "scene.json:7:71: controls[1].label: \"Friction\" is that of controls[0]");
    EXPECT_EQ(
        refused(
            kFriction + "," +
            R"({ "type": "slider", "label": "x", "path": "materials.m.friction", "range": [0, 1] })"),
        "scene.json:7:84: controls[1].path: \"materials.m.friction\" is that of controls[0]");
}

// Every end of a range is tried, so that no control leads to a scene that cannot be read.
TEST(Controls, ARangeHoldsNoValueThatTheSceneRefuses) {
    EXPECT_EQ(refused(kFriction + "," +
                      R"({ "type": "slider", "label": "e", "path": "materials.m.restitution",
                 "range": [0, 2] })"),
              "scene.json:8:27: controls[1].range: the scene refuses 2 for "
              "materials.m.restitution: the value must be from 0 to 1, got 2");
    EXPECT_THAT(
        refused(
            R"({ "type": "choice", "label": "x", "path": "method", "range": ["fast", "slow"] })"),
        testing::HasSubstr("the scene refuses \"slow\" for method: the value must be"));
}

} // namespace
} // namespace rigor::test
