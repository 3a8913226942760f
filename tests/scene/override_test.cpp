#include "scene_test_support.h"

namespace rigor::test {
namespace {

const std::string kScene = R"({ "rigor": 1, "gravity": [0, 0, -9.81],
  "bodies": [ { "name": "a", "mass": 1, "shapes": [ { "type": "sphere", "radius": 1 } ] } ] })";

Scene with(const std::string& path, const std::string& value) {
    return parsed(kScene, {}, {{{path, value}}});
}

std::string refused(const std::string& path, const std::string& value) {
    return refusal(kScene, {}, {{{path, value}}});
}

TEST(Override, ReachesAnyField) {
    EXPECT_EQ(with("settings.substeps", "8").settings.substeps, 8);
    EXPECT_EQ(with("settings.integrator", "rk4").settings.integrator, "rk4"); // a bare word
    EXPECT_EQ(with("settings.integrator", "\"exact\"").settings.integrator, "exact");
    EXPECT_EQ(with("gravity[2]", "-1.5").gravity.z, -1.5);
    EXPECT_EQ(with("gravity", "[1, 2, 3]").gravity, (Vec3d{1, 2, 3}));
    EXPECT_EQ(with("bodies[0].mass", "7").bodies[0].def.mass, 7);
    EXPECT_EQ(with("bodies[0].can_sleep", "false").bodies[0].def.can_sleep, false);
    EXPECT_EQ(with("bodies[0].shapes[0].radius", "2").bodies.size(), 1u);
    EXPECT_EQ(with("name", "my scene").name, "my scene");
}

TEST(Override, LaterOnesSeeEarlierOnes) {
    const Scene scene =
        parsed(kScene, {}, {{{"settings", "{\"substeps\": 2}"}, {"settings.integrator", "euler"}}});
    EXPECT_EQ(scene.settings.substeps, 2);
    EXPECT_EQ(scene.settings.integrator, "euler");
}

TEST(Override, MistakesAreNamedAfterTheOption) {
    EXPECT_EQ(refused("settings.substeps", "0"),
              "--set settings.substeps: settings.substeps must be a whole number from 1 to 10000, "
              "got 0");
    EXPECT_EQ(refused("settings.substeps", "many"),
              "--set settings.substeps: settings.substeps must be a number, got a string");
    EXPECT_EQ(refused("settings.substep", "1"),
              "--set settings.substep: settings has an unknown key \"substep\"; did you mean "
              "\"substeps\"?");
    EXPECT_EQ(refused("bodies[1].mass", "1"),
              "--set bodies[1].mass: element [1] is not there: bodies has 1 elements");
    EXPECT_EQ(refused("gravity.z", "1"),
              "--set gravity.z: \"z\" is not there: gravity is an array");
    EXPECT_EQ(refused("gravity[2]", "[1,"),
              "--set gravity[2]: the text ends where a value was expected");
    EXPECT_EQ(refused("gravity[2]", "NaN"), "--set gravity[2]: numbers must be finite, got NaN");
    for (const char* path : {"", "[0]", "a..b", "a[", "a[x]", "a[0", ".a", "a[0]b"})
        EXPECT_EQ(refused(path, "1"),
                  "--set " + std::string(path) +
                      ": a path is written like settings.substeps or bodies[0].mass, got \"" +
                      path + "\"");
}

} // namespace
} // namespace rigor::test
