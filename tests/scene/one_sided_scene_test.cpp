// `one_sided` of meshes in a scene file: where it means something, and where it is refused.

#include "scene_test_support.h"

namespace rigor::test {
namespace {

using testing::HasSubstr;

std::string sheet(const std::string& keys) {
    return scene_of_shape(R"({ "type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
        "triangles": [[0, 1, 2]])" +
                          keys + " }");
}

TEST(OneSidedScene, IsReadForAnOpenMesh) {
    const auto is_one_sided = [](const std::string& keys) {
        const Scene scene = parsed(sheet(keys));
        return std::get<MeshDef>(scene.bodies.at(0).def.shapes.at(0).geometry).one_sided;
    };
    EXPECT_FALSE(is_one_sided(""));
    EXPECT_TRUE(is_one_sided(R"(, "one_sided": true)"));
}

TEST(OneSidedScene, IsRefusedForSolids) {
    EXPECT_THAT(refusal(sheet(R"(, "one_sided": true, "thickness": 0.1)")),
                HasSubstr("bodies[0].shapes[0].one_sided cannot be given beside thickness"));
    EXPECT_THAT(refusal(scene_of_shape(R"({ "type": "mesh", "one_sided": true,
            "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
            "triangles": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]] })")),
                HasSubstr("bodies[0].shapes[0].one_sided must not be given for a solid"));
}

} // namespace
} // namespace rigor::test
