// Mesh files of all formats: endings, errors, damage.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "geometry/mesh_samples.h"
#include "rigor/mesh_file.h"
#include "test_support.h"

namespace rigor::test {
namespace {

namespace fs = std::filesystem;

class MeshFile : public ::testing::Test {
  protected:
    MeshFile() { fs::create_directories(folder_); }
    ~MeshFile() override { fs::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

    fs::path folder_ = fs::path(testing::TempDir()) /
                       (std::string("rigor_mesh_") +
                        testing::UnitTest::GetInstance()->current_test_info()->name());
};

std::string error(const std::string& path) {
    return load_mesh(path).error().message;
}

TEST_F(MeshFile, EndingsAreReadInAnyCase) {
    const std::string file = write("Pyramid.OBJ", to_obj(pyramid_mesh()));
    EXPECT_EQ(load_mesh(file)->triangles, pyramid_mesh().triangles);
}

TEST_F(MeshFile, ErrorsNameTheFile) {
    EXPECT_EQ(error(path("none.obj")), "there is no such file");
    EXPECT_EQ(load_mesh(path("none.obj")).error().code, ErrorCode::not_found);
    EXPECT_EQ(load_mesh(path("none.obj")).error().where, path("none.obj"));
    fs::create_directories(folder_ / "folder.obj");
    EXPECT_EQ(error(path("folder.obj")), "is a directory, not a mesh file");
    EXPECT_EQ(error(write("a.xyzzy", "x")),
              "a mesh file must be obj, stl, ply, gltf, glb, dae or off, "
              "got \"xyzzy\"");
    EXPECT_EQ(error(write("bare", "x")),
              "a mesh file must be obj, stl, ply, gltf, glb, dae or off, the "
              "name has no ending");
    EXPECT_EQ(error(write("empty.obj", "")), "the file has no vertices");
    EXPECT_EQ(to_string(load_mesh(write("bad.obj", "v 0 0 0\nf 1 2 3")).error()),
              path("bad.obj") + ":2: face refers to vertex 2, but there are 1");
    EXPECT_EQ(error(path("none.obj/below.obj")), "there is no such file");
    EXPECT_EQ(error(""), "there is no such file");
}

// A file with a hole has a size, but takes no room.
TEST_F(MeshFile, AboveTwoGigabytesIsTooLarge) {
    const std::string file = write("huge.stl", "x");
    std::error_code failure;
    fs::resize_file(file, (std::uintmax_t(1) << 31) + 1, failure);
    if (failure) GTEST_SKIP() << "the file system has no sparse files";
    EXPECT_EQ(error(file), "a mesh file may have at most 2147483648 bytes, got 2147483649");
    EXPECT_EQ(load_mesh(file).error().code, ErrorCode::limit);
}

// Good files with bytes changed, dropped, doubled or cut off: an answer or a sentence, always,
// and never an index out of range or a number that is not finite.
TEST_F(MeshFile, SurvivesDamage) {
    const std::string obj = to_obj(pyramid_mesh()) + "f 1 2 3 4\nf 1/1 -1//2 2\n";
    const std::string stl =
        "solid\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
        "endloop\nendfacet\nendsolid\n";
    std::string binary_stl(84, ' ');
    binary_stl.replace(80, 4, std::string("\2\0\0\0", 4));
    binary_stl.append(100, '\0');
    const std::string head =
        "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_index\nend_header\n";
    const std::string ply = "ply\nformat ascii 1.0\n" + head + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    const std::string binary_ply = "ply\nformat binary_big_endian 1.0\n" + head +
                                   std::string(36, '\0') +
                                   std::string("\3\0\0\0\0\0\0\0\1\0\0\0\2", 13);
    Random random(9);
    const std::vector<std::pair<std::string, std::string>> files{
        {"obj", obj}, {"stl", stl}, {"stl", binary_stl}, {"ply", ply}, {"ply", binary_ply}};
    int read = 0;
    for (const auto& [format, good] : files) {
        EXPECT_TRUE(parse_mesh(good, format, "good").ok())
            << to_string(parse_mesh(good, format, "good").error());
        for (int round = 0; round < 1000; ++round) {
            std::string bytes = good;
            for (int k = random.integer(1, 4); k > 0 && !bytes.empty(); --k) {
                const auto at =
                    static_cast<std::size_t>(random.integer(0, static_cast<int>(bytes.size()) - 1));
                switch (random.integer(0, 4)) {
                    case 0:
                        bytes[at] = static_cast<char>(random.bits());
                        break;
                    case 1:
                        bytes.erase(at, 1);
                        break;
                    case 2:
                        bytes.insert(at, bytes.substr(at, 3));
                        break;
                    case 3:
                        bytes[at] = "0123456789-e.\n "[random.bits() % 15];
                        break;
                    default:
                        if (round % 5 == 0) bytes.resize(at);
                }
            }
            const Result<TriangleSoup> result = parse_mesh(bytes, format, "bad");
            if (!result) {
                EXPECT_FALSE(result.error().message.empty());
                continue;
            }
            ++read;
            EXPECT_FALSE(result->triangles.empty());
            for (const Vec3d& v : result->vertices) EXPECT_TRUE(is_finite(v));
            for (const Corners& t : result->triangles) {
                for (const std::uint32_t v : t) EXPECT_LT(v, result->vertices.size());
            }
        }
    }
    EXPECT_GT(read, 100);
}

} // namespace
} // namespace rigor::test
