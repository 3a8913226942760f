// OBJ files: faces, indices, and errors with their line.

#include <gtest/gtest.h>

#include "geometry/mesh_samples.h"
#include "rigor/mesh_file.h"
#include "test_support.h"

namespace rigor::test {
namespace {

TriangleSoup parse(const std::string& text) {
    return parse_mesh(text, "obj", "a.obj").value();
}
std::string error(const std::string& text) {
    return to_string(parse_mesh(text, "obj", "a.obj").error());
}

const std::string kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

double area(const TriangleSoup& soup) {
    double sum = 0;
    for (const Corners& t : soup.triangles) {
        const Vec3d& a = soup.vertices[t[0]];
        sum += cross(soup.vertices[t[1]] - a, soup.vertices[t[2]] - a).z / 2;
    }
    return sum;
}

TEST(Obj, ReadsBackWhatItWrites) {
    Random random;
    TriangleSoup soup = pawn_mesh();
    for (Vec3d& v : soup.vertices) v += random.vec(-1e6, 1e6);
    const TriangleSoup back = parse(to_obj(soup, "A pawn\nin two lines"));
    EXPECT_EQ(back.vertices, soup.vertices);
    EXPECT_EQ(back.triangles, soup.triangles);
}

TEST(Obj, KeepsEveryBitOfANumber) {
    const TriangleSoup soup =
        parse("v 1000000.123456789 +0.1 1e-3\nv 1E5 -.5 5.\nv 0 0 1e-999\nf 1 2 3");
    EXPECT_EQ(soup.vertices[0], (Vec3d{1000000.123456789, 0.1, 1e-3}));
    EXPECT_EQ(soup.vertices[1], (Vec3d{1e5, -0.5, 5}));
    EXPECT_EQ(soup.vertices[2], Vec3d{});
}

TEST(Obj, AllFormsOfACorner) {
    for (const std::string face :
         {"f 1 2 3", "f 1/1 2/2 3/3", "f 1//1 2//2 3//3", "f 1/1/1 2/2/2 3/3/3", "f -4 -3 -2",
          "  f\t1 \\\n 2 3   # comment", "f 1 2 3\r"}) {
        SCOPED_TRACE(face);
        const TriangleSoup soup =
            parse("# square\no thing\n" + kSquare + "vn 0 0 1\nusemtl x\ns off\n" + face);
        EXPECT_EQ(soup.triangles, (std::vector<Corners>{{0, 1, 2}}));
    }
}

// A face keeps its area and its side however it is cut; each of its n corners but two makes a
// triangle.
TEST(Obj, CutsPolygons) {
    EXPECT_EQ(parse(kSquare + "f 1 2 3 4").triangles, (std::vector<Corners>{{0, 1, 2}, {0, 2, 3}}));
    // A dart, from each of its corners: the fan from three of them would leave the face.
    const std::string dart = "v 0 0 0\nv 4 -3 0\nv 1 0 0\nv 4 3 0\n";
    for (const std::string face : {"f 1 2 3 4", "f 2 3 4 1", "f 3 4 1 2", "f 4 1 2 3"}) {
        const TriangleSoup soup = parse(dart + face);
        ASSERT_EQ(soup.triangles.size(), 2u);
        EXPECT_DOUBLE_EQ(area(soup), 3);
        for (const Corners& t : soup.triangles) EXPECT_GT(area({soup.vertices, {t}}), 0);
    }
    // A star of 2 n corners has n ears to begin with.
    std::string star, face = "f";
    const int n = 9;
    for (int i = 0; i < 2 * n; ++i) {
        const SinCos<double> a = sin_cos(kPi<double> * i / n);
        const double r = i % 2 ? 0.4 : 1;
        star += message("v ", r * a.cos, " ", r * a.sin, " 0\n");
        face += " " + std::to_string(i + 1);
    }
    const TriangleSoup soup = parse(star + face);
    EXPECT_EQ(soup.triangles.size(), 2u * n - 2);
    EXPECT_NEAR(area(soup), n * 0.4 * sin(kPi<double> / n), 1e-14);
    for (const Corners& t : soup.triangles) EXPECT_GT(area({soup.vertices, {t}}), 0);
}

// Faces without a plane, or that cross themselves, are cut somehow and never searched forever.
TEST(Obj, StrangeFacesEnd) {
    EXPECT_EQ(parse(kSquare + "f 1 3 2 4").triangles.size(), 2u);
    EXPECT_EQ(parse(kSquare + "f 1 1 1 1 1").triangles.size(), 3u);
    EXPECT_EQ(parse(kSquare + "f 1 2 1 2 3 1 4").triangles.size(), 5u);
}

TEST(Obj, ErrorsNameLineRuleAndValue) {
    EXPECT_EQ(error("v 0 0\n"), "a.obj:1: a vertex needs three coordinates, got 2");
    EXPECT_EQ(error("v 0 0 0\nv 1 x 0"), "a.obj:2: expected a number, got \"x\"");
    EXPECT_EQ(error("v 0 nan 0"), "a.obj:1: coordinates must be finite, got nan");
    EXPECT_EQ(error("v 0 0 -inf"), "a.obj:1: coordinates must be finite, got -inf");
    EXPECT_EQ(error("v 0 0 1e999"), "a.obj:1: coordinates must be finite, got 1e999");
    EXPECT_EQ(error(kSquare + "f 1 2 9"), "a.obj:5: face refers to vertex 9, but there are 4");
    EXPECT_EQ(error(kSquare + "f 1 2 -5"), "a.obj:5: face refers to vertex -5, but there are 4");
    EXPECT_EQ(error(kSquare + "\nf 1 2 0"),
              "a.obj:6: face refers to vertex 0, but they are counted from 1");
    EXPECT_EQ(error(kSquare + "f 1 2"), "a.obj:5: a face needs at least three corners, got 2");
    EXPECT_EQ(error(kSquare + "f 1 2 b/1"),
              "a.obj:5: expected the number of a vertex, got \"b/1\"");
    EXPECT_EQ(error(kSquare + "f 1 2 99999999999999999999"),
              "a.obj:5: expected the number of a vertex, got \"99999999999999999999\"");
    EXPECT_EQ(error(""), "a.obj: the file has no vertices");
    EXPECT_EQ(error(kSquare), "a.obj: the file has no faces");
    EXPECT_EQ(error("v 0 0 0 \\\nv 1 1\\"), "a.obj: the file has no faces");
    std::string zigzag, face = "f";
    for (int i = 0; i < 2000; ++i) {
        zigzag += message("v ", i < 1000 ? i : 2000 - i, " ", (i < 1000 ? 0 : 9) + i % 2, " 0\n");
        face += " " + std::to_string(i + 1);
    }
    EXPECT_EQ(error(zigzag + face),
              "a.obj:2001: a face that is not convex may have at most 1000 corners, got 2000");
}

} // namespace
} // namespace rigor::test
