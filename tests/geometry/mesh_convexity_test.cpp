// Convex meshes get their hull, to collide as it does; others do not.
#include <gtest/gtest.h>

#include "geometry/concave_samples.h"
#include "geometry/shape.h"
#include "test_support.h"

namespace rigor::test {
namespace {

using BuiltMesh = std::shared_ptr<const TriangleMesh<double>>;

BuiltMesh built_mesh(const TriangleSoup& soup) {
    return make_mesh(soup).value();
}

TriangleSoup upright_prism(int sides) {
    return lathe_mesh({{0, -0.5}, {1, -0.5}, {1, 0.5}, {0, 0.5}}, sides);
}

TriangleSoup turned_ball(int sides, int rings) {
    std::vector<ProfilePoint> profile{{0, -1}};
    for (int i = 1; i < rings; ++i) {
        const SinCos<double> a = sin_cos(kPi<double> * i / rings);
        profile.push_back({a.sin, -a.cos});
    }
    profile.push_back({0, 1});
    return lathe_mesh(profile, sides);
}

TriangleSoup gemstone() {
    return lathe_mesh({{0, -1}, {0.9, -0.05}, {1, 0.1}, {0.95, 0.2}, {0.6, 0.5}, {0, 0.5}}, 8);
}

/// As a file in single precision stores it, away from the origin.
TriangleSoup in_single_precision(TriangleSoup soup, const Vec3d& shift) {
    for (Vec3d& v : soup.vertices) v = cast<double>(cast<float>(v + shift));
    return soup;
}

std::vector<TriangleSoup> convex_meshes() {
    return {box_mesh({1, 2, 3}),
            pyramid_mesh(),
            upright_prism(3),
            upright_prism(6),
            upright_prism(32),
            turned_ball(24, 12),
            gemstone(),
            box_mesh({1, 1, 1e-4}),
            box_mesh({10, 1e-3, 1e-3}),
            turned_ball(64, 32),
            TriangleSoup{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                         {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}}};
}

TEST(MeshConvexity, ConvexMeshesHaveTheHullOfTheirVertices) {
    for (const TriangleSoup& soup : convex_meshes()) {
        for (const double scale : {1e-3, 1.0, 1e4}) {
            TriangleSoup scaled = moved(soup, {{3, -2, 1}, normalize(Quatd{1, 2, 3, 4})});
            for (Vec3d& v : scaled.vertices) v *= scale;
            for (const TriangleSoup& given : {scaled, torn(scaled), inside_out(scaled)}) {
                const BuiltMesh mesh = built_mesh(given);
                ASSERT_TRUE(mesh->hull) << soup.triangles.size() << " triangles, scale " << scale;
                EXPECT_TRUE(is_convex(Shape<double>{mesh}));
                EXPECT_NEAR(volume(Shape<double>{mesh->hull}), mesh->unit_mass.solid.mass,
                            1e-9 * mesh->unit_mass.solid.mass);
            }
        }
    }
}

TEST(MeshConvexity, SurvivesTheRoundingOfFilesInSinglePrecision) {
    for (const TriangleSoup& soup : convex_meshes()) {
        if (soup.triangles.size() < 12 || bounds(*built_mesh(soup), Posed{}).hi.z < 0.01) continue;
        EXPECT_TRUE(built_mesh(in_single_precision(soup, {0.3, 0.7, 0.9}))->hull)
            << soup.triangles.size();
    }
}

TEST(MeshConvexity, ConcaveMeshesHaveNone) {
    TriangleSoup two = box_mesh({1, 1, 1});
    append(two, box_mesh({1, 1, 1}, {3, 0, 0}));
    TriangleSoup sheet = sheet_mesh(4, 1);
    for (const TriangleSoup& soup :
         {corner_mesh(), channel_mesh(), table_mesh(), torus_mesh(1, 0.3, 24, 12), pawn_mesh(),
          cube_with_hole_mesh(), two, sheet,
          lathe_mesh({{0, -1}, {1, -1}, {0.999, 0}, {1, 1}, {0, 1}}, 16)})
        EXPECT_FALSE(built_mesh(soup)->hull) << soup.triangles.size();
}

// The depth of a dent in the middle of a face decides, at every place and scale: 1e-5 of the extent
// is one, 1e-7 is rounding. A thin plate keeps a dent that goes half through it.
TEST(MeshConvexity, DentsCountFromAMillionthOfTheExtent) {
    const auto dented_box = [](const Vec3d& size, double depth) {
        TriangleSoup soup = box_mesh(size);
        const auto middle = static_cast<std::uint32_t>(soup.vertices.size());
        soup.vertices.push_back({0.1 * size.x, 0.05 * size.y, size.z / 2 - depth});
        std::vector<Corners> kept;
        for (const Corners& t : soup.triangles)
            if (!(t[0] >= 4 && t[1] >= 4 && t[2] >= 4)) kept.push_back(t);
        for (const auto& [a, b] : {std::pair{4u, 5u}, {5u, 7u}, {7u, 6u}, {6u, 4u}})
            kept.push_back({a, b, middle});
        soup.triangles = kept;
        return soup;
    };
    for (const double scale : {1e-2, 1.0, 1e3}) {
        EXPECT_FALSE(built_mesh(dented_box({scale, scale, scale}, 1e-5 * scale))->hull);
        EXPECT_TRUE(built_mesh(dented_box({scale, scale, scale}, 1e-7 * scale))->hull);
        EXPECT_FALSE(built_mesh(dented_box({scale, scale, 1e-6 * scale}, 5e-7 * scale))->hull);
    }
}

// A vertex of the hull on the wrong side of the diagonal: all vertices lie on the hull, but two
// triangles do not.
TEST(MeshConvexity, ChordsThroughTheInsideCount) {
    const TriangleSoup wedge{{{0, 0, 0},
                              {1, 0, 0},
                              {1, 1, 0},
                              {0, 1, 0},
                              {0, 0, 1},
                              {1, 0, 1.2},
                              {1, 1, 1},
                              {0, 1, 1.2}},
                             {{0, 2, 1},
                              {0, 3, 2},
                              {4, 5, 6},
                              {4, 6, 7},
                              {0, 1, 5},
                              {0, 5, 4},
                              {1, 2, 6},
                              {1, 6, 5},
                              {2, 3, 7},
                              {2, 7, 6},
                              {3, 0, 4},
                              {3, 4, 7}}};
    EXPECT_FALSE(built_mesh(wedge)->hull);
    TriangleSoup other = wedge;
    other.triangles[2] = {4, 5, 7};
    other.triangles[3] = {5, 6, 7};
    EXPECT_TRUE(built_mesh(other)->hull);
}

// A deformed mesh is what its vertices make it.
TEST(MeshConvexity, DeformationDecidesAnew) {
    const TriangleSoup ball = turned_ball(16, 8);
    const BuiltMesh mesh = built_mesh(ball);
    ASSERT_TRUE(mesh->hull);
    std::vector<Vec3d> vertices = ball.vertices;
    for (Vec3d& v : vertices) v.z *= 2;
    const BuiltMesh longer = deformed_mesh(*mesh, vertices).value();
    ASSERT_TRUE(longer->hull);
    EXPECT_NEAR(volume(Shape<double>{longer->hull}), 2 * volume(Shape<double>{mesh->hull}), 1e-9);
    vertices[20] *= 0.5;
    const BuiltMesh dented = deformed_mesh(*mesh, vertices).value();
    EXPECT_FALSE(dented->hull);
    EXPECT_TRUE(deformed_mesh(*dented, ball.vertices).value()->hull);
}

// No more than n log n: a ball of 100,000 triangles in well under a second on any machine.
TEST(MeshConvexity, LargeBallsAreRecognized) {
    const BuiltMesh mesh = built_mesh(turned_ball(256, 196));
    EXPECT_TRUE(mesh->hull);
}

} // namespace
} // namespace rigor::test
