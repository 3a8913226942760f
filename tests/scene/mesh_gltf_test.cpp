// glTF files: nodes, accessors, buffers, and errors with their place.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "geometry/mesh_samples.h"
#include "rigor/mesh.h"
#include "rigor/mesh_file.h"
#include "test_support.h"

namespace rigor::test {
namespace {

namespace fs = std::filesystem;

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

// Positions in single precision, then indices of 32 bits.
std::string buffer_of(const TriangleSoup& soup) {
    std::string bytes;
    const auto put = [&](auto value) {
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    for (const Vec3d& v : soup.vertices) {
        for (int i = 0; i < 3; ++i) put(static_cast<float>(v[i]));
    }
    for (const Corners& t : soup.triangles) {
        for (const std::uint32_t v : t) put(v);
    }
    return bytes;
}

// Moved by (10, 0, 0); and a child of it, scaled by 2 and moved on by (0, 10, 0).
const char* const kTwoNodes = R"({"mesh": 0, "translation": [10, 0, 0], "children": [1]},
    {"mesh": 0, "scale": [2, 2, 2], "translation": [0, 10, 0]})";

std::string json_of(const TriangleSoup& soup, const std::string& uri,
                    const std::string& nodes = kTwoNodes) {
    const std::size_t positions = 12 * soup.vertices.size(), indices = 12 * soup.triangles.size();
    return message(R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [)",
                   nodes, R"(],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": )",
                   soup.vertices.size(),
                   R"(}, {"bufferView": 1, "componentType": 5125, "type": "SCALAR", "count": )",
                   3 * soup.triangles.size(),
                   R"(}], "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": )",
                   positions, R"(}, {"buffer": 0, "byteOffset": )", positions,
                   R"(, "byteLength": )", indices, R"(}], "buffers": [{"byteLength": )",
                   positions + indices, uri.empty() ? "" : R"(, "uri": ")" + uri + '"', "}]}");
}

std::string gltf(const TriangleSoup& soup, const std::string& nodes = kTwoNodes) {
    return json_of(soup, "data:application/octet-stream;base64," + base64(buffer_of(soup)), nodes);
}

std::string glb(const TriangleSoup& soup) {
    std::string json = json_of(soup, ""), binary = buffer_of(soup);
    while (json.size() % 4 != 0) json += ' ';
    const auto word = [](std::size_t value) {
        const auto n = static_cast<std::uint32_t>(value);
        return std::string(reinterpret_cast<const char*>(&n), 4);
    };
    return "glTF" + word(2) + word(12 + 8 + json.size() + 8 + binary.size()) + word(json.size()) +
           "JSON" + json + word(binary.size()) + std::string("BIN\0", 4) + binary;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return at == text.npos ? text : text.replace(at, from.size(), to);
}

std::string error_of(const std::string& bytes) {
    const Result<TriangleSoup> result = parse_mesh(bytes, "gltf", "a.gltf");
    return result ? "no error" : result.error().message;
}

TEST(Gltf, NodesStandInTheirPlaces) {
    for (const std::string& bytes : {gltf(pyramid_mesh()), glb(pyramid_mesh())}) {
        const TriangleSoup soup = parse_mesh(bytes, "gltf", "a.gltf").value();
        EXPECT_EQ(soup.vertices.size(), 10u);
        EXPECT_EQ(soup.triangles.size(), 12u);
        const MeshMass mass = mesh_mass(soup).value();
        EXPECT_NEAR(mass.volume, 9 * 100.0 / 3, 1e-4);
        // (2.5, 2.5, 1) moved, and twice it moved twice with eight times the weight.
        const Vec3d center = (Vec3d{12.5, 2.5, 1} + Vec3d{15, 15, 2} * 8.0) / 9.0;
        EXPECT_LE(length(mass.properties.center - center), 1e-5);
    }
}

// A turn by a quaternion and by a matrix, a shear, and a mirror: the determinant is the volume.
TEST(Gltf, NodesMayBeAnyAffineMap) {
    const double h = std::sqrt(0.5);
    const TriangleSoup turned =
        parse_mesh(gltf(pyramid_mesh(), message(R"({"mesh": 0, "rotation": [0, 0, )", h, ",", h,
                                                R"(], "translation": [0, 0, 1]})")),
                   "gltf", "a")
            .value();
    // (2.5, 2.5, 1) turned by a quarter about z and lifted.
    EXPECT_LE(length(mesh_mass(turned)->properties.center - Vec3d{-2.5, 2.5, 2}), 1e-6);
    const TriangleSoup sheared = parse_mesh(gltf(pyramid_mesh(), R"({"mesh": 0, "matrix":
                        [2,0,0,0, 1,3,0,0, 0,0,1,0, 7,8,9,1]})"),
                                            "gltf", "a")
                                     .value();
    EXPECT_NEAR(mesh_mass(sheared)->volume, 6 * 100.0 / 3, 1e-4);
    EXPECT_LE(length(mesh_mass(sheared)->properties.center - Vec3d{14.5, 15.5, 10}), 1e-5);
}

// A square as a strip and as a fan, without indices: the normals agree.
TEST(Gltf, StripsAndFansFaceOneWay) {
    const std::array<std::vector<Vec3d>, 2> orders{{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
                                                    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}}};
    for (const int mode : {5, 6}) {
        const TriangleSoup square{orders[static_cast<std::size_t>(mode - 5)], {}};
        const std::string text = replaced(gltf(square, R"({"mesh": 0})"), R"("indices": 1)",
                                          message(R"("mode": )", mode));
        const TriangleSoup soup = parse_mesh(text, "gltf", "a").value();
        ASSERT_EQ(soup.triangles.size(), 2u);
        for (const Corners& t : soup.triangles) {
            const Vec3d n = cross(soup.vertices[t[1]] - soup.vertices[t[0]],
                                  soup.vertices[t[2]] - soup.vertices[t[0]]);
            EXPECT_EQ(n, (Vec3d{0, 0, 1})) << mode;
        }
    }
}

// As deep as a file likes: 60,000 steps of a thousandth.
TEST(Gltf, ChainsOfNodesAreWalked) {
    std::string nodes;
    for (int i = 1; i <= 60'000; ++i) {
        nodes += message(R"({"translation": [0, 0, 0.001], "children": [)", i, "]},");
    }
    const TriangleSoup soup =
        parse_mesh(gltf(pyramid_mesh(), nodes + R"({"mesh": 0})"), "gltf", "a").value();
    EXPECT_NEAR(mesh_mass(soup)->properties.center.z, 61, 1e-6);
}

TEST(Gltf, BadFilesGiveASentence) {
    const std::string good = gltf(pyramid_mesh());
    const auto with = [&](const std::string& from, const std::string& to) {
        return error_of(replaced(good, from, to));
    };
    EXPECT_EQ(with(R"("children": [1])", R"("children": [0])"),
              "nodes[0].children[0]: nodes must form trees, but node 0 is reached twice");
    EXPECT_EQ(with(R"("children": [1])", R"("children": [7])"),
              "nodes[0].children[0]: refers to 7 of nodes, but there are 2");
    EXPECT_EQ(with(R"("count": 5)", R"("count": 170000000)"),
              "accessors[0]: claims 170000000 elements, but its view has 60 bytes");
    EXPECT_EQ(with(R"("count": 5)", R"("count": -5)"),
              "accessors[0].count: must be a whole number from 0 to 2^32 - 1, got -5");
    EXPECT_EQ(with(R"("byteLength": 60)", R"("byteLength": 2100000000)"),
              "bufferViews[0]: ends at byte 2100000000, but its buffer has 132");
    EXPECT_EQ(with(R"("byteLength": 132)", R"("byteLength": 4000000000)"),
              "buffers[0]: claims 4000000000 bytes, but has 132");
    EXPECT_EQ(with(R"("bufferView": 0, )", ""),
              "accessors[0]: sparse and compressed accessors are not read");
    EXPECT_EQ(with(R"("indices": 1)", R"("indices": 77)"),
              "meshes[0].primitives[0].indices: refers to 77 of accessors, but there are 2");
    EXPECT_EQ(with(R"("count": 5)", R"("count": 4)"),
              "meshes[0].primitives[0].indices: index 8 refers to vertex 4, but there are 4");
    EXPECT_EQ(with(R"("2.0")", R"("1.0")"),
              "asset.version: glTF must be of version 2, got \"1.0\"");
    EXPECT_EQ(with("base64,", "base64,*"), "buffers[0].uri: data must be in base64");
    EXPECT_EQ(with(R"("scene": 0)", R"("extensionsRequired": ["KHR_draco_mesh_compression"])"),
              "extensionsRequired[0]: the extension \"KHR_draco_mesh_compression\" is not read");
    EXPECT_EQ(error_of("[]"), "must be an object");
    EXPECT_NE(error_of(std::string(100'000, '[')), "no error");
}

// Any part of a file missing or changed gives a mesh or a sentence.
TEST(Gltf, SurvivesAnything) {
    Random random(4);
    for (const std::string& good : {gltf(box_mesh({1, 1, 1})), glb(box_mesh({1, 1, 1}))}) {
        for (int round = 0; round < 3000; ++round) {
            std::string bytes = good;
            const int last = static_cast<int>(bytes.size()) - 1;
            for (int k = random.integer(1, 4); k > 0; --k) {
                const auto at = static_cast<std::size_t>(random.integer(0, last));
                bytes[at] = round % 2 == 0 ? static_cast<char>(random.integer(0, 255))
                                           : "0123456789[]{},:\"-"[random.integer(0, 17)];
            }
            if (round % 10 == 0) bytes.resize(static_cast<std::size_t>(random.integer(0, last)));
            const Result<TriangleSoup> result = parse_mesh(bytes, "gltf", "a");
            EXPECT_TRUE(result.ok() || !result.error().message.empty());
        }
    }
}

class GltfFiles : public testing::Test {
  protected:
    void SetUp() override {
        fs::remove_all(root_);
        fs::create_directories(folder_ / "below");
        const std::string bytes = buffer_of(pyramid_mesh());
        for (const fs::path& path :
             {root_ / "secret.bin", folder_ / "own file.bin", folder_ / "below" / "own.bin"})
            std::ofstream(path, std::ios::binary) << bytes;
    }
    void TearDown() override { fs::remove_all(root_); }

    Result<TriangleSoup> load(const std::string& uri) const {
        std::ofstream(folder_ / "a.gltf") << json_of(pyramid_mesh(), uri);
        return load_mesh((folder_ / "a.gltf").string());
    }

    // Tests may run at the same time, each in a process of its own.
    const fs::path root_ = fs::path(testing::TempDir()) /
                           (std::string("rigor_gltf_") +
                            testing::UnitTest::GetInstance()->current_test_info()->name());
    const fs::path folder_ = root_ / "in";
};

TEST_F(GltfFiles, MayNameFilesInTheirFolderAndBelow) {
    for (const char* uri : {"own%20file.bin", "own file.bin", "below/own.bin", "./below/own.bin",
                            "below/../own file.bin"}) {
        const Result<TriangleSoup> soup = load(uri);
        ASSERT_TRUE(soup.ok()) << uri << ": " << to_string(soup.error());
        EXPECT_EQ(soup->triangles.size(), 12u);
    }
    EXPECT_EQ(load("none.bin").error().code, ErrorCode::not_found);
    EXPECT_EQ(load("below").error().code, ErrorCode::io);
}

TEST_F(GltfFiles, MayNotNameOthers) {
    fs::create_symlink(root_ / "secret.bin", folder_ / "link.bin");
    fs::create_directory_symlink(root_, folder_ / "out");
    for (const std::string& uri :
         {std::string("../secret.bin"), std::string("%2e%2e/secret.bin"),
          std::string("below/../../secret.bin"), (root_ / "secret.bin").string(),
          std::string("link.bin"), std::string("out/secret.bin"), std::string("%00")}) {
        const Result<TriangleSoup> soup = load(uri);
        ASSERT_FALSE(soup.ok()) << uri;
        EXPECT_NE(soup.error().message.find("must name a file in the folder of the mesh file"),
                  std::string::npos)
            << soup.error().message;
    }
    EXPECT_EQ(error_of(json_of(pyramid_mesh(), "own.bin")),
              "buffers[0].uri: a mesh in memory cannot refer to a file, got \"own.bin\"");
}

} // namespace
} // namespace rigor::test
