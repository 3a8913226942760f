// `--set PATH=VALUE`: overridden values pass the checks of the file, and errors name the flag.

#include "scene_test_support.h"

namespace rigor::test {
namespace {

const std::string kScene = R"({ "rigor": 1, "gravity": [0, 0, -9.81],
  "bodies": [ { "name": "a", "mass": 1, "shapes": [ { "type": "sphere", "radius": 1 } ] } ] })";

Scene with(const std::string& path, const std::string& value) {
    return parsed(kScene, {}, {{{path, value}}});
}

std::optional<std::string> integrator_of(const Scene& scene) {
    return scene.settings.find_as<std::string>("integrator");
}

std::string refused(const std::string& path, const std::string& value) {
    return refusal(kScene, {}, {{{path, value}}});
}

TEST(Override, ReachesAnyField) {
    EXPECT_EQ(with("settings.substeps", "8").settings.find_as<std::int64_t>("substeps"), 8);
    EXPECT_EQ(integrator_of(with("settings.integrator", "rk4")), "rk4"); // a bare word
    EXPECT_EQ(integrator_of(with("settings.integrator", "\"exact\"")), "exact");
    EXPECT_EQ(with("gravity[2]", "-1.5").gravity.z, -1.5);
    EXPECT_EQ(with("gravity", "[1, 2, 3]").gravity, (Vec3d{1, 2, 3}));
    EXPECT_EQ(with("bodies[0].mass", "7").bodies[0].def.mass, 7);
    EXPECT_EQ(with("bodies[0].can_sleep", "false").bodies[0].def.can_sleep, false);
    EXPECT_EQ(with("bodies[0].shapes[0].radius", "2").bodies.size(), 1u);
    EXPECT_EQ(with("name", "my scene").name, "my scene");
}

// What a scene leaves at its default can be changed in one element.
TEST(Override, ReachesElementsOfDefaultVectors) {
    const std::string bare = R"({ "rigor": 1,
      "bodies": [ { "shapes": [ { "type": "sphere", "radius": 1 } ] } ] })";
    const auto set = [&](const std::string& path, const std::string& value) {
        return parsed(bare, {}, {{{path, value}}});
    };
    EXPECT_EQ(set("gravity[2]", "-1").gravity, (Vec3d{0, 0, -1}));
    EXPECT_EQ(set("gravity[0]", "1").gravity, (Vec3d{1, 0, Scene{}.gravity.z}));
    EXPECT_EQ(set("bodies[0].position[1]", "5").bodies[0].def.position, (Vec3d{0, 5, 0}));
    EXPECT_EQ(set("bodies[0].velocity[0]", "2").bodies[0].def.velocity, (Vec3d{2, 0, 0}));
    EXPECT_EQ(set("bodies[0].angular_velocity[2]", "3").bodies[0].def.angular_velocity,
              (Vec3d{0, 0, 3}));
    EXPECT_EQ(set("bodies[0].orientation[0]", "-1").bodies[0].def.orientation,
              (Quatd{-1, 0, 0, 0}));
    const CameraDef camera = set("camera.position[0]", "4").camera.value();
    EXPECT_EQ(camera.position, (Vec3d{4, CameraDef{}.position.y, CameraDef{}.position.z}));
    EXPECT_EQ(refusal(bare, {}, {{{"gravity[3]", "1"}}}),
              "--set gravity[3]: element [3] is not there: gravity has 3 elements");
}

TEST(Override, MistakesMayBeNamedAfterAnotherOption) {
    EXPECT_EQ(refusal(kScene, {}, {{{"settings.integrator", "verlet", "--integrator"}}}),
              "--integrator must be \"euler\", \"symplectic\", \"rk4\" or "
              "\"exact\", got \"verlet\"");
}

TEST(Override, LaterOnesSeeEarlierOnes) {
    const Scene scene =
        parsed(kScene, {}, {{{"settings", "{\"substeps\": 2}"}, {"settings.integrator", "euler"}}});
    EXPECT_EQ(scene.settings.find_as<std::int64_t>("substeps"), 2);
    EXPECT_EQ(integrator_of(scene), "euler");
}

// A value of a flag that is not JSON is refused by the rule of its field, one of --set by JSON.
TEST(Override, MistakesAreNamedAfterTheFlagAsItWasWritten) {
    const auto refused_flag = [](const std::string& value) {
        const Result<Scene> scene =
            parse_scene(kScene, "scene.json", {}, {{{"settings.may_sleep", value, "--may-sleep"}}});
        return scene ? std::string() : to_string(scene.error());
    };
    for (const std::string value : {"maybe", "4x", "", "[1", "a\\b\"c"})
        EXPECT_EQ(refused_flag(value), "--may-sleep must be true or false, got \"" + value + "\"");
    EXPECT_EQ(refused_flag("[1]"), "--may-sleep must be true or false, got an array");
}

TEST(Override, AMistakeBelowTheOverriddenValueHasItsPath) {
    EXPECT_EQ(refused("settings", "{\"substeps\": 0}"),
              "--set settings: settings.substeps must be a whole number from 1 to 10000, got 0");
    EXPECT_EQ(refused("bodies[0].shapes[0].type", "ball").substr(0, 42),
              "--set bodies[0].shapes[0].type must be \"sp");
}

TEST(Override, MistakesAreNamedAfterTheOption) {
    EXPECT_EQ(refused("settings.substeps", "0"),
              "--set settings.substeps must be a whole number from 1 to 10000, got 0");
    EXPECT_EQ(refused("settings.substeps", "many"),
              "--set settings.substeps must be a whole number from 1 to 10000, got \"many\"");
    EXPECT_EQ(refused("settings.substep", "1"),
              "--set settings.substep: settings has an unknown key \"substep\"; did you mean "
              "\"substeps\"?");
    EXPECT_EQ(refused("bodies[1].mass", "1"),
              "--set bodies[1].mass: element [1] is not there: bodies has 1 elements");
    EXPECT_EQ(refused("gravity.z", "1"),
              "--set gravity.z: \"z\" is not there: gravity is an array");
    EXPECT_EQ(refused("gravity[2]", "[1,"),
              "--set gravity[2]: the text ends where a value was expected");
    for (const std::string value : {"NaN", "Infinity", "-Infinity"})
        EXPECT_EQ(refused("gravity[2]", value),
                  "--set gravity[2]: numbers must be finite, got " + value);
    for (const char* path : {"", "[0]", "a..b", "a[", "a[x]", "a[0", ".a", "a[0]b"})
        EXPECT_EQ(refused(path, "1"),
                  "--set " + std::string(path) +
                      ": a path is written like settings.substeps or bodies[0].mass, got \"" +
                      path + "\"");
}

} // namespace
} // namespace rigor::test
