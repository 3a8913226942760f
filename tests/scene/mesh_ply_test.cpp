// PLY files, text and binary: elements, properties, and errors with their place.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "geometry/mesh_samples.h"
#include "rigor/mesh_file.h"
#include "test_support.h"

namespace rigor::test {
namespace {

std::string error(const std::string& bytes) {
    return to_string(parse_mesh(bytes, "ply", "a.ply").error());
}

// With properties before, between and after the ones that matter, all to be skipped.
std::string header(const std::string& format, std::size_t vertices, std::size_t faces) {
    return "ply\nformat " + format +
           " 1.0\ncomment made by hand\nelement camera 1\nproperty list uint8 int16 path\n"
           "element vertex " +
           std::to_string(vertices) +
           "\nproperty uchar red\nproperty double x\nproperty double y\nproperty float32 "
           "nx\nproperty double z\n"
           "element face " +
           std::to_string(faces) +
           "\nproperty list ushort float weights\nproperty list uchar uint "
           "vertex_indices\nproperty short flags\nend_header\n";
}

std::string text_ply(const TriangleSoup& soup) {
    std::string text = header("ascii", soup.vertices.size(), soup.triangles.size()) + "3 -1 0 7\n";
    for (const Vec3d& v : soup.vertices) text += message("255 ", v.x, " ", v.y, " 0.5 ", v.z, "\n");
    for (const Corners& t : soup.triangles) {
        text += message("1 0.25 3 ", t[0], " ", t[1], " ", t[2], " -3\n");
    }
    return text;
}

std::string binary_ply(const TriangleSoup& soup, bool big) {
    std::string bytes = header(big ? "binary_big_endian" : "binary_little_endian",
                               soup.vertices.size(), soup.triangles.size());
    const auto put = [&](auto value) {
        std::string raw(reinterpret_cast<const char*>(&value), sizeof value);
        if (big == (std::endian::native == std::endian::little))
            std::reverse(raw.begin(), raw.end());
        bytes += raw;
    };
    put(std::uint8_t(2)), put(std::int16_t(-1)), put(std::int16_t(5));
    for (const Vec3d& v : soup.vertices) {
        put(std::uint8_t(255)), put(v.x), put(v.y), put(0.5f), put(v.z);
    }
    for (const Corners& t : soup.triangles) {
        put(std::uint16_t(1)), put(0.25f), put(std::uint8_t(3));
        for (const std::uint32_t v : t) put(v);
        put(std::int16_t(-3));
    }
    return bytes;
}

TEST(Ply, AllThreeFormsGiveTheSameMesh) {
    const TriangleSoup pawn = pawn_mesh();
    for (const std::string& bytes :
         {text_ply(pawn), binary_ply(pawn, false), binary_ply(pawn, true)}) {
        const TriangleSoup soup = parse_mesh(bytes, "ply", "a.ply").value();
        EXPECT_EQ(soup.vertices, pawn.vertices);
        EXPECT_EQ(soup.triangles, pawn.triangles);
    }
}

TEST(Ply, IsKnownByItsBeginning) {
    EXPECT_TRUE(parse_mesh(text_ply(pyramid_mesh()), "stl", "a.stl").ok());
}

const std::string kHead =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
    "property float z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n";

TEST(Ply, CutsPolygons) {
    const TriangleSoup soup =
        parse_mesh(kHead + "0 0 0 1 0 0 1 1 0 0 1 0\n4 0 1 2 3", "ply", "a.ply").value();
    EXPECT_EQ(soup.triangles, (std::vector<Corners>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(Ply, ErrorsNamePlaceRuleAndValue) {
    const std::string vertices = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
    EXPECT_EQ(error("plz\n"), "a.ply:1: a PLY file begins with the word ply, got \"plz\"");
    EXPECT_EQ(error("ply\nformat ascii 1.0\n"), "a.ply:2: the file ends within the header");
    EXPECT_EQ(error("ply\nformat utf8 1.0\n"),
              "a.ply:2: expected ascii, binary_little_endian or binary_big_endian, got \"utf8\"");
    EXPECT_EQ(error("ply\nend_header\n"), "a.ply:2: the header has no format line");
    EXPECT_EQ(error("ply\nproperty int x\n"), "a.ply:2: a property needs an element before it");
    EXPECT_EQ(error("ply\nelement vertex -3\n"),
              "a.ply:2: expected the number of elements, got \"-3\"");
    EXPECT_EQ(error("ply\nelement vertex 3\nproperty word x\n"), "a.ply:3: unknown type \"word\"");
    EXPECT_EQ(error("ply\nelement face 3\nproperty list float int x\n"),
              "a.ply:3: the size of a list must be an integer, got \"float\"");
    EXPECT_EQ(error("ply\nwhat\n"), "a.ply:2: expected a line of a PLY header, got \"what\"");
    EXPECT_EQ(error("ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int "
                    "vertex_index\nend_header\n"),
              "a.ply:5: faces must come after vertices");
    EXPECT_EQ(
        error("ply\nformat binary_little_endian 1.0\nelement vertex 2000000000\nproperty float "
              "x\n"
              "property float y\nproperty float z\nend_header\nabcd"),
        "a.ply:3: the header promises 2000000000 of element \"vertex\", but only 4 bytes follow");
    EXPECT_EQ(error(kHead + vertices + "3 0 1 9\n"),
              "a.ply:14: face refers to vertex 9, but there are 4, counted from 0");
    EXPECT_EQ(error(kHead + vertices + "3 0 1 -1\n"),
              "a.ply:14: face refers to vertex -1, but there are 4, counted from 0");
    EXPECT_EQ(error(kHead + vertices + "3 0 1 1.5\n"),
              "a.ply:14: expected an integer, got \"1.5\"");
    EXPECT_EQ(error(kHead + vertices + "2 0 1\n"),
              "a.ply:14: a face needs at least three corners, got 2");
    EXPECT_EQ(error(kHead + vertices + "-2 0 1\n"), "a.ply:14: a list cannot have -2 values");
    EXPECT_EQ(error(kHead + vertices + "3 0 1\n"),
              "a.ply:15: the file ends after 0 of 1 of element \"face\"");
    EXPECT_EQ(error(kHead + "0 0 0\n1 nan 0\n1 1 0\n0 1 0\n3 0 1 2"),
              "a.ply:11: coordinates must be finite, got nan");
    EXPECT_EQ(error(kHead + "0 0 0\n1 x 0\n1 1 0\n0 1 0\n3 0 1 2"),
              "a.ply:11: expected a number, got \"x\"");
    EXPECT_EQ(error("ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\n"
                    "end_header\n0 0"),
              "a.ply:3: element \"vertex\" has no property \"z\"");
    const std::string cut = binary_ply(pyramid_mesh(), false);
    EXPECT_EQ(error(cut.substr(0, cut.size() - 5)),
              "a.ply, byte " + std::to_string(cut.size() - 6) +
                  ": the file ends after 5 of 6 of element \"face\"");
    EXPECT_EQ(error("ply\nformat ascii 1.0\nelement nothing 99999999999\nend_header\n"),
              "a.ply: the file has no vertices");
}

} // namespace
} // namespace rigor::test
