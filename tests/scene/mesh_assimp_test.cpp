// Mesh formats that Assimp reads.

#include <gtest/gtest.h>

#include "geometry/mesh_samples.h"
#include "rigor/mesh.h"
#include "rigor/mesh_file.h"
#include "test_support.h"

namespace rigor::test {
namespace {

TEST(OtherFormats, GoThroughAssimp) {
    const std::string off =
        "OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    const TriangleSoup soup = parse_mesh(off, "off", "a.off").value();
    EXPECT_EQ(soup.triangles.size(), 4u);
    EXPECT_NEAR(mesh_mass(soup)->volume, 1.0 / 6, 1e-15);
}

std::string collada(const std::string& before, const std::string& after) {
    return R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
<technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">)" +
           before + R"(<node id="n"><instance_geometry url="#g"/></node>)" + after +
           R"(</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

std::string repeat(const std::string& text, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += text;
    return result;
}

TEST(OtherFormats, ColladaIsRead) {
    for (const int depth : {0, 500}) {
        const std::string text = collada(repeat("<node>", depth), repeat("</node>", depth));
        const TriangleSoup soup = parse_mesh(text, "dae", "a.dae").value();
        EXPECT_NEAR(mesh_mass(soup)->volume, 1.0 / 6, 1e-15);
    }
}

// Assimp goes down one call for each level, and would leave the stack.
TEST(OtherFormats, DeepColladaIsRefused) {
    const std::string deep = collada(repeat("<node>", 60'000), repeat("</node>", 60'000));
    EXPECT_EQ(to_string(parse_mesh(deep, "dae", "a.dae").error()),
              "a.dae: elements must be nested at most 1000 deep, got 60004");
    const std::string hidden = collada(repeat("<node><!--</node>-->", 60'000), "");
    EXPECT_EQ(parse_mesh(hidden, "dae", "a.dae").error().code, ErrorCode::limit);
    const std::string loop = collada("<node id=\"m\"><instance_node url=\"#m\"/>", "</node>");
    EXPECT_EQ(to_string(parse_mesh(loop, "dae", "a.dae").error()),
              "a.dae: <instance_node in a COLLADA file is not read");
}

// One format does not come in under the name of another, nor do those that were not made safe.
TEST(OtherFormats, OnlyThoseNamedAreRead) {
    for (const char* format : {"fbx", "3ds", "blend", "x", "xml", "zae", "assbin", ""}) {
        const Result<TriangleSoup> result = parse_mesh("anything", format, "a");
        ASSERT_FALSE(result.ok()) << format;
        EXPECT_EQ(result.error().code, ErrorCode::unsupported) << format;
        EXPECT_EQ(result.error().message.rfind("a mesh file must be obj, stl, ply, gltf", 0), 0u);
    }
    const Result<TriangleSoup> disguised = parse_mesh(collada("", ""), "off", "a.off");
    ASSERT_FALSE(disguised.ok());
    EXPECT_EQ(disguised.error().message.rfind("cannot be read: ", 0), 0u);
}

} // namespace
} // namespace rigor::test
