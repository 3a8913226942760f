// The meshes of the gallery are made by the builders of the tests: with RIGOR_WRITE_GALLERY set
// in the environment these tests write the files, else they compare them.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "geometry/decompose_samples.h"
#include "geometry/mesh_samples.h"
#include "rigor/mesh.h"
#include "rigor/mesh_file.h"
#include "test_support.h"

namespace rigor::test {
namespace {

std::filesystem::path gallery(const std::string& name) {
    return std::filesystem::path(RIGOR_SOURCE_DIR) / "scenes" / "meshes" / name;
}

void check_gallery(const std::string& name, const TriangleSoup& soup, const std::string& comment) {
    const std::string expected = to_obj(soup, comment);
    EXPECT_LT(expected.size(), 200'000u);
    if (std::getenv("RIGOR_WRITE_GALLERY"))
        std::ofstream(gallery(name), std::ios::binary) << expected;
    EXPECT_EQ(read_file(gallery(name)), expected);
    const TriangleSoup read = load_mesh(gallery(name).string()).value();
    EXPECT_EQ(read.vertices, soup.vertices);
    EXPECT_EQ(read.triangles, soup.triangles);
    const MeshReport report = check_mesh(read).value();
    EXPECT_TRUE(report.closed && report.consistently_wound && report.warnings.empty());
}

TEST(MeshGallery, Pyramid) {
    check_gallery(
        "pyramid.obj", pyramid_mesh(),
        "The square pyramid of baber2006, figure 8, in meters: volume 100/3, center of mass\n"
        "(2.5, 2.5, 1). Its Triangle[5] is corrected as the normal given there demands.");
}

TEST(MeshGallery, Pawn) {
    check_gallery(
        "pawn.obj", pawn_mesh(),
        "A pawn of garden chess (baber2006, figure 7, shows one), 0.6 m tall, turned about z:\n"
        "an outline of 16 points, 24 sides.");
}

TEST(MeshGallery, Torus) {
    check_gallery(
        "torus.obj", torus_mesh(0.4, 0.15, 36, 18),
        "A ring about z, in meters: radius of the ring 0.4, of the tube 0.15; 36 x 18 sides.");
}

TEST(MeshGallery, Cup) {
    check_gallery(
        "cup.obj", cup_mesh(),
        "A mug without a handle, 0.1 m tall, with a wall of 4 mm, turned about z: an outline\n"
        "of 10 points, 32 sides.");
}

TEST(MeshGallery, CubeWithHole) {
    check_gallery(
        "cube_with_hole.obj", cube_with_hole_mesh(),
        "A cube with edges of 2 m around a cubic cavity with edges of 1 m, whose wall faces the\n"
        "cavity: volume 7, moments of inertia 31/6 at density 1.");
}

} // namespace
} // namespace rigor::test
