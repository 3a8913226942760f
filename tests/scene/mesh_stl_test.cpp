// STL files, text and binary: triangles, and errors with their place.

#include <gtest/gtest.h>

#include <cstring>

#include "geometry/mesh_samples.h"
#include "rigor/mesh.h"
#include "rigor/mesh_file.h"
#include "test_support.h"

namespace rigor::test {
namespace {

std::string binary_stl(const TriangleSoup& soup, const std::string& title) {
    std::string bytes = title;
    bytes.resize(80, ' ');
    const auto put = [&](auto value) {
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    put(static_cast<std::uint32_t>(soup.triangles.size()));
    for (const Corners& t : soup.triangles) {
        for (int i = 0; i < 3; ++i) put(0.0f);
        for (const std::uint32_t v : t) {
            for (int i = 0; i < 3; ++i) put(static_cast<float>(soup.vertices[v][i]));
        }
        put(std::uint16_t(0));
    }
    return bytes;
}

std::string text_stl(const TriangleSoup& soup) {
    std::string text = "solid thing\n";
    for (const Corners& t : soup.triangles) {
        text += "  facet normal 0 0 0\n    outer loop\n";
        for (const std::uint32_t v : t) {
            const Vec3d& p = soup.vertices[v];
            text += message("      vertex ", p.x, " ", p.y, " ", p.z, "\n");
        }
        text += "    endloop\n  endfacet\n";
    }
    return text + "endsolid thing\n";
}

std::string error(const std::string& bytes) {
    return to_string(parse_mesh(bytes, "stl", "a.stl").error());
}

// The corners come back as shared vertices, so the mesh is closed again. The title of a binary
// file may begin with "solid".
TEST(Stl, BothFormsGiveTheSameClosedMesh) {
    const TriangleSoup cube = box_mesh({1, 2, 4}, {8, 0, 0});
    for (const std::string& bytes :
         {binary_stl(cube, "made by hand"), binary_stl(cube, "solid facet"), text_stl(cube),
          binary_stl(cube, "trailing") + "xyz"}) {
        const TriangleSoup soup = parse_mesh(bytes, "STL", "a.stl").value();
        EXPECT_EQ(soup.vertices.size(), 8u);
        ASSERT_EQ(soup.triangles.size(), 12u);
        for (std::size_t t = 0; t < 12; ++t) {
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_EQ(soup.vertices[soup.triangles[t][i]], cube.vertices[cube.triangles[t][i]]);
            }
        }
        EXPECT_TRUE(check_mesh(soup).value().closed);
    }
}

TEST(Stl, TextKeepsDoubles) {
    const TriangleSoup soup{{{0.1, 1000000.123456789, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 1, 2}}};
    EXPECT_EQ(parse_mesh(text_stl(soup), "stl", "a.stl")->vertices, soup.vertices);
}

TEST(Stl, ErrorsNamePlaceRuleAndValue) {
    const TriangleSoup one{{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 1, 2}}};
    const std::string good = binary_stl(one, "title");
    EXPECT_EQ(error(""), "a.stl: the file has no triangles");
    EXPECT_EQ(error("abc"), "a.stl: a binary STL file begins with 84 bytes, but the file has 3");
    EXPECT_EQ(error(good.substr(0, 100)),
              "a.stl, byte 80: the header promises 1 triangles in 134 bytes, but the file has 100");
    std::string liar = good;
    std::memset(liar.data() + 80, 0xff, 4);
    EXPECT_EQ(error(liar),
              "a.stl, byte 80: the header promises 4294967295 triangles in 214748364834 "
              "bytes, but the file has 134");
    std::string infinite = good;
    const float inf = std::numeric_limits<float>::infinity();
    std::memcpy(infinite.data() + 84 + 12 + 16, &inf, 4);
    EXPECT_EQ(error(infinite), "a.stl, byte 112: coordinates must be finite, got inf");
    EXPECT_EQ(error(binary_stl({}, "empty")), "a.stl: the file has no triangles");

    const std::string text = text_stl(one);
    EXPECT_EQ(error("solid x\nendsolid x\n"), "a.stl: the file has no triangles");
    EXPECT_EQ(error(text.substr(0, text.find("endsolid"))),
              "a.stl:8: the file ends without endsolid");
    EXPECT_EQ(error("solid\nfacet\nvertex 0 0 0\nendfacet"),
              "a.stl:4: a facet needs three vertices, got 1");
    EXPECT_EQ(error("solid\nfacet\nvertex 0 0 nan"),
              "a.stl:3: coordinates must be finite, got nan");
    EXPECT_EQ(error("solid\nfacet\nvertex 0 0"),
              "a.stl:3: a vertex needs three coordinates, got 2");
    EXPECT_EQ(error("solid\nfacet\nwhat 1"),
              "a.stl:3: expected a line of an STL file, got \"what\"");
    EXPECT_EQ(error("solid\nfacet\nvertex 0 0 0\nendsolid"),
              "a.stl:4: endsolid stands within a facet");
}

} // namespace
} // namespace rigor::test
