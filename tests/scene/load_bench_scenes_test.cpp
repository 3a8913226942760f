// The benchmark scenes beside the repository: large files in the wild, and layouts our
// patterns must reproduce.
#include <chrono>
#include <map>

#include "scene_test_support.h"
#include "test_support.h"

namespace rigor::test {
namespace {

Scene bench_scene(const std::string& name) {
    const Result<Scene> scene = load_scene(data_dir() / "bench_scenes" / (name + ".json"));
    EXPECT_TRUE(scene.ok()) << to_string(scene.error());
    return scene ? *scene : Scene{};
}

TEST(BenchScenes, LoadWithAllTheirBodiesAndJoints) {
    RIGOR_NEEDS_DATA();
    struct Expected {
        std::size_t bodies, joints;
    };
    const std::map<std::string, Expected> expected = {
        {"chains", {2101, 2000}},  {"mesh", {2005, 0}},       {"pile_hulls", {2005, 0}},
        {"pile_mixed", {4005, 0}}, {"pyramid", {821, 0}},     {"pyramids_many", {1376, 0}},
        {"tall_stack20", {21, 0}}, {"tall_stack40", {41, 0}}, {"wall", {602, 0}},
    };
    for (const auto& [name, counts] : expected) {
        SCOPED_TRACE(name);
        const auto start = std::chrono::steady_clock::now();
        const Scene scene = bench_scene(name);
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - start;
        EXPECT_EQ(scene.bodies.size(), counts.bodies);
        EXPECT_EQ(scene.joints.size(), counts.joints);
        EXPECT_EQ(scene.materials.size(), 2u);
        EXPECT_TRUE(scene.warnings.empty());
        RecordProperty(name + "_ms", static_cast<int>(taken.count()));
    }
}

/// The bodies of `made` stand where those of the file stand, from body `first` on.
void expect_same_positions(const Scene& made, const Scene& file, std::size_t first) {
    ASSERT_LE(first + made.bodies.size(), file.bodies.size());
    for (std::size_t i = 0; i < made.bodies.size(); ++i)
        ASSERT_LT(length(made.bodies[i].def.position - file.bodies[first + i].def.position), 1e-6)
            << i;
}

TEST(BenchScenes, PatternsReproducePyramidWallAndStack) {
    RIGOR_NEEDS_DATA();
    const std::string cube = R"("body": {"shapes": [{"type": "box", "size": [1, 1, 1]}]})";
    const Scene pyramid =
        parsed(scene_with(R"("generate": [{"pattern": "pyramid", "base": 40, )" + cube + "}]"));
    EXPECT_EQ(pyramid.bodies.size(), 820u);
    expect_same_positions(pyramid, bench_scene("pyramid"), 1);

    const Scene wall = parsed(scene_with(
        R"("generate": [{"pattern": "wall", "count": 20, "length": 30, "gap": 0.01,
            "body": {"shapes": [{"type": "box", "size": [1, 0.5, 0.5]}]}}])"));
    EXPECT_EQ(wall.bodies.size(), 600u);
    expect_same_positions(wall, bench_scene("wall"), 1);

    const Scene stack =
        parsed(scene_with(R"("generate": [{"pattern": "stack", "count": 40, )" + cube + "}]"));
    expect_same_positions(stack, bench_scene("tall_stack40"), 1);
}

// 5 x 5 pyramids of base 10; the file's first stands at (-26, 10).
TEST(BenchScenes, PatternsReproduceOneOfManyPyramids) {
    RIGOR_NEEDS_DATA();
    const Scene one = parsed(
        scene_with(R"("generate": [{"pattern": "pyramid", "base": 10, "position": [-26, 10, 0],
            "body": {"shapes": [{"type": "box", "size": [1, 1, 1]}]}}])"));
    EXPECT_EQ(one.bodies.size(), 55u);
    expect_same_positions(one, bench_scene("pyramids_many"), 1);
}

// A link of radius 0.1 and length 0.4 is 0.6 long, and so far apart stand the file's links and
// joints.
TEST(BenchScenes, ChainLinksAreAsFarApartAsInTheFile) {
    RIGOR_NEEDS_DATA();
    const Scene file = bench_scene("chains");
    const Scene made = parsed(scene_with(
        R"("generate": [{"pattern": "chain", "count": 20, "axis": [0, 0, -1], "fixed": "first",
            "body": {"shapes": [{"type": "capsule", "radius": 0.1, "length": 0.4}]}}])"));
    ASSERT_EQ(made.joints.size(), 20u);
    for (std::size_t i = 1; i < 20; ++i) {
        const auto gap = [&](const Scene& s) {
            return length(s.joints[i].def.anchor - s.joints[i - 1].def.anchor);
        };
        EXPECT_NEAR(gap(made), gap(file), 1e-6);
    }
}

} // namespace
} // namespace rigor::test
