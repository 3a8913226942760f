// Scenes that include others: poses, prefixes, limits and errors.

#include "scene_test_support.h"
#include "test_support.h"

namespace rigor::test {
namespace {

const std::string kPart = R"({ "rigor": 1, "gravity": [9, 9, 9],
    "materials": { "steel": { "density": 7800 } },
    "bodies": [ { "name": "ball", "position": [1, 0, 0], "velocity": [0, 2, 0],
                  "shapes": [ { "type": "sphere", "radius": 1, "material": "steel" } ] } ],
    "joints": [ { "name": "pin", "type": "hinge", "a": "ball", "anchor": [1, 0, 1],
                  "axis": [1, 0, 0] } ],
    "forces": [ { "body": "ball", "force": [1, 0, 0] } ] })";

// A quarter turn about z takes x to y and y to -x; then everything is moved.
TEST(Include, PlacesAnotherSceneByAPose) {
    const TemporaryFolder folder;
    folder.write("part.json", kPart);
    const Scene scene = parsed(scene_with(R"("include": [
        { "file": "part.json", "prefix": "left.", "position": [0, 0, 5],
          "orientation": { "axis": [0, 0, 1], "angle_deg": 90 } },
        { "file": "part.json", "prefix": "right." } ],
        "joints": [ { "type": "fixed", "a": "left.ball", "b": "right.ball" } ])"),
                               folder.path());
    ASSERT_EQ(scene.bodies.size(), 2u);
    EXPECT_EQ(scene.gravity, (Vec3d{0, 0, -9.81})); // the scene's own
    const BodyDef& left = scene.bodies[0].def;
    EXPECT_EQ(left.name, "left.ball");
    EXPECT_NEAR(length(left.position - Vec3d{0, 1, 5}), 0, 1e-15);
    EXPECT_NEAR(length(left.velocity - Vec3d{-2, 0, 0}), 0, 1e-15);
    EXPECT_EQ(left.shapes[0].material.density, 7800);
    EXPECT_EQ(scene.bodies[1].def.position, (Vec3d{1, 0, 0}));
    ASSERT_EQ(scene.joints.size(), 3u);
    EXPECT_EQ(scene.joints[0].def.name, "left.pin");
    EXPECT_NEAR(length(scene.joints[0].def.anchor - Vec3d{0, 1, 6}), 0, 1e-15);
    const auto& pin = std::get<HingeJoint>(scene.joints[0].def.kind);
    EXPECT_NEAR(length(pin.axis - Vec3d{0, 1, 0}), 0, 1e-15);
    EXPECT_NEAR(length(*scene.forces[0].force - Vec3d{0, 1, 0}), 0, 1e-15);
    EXPECT_EQ(scene.joints[2].a, 0);
    EXPECT_EQ(scene.joints[2].b, 1);
}

TEST(Include, WithoutPrefixesNamesMustNotMeet) {
    const TemporaryFolder folder;
    folder.write("part.json", kPart);
    EXPECT_EQ(refusal(scene_with(R"("include": [{"file": "part.json"}, {"file": "part.json"}])"),
                      folder.path()),
              "part.json:3:17: bodies[0] repeats the body name \"ball\"");
    EXPECT_EQ(
        refusal(scene_with(R"("materials": {"steel": {}}, "include": [{"file": "part.json"}])"),
                folder.path()),
        "part.json:2:20: materials.steel is already defined otherwise in another file of the "
        "scene");
}

TEST(Include, CyclesAreRefused) {
    const TemporaryFolder folder;
    folder.write("a.json", R"({"rigor": 1, "include": [{"file": "b.json"}]})");
    folder.write("b.json", R"({"rigor": 1, "include": [{"file": "a.json"}]})");
    folder.write("self.json", R"({"rigor": 1, "include": [{"file": "./self.json"}]})");
    const std::string in_folder = folder.path().string() + "/";
    const auto load = [&](const std::string& name) {
        const Result<Scene> scene = load_scene(folder.path() / name);
        return scene ? "accepted" : to_string(scene.error());
    };
    EXPECT_EQ(load("a.json"), in_folder +
                                  "b.json:1:35: include[0].file includes \"a.json\", which "
                                  "is being read already: a cycle");
    EXPECT_EQ(load("self.json"), in_folder +
                                     "self.json:1:35: include[0].file includes "
                                     "\"./self.json\", which is being read already: a cycle");
}

TEST(Include, DepthIsLimited) {
    const TemporaryFolder folder;
    for (int i = 0; i < 12; ++i)
        folder.write(std::to_string(i) + ".json", R"({"rigor": 1, "include": [{"file": ")" +
                                                      std::to_string(i + 1) + ".json\"}]}");
    folder.write("12.json", R"({"rigor": 1})");
    EXPECT_EQ(refusal(scene_with(R"("include": [{"file": "0.json"}])"), folder.path()),
              "7.json:1:35: include[0].file is nested deeper than 8 includes");
    EXPECT_EQ(refusal(scene_with(R"("include": [{"file": "8.json"}])"), folder.path()), "accepted");
}

// Two includes in each of 8 levels would be 510 files; ten in each would never end.
TEST(Include, NumberIsLimited) {
    const TemporaryFolder folder;
    for (int i = 0; i < 8; ++i) {
        std::string ten;
        for (int k = 0; k < 10; ++k)
            ten += std::string(k ? "," : "") + R"({"file": ")" + std::to_string(i + 1) + ".json\"}";
        folder.write(std::to_string(i) + ".json", "{\"rigor\": 1, \"include\": [" + ten + "]}");
    }
    folder.write("8.json", R"({"rigor": 1})");
    EXPECT_THAT(refusal(scene_with(R"("include": [{"file": "1.json"}])"), folder.path()),
                testing::EndsWith("is more than the 1000 includes allowed"));
}

TEST(Include, MistakesAreReportedInTheirOwnFile) {
    const TemporaryFolder folder;
    folder.write("sub/bad.json", "{\"rigor\": 1,\n \"bodies\": [{\"mass\": 0}]}");
    folder.write("sub/cut.json", "{\"rigor\": 1,");
    EXPECT_EQ(refusal(scene_with(R"("include": [{"file": "sub/bad.json"}])"), folder.path()),
              "sub/bad.json:2:22: bodies[0].mass must be positive, got 0");
    EXPECT_EQ(refusal(scene_with(R"("include": [{"file": "sub/cut.json"}])"), folder.path()),
              "sub/cut.json:1:13: the text ends inside an object");
    EXPECT_EQ(refusal(scene_with(R"("include": [{"file": "no.json"}])"), folder.path()),
              "scene.json:2:22: include[0].file names \"no.json\": there is no such file");
    EXPECT_EQ(refusal(scene_with(R"("include": [{"file": "../x.json"}])"), folder.path()),
              "scene.json:2:22: include[0].file must not lead outside the scene's folder, got "
              "\"../x.json\"");
}

} // namespace
} // namespace rigor::test
