#include <gtest/gtest.h>

#include "geometry/mesh_samples.h"
#include "rigor/mesh.h"
#include "rigor/mesh_file.h"
#include "test_support.h"

namespace rigor::test {
namespace {

std::string base64(const std::string& bytes) {
    static const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const char c = i + k < bytes.size() ? bytes[i + k] : '\0';
            word = word << 8 | static_cast<unsigned char>(c);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text += i + k <= bytes.size() ? digits[word >> (18 - 6 * k) & 63] : '=';
        }
    }
    return text;
}

// The mesh in two nodes: one moved by (10, 0, 0); and a child of it, scaled by 2 and moved on by
// (0, 10, 0).
std::string gltf(const TriangleSoup& soup) {
    std::string bytes;
    const auto put = [&](auto value) {
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    Vec3d lo = soup.vertices[0], hi = lo;
    for (const Vec3d& v : soup.vertices) {
        for (int i = 0; i < 3; ++i) put(static_cast<float>(v[i]));
        lo = min(lo, v);
        hi = max(hi, v);
    }
    const std::size_t positions = bytes.size();
    for (const Corners& t : soup.triangles) {
        for (const std::uint32_t v : t) put(v);
    }
    return message(R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "translation": [10, 0, 0], "children": [1]},
                  {"mesh": 0, "scale": [2, 2, 2], "translation": [0, 10, 0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": )",
                   soup.vertices.size(), R"(, "min": [)", lo.x, ",", lo.y, ",", lo.z,
                   R"(], "max": [)", hi.x, ",", hi.y, ",", hi.z,
                   R"(]}, {"bufferView": 1, "componentType": 5125, "type": "SCALAR", "count": )",
                   3 * soup.triangles.size(),
                   R"(}], "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": )",
                   positions, R"(}, {"buffer": 0, "byteOffset": )", positions,
                   R"(, "byteLength": )", bytes.size() - positions,
                   R"(}], "buffers": [{"byteLength": )", bytes.size(),
                   R"(, "uri": "data:application/octet-stream;base64,)", base64(bytes), R"("}]})");
}

TEST(Gltf, NodesStandInTheirPlaces) {
    const TriangleSoup soup = parse_mesh(gltf(pyramid_mesh()), "gltf", "a.gltf").value();
    EXPECT_EQ(soup.vertices.size(), 10u);
    EXPECT_EQ(soup.triangles.size(), 12u);
    const MeshMass mass = mesh_mass(soup).value();
    EXPECT_NEAR(mass.volume, 9 * 100.0 / 3, 1e-4);
    // (2.5, 2.5, 1) moved, and twice it moved twice with eight times the weight.
    const Vec3d center = (Vec3d{12.5, 2.5, 1} + Vec3d{15, 15, 2} * 8.0) / 9.0;
    EXPECT_LE(length(mass.properties.center - center), 1e-5);
}

TEST(Gltf, BadFilesGiveASentence) {
    const std::string good = gltf(pyramid_mesh());
    for (const std::string& bytes :
         {std::string("{"), std::string("{\"asset\": 3}"), good.substr(0, good.size() / 2),
          std::string("glTF\2\0\0\0", 8)}) {
        const Result<TriangleSoup> result = parse_mesh(bytes, "gltf", "a.gltf");
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().where, "a.gltf");
        EXPECT_EQ(result.error().message.rfind("cannot be read: ", 0), 0u)
            << result.error().message;
    }
}

TEST(OtherFormats, GoThroughAssimp) {
    const std::string off =
        "OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    const TriangleSoup soup = parse_mesh(off, "off", "a.off").value();
    EXPECT_EQ(soup.triangles.size(), 4u);
    EXPECT_NEAR(mesh_mass(soup)->volume, 1.0 / 6, 1e-15);
}

} // namespace
} // namespace rigor::test
