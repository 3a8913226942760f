// Deformed meshes: the same as a mesh built anew from the moved vertices.

#include <gmock/gmock.h>

#include "geometry/mesh.h"
#include "geometry/mesh_samples.h"
#include "test_support.h"

namespace rigor::test {
namespace {

using testing::HasSubstr;
using Mesh = TriangleMesh<double>;

std::vector<Vec3d> waved(const TriangleSoup& soup, double amplitude) {
    std::vector<Vec3d> moved = soup.vertices;
    for (Vec3d& v : moved) v += Vec3d{0, 0, amplitude * std::sin(3 * v.x + 2 * v.y)};
    return moved;
}

TriangleSoup grid(int n) {
    return sheet_mesh(n, 1.0 / n);
}

void expect_same(const Mesh& a, const Mesh& b) {
    EXPECT_EQ(a.vertices, b.vertices);
    EXPECT_EQ(a.triangles, b.triangles);
    EXPECT_EQ(a.mates, b.mates);
    EXPECT_EQ(a.edge_kinds, b.edge_kinds);
    EXPECT_EQ(a.vertex_normals, b.vertex_normals);
    EXPECT_EQ(a.box, b.box);
    EXPECT_EQ(a.unit_mass.skin.mass, b.unit_mass.skin.mass);
    EXPECT_EQ(a.unit_mass.solid.mass, b.unit_mass.solid.mass);
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        const Vec3d p = random.vec(-1, 2);
        const SurfacePoint<double> x = closest_point(a, p), y = closest_point(b, p);
        EXPECT_EQ(x.distance, y.distance);
        EXPECT_EQ(x.point, y.point);
        EXPECT_EQ(x.feature, y.feature);
        const Ray<double> ray{p, random.direction()};
        const auto hit = cast_ray(a, ray), other = cast_ray(b, ray);
        ASSERT_EQ(hit.has_value(), other.has_value());
        if (hit) {
            EXPECT_EQ(hit->t, other->t);
        }
    }
}

// Open, closed, and with a vertex for each corner of a triangle as in an STL file.
TEST(DeformedMesh, IsTheMeshOfTheMovedVertices) {
    for (TriangleSoup soup : {grid(9), box_mesh({1, 1, 1}), torn(box_mesh({1, 2, 1}))}) {
        const auto mesh = make_mesh(soup).value();
        for (const double amplitude : {0.05, 0.2, 0.0}) {
            const std::vector<Vec3d> moved = waved(soup, amplitude);
            const auto deformed = deformed_mesh(*mesh, moved).value();
            TriangleSoup other = soup;
            other.vertices = moved;
            expect_same(*deformed, *make_mesh(other).value());
        }
    }
}

// Deformations do not add up: back to the first vertices is the first mesh.
TEST(DeformedMesh, ComesBack) {
    const TriangleSoup soup = grid(7);
    const auto mesh = make_mesh(soup).value();
    const auto there = deformed_mesh(*mesh, waved(soup, 0.3)).value();
    expect_same(*deformed_mesh(*there, soup.vertices).value(), *mesh);
}

TEST(DeformedMesh, IsRefusedInOneSentence) {
    const TriangleSoup soup = torn(box_mesh({1, 1, 1}));
    const auto mesh = make_mesh(soup).value();
    const auto refusal = [&](std::vector<Vec3d> vertices) {
        const auto result = deformed_mesh(*mesh, vertices);
        return result ? std::string("accepted") : result.error().message;
    };
    std::vector<Vec3d> few = soup.vertices, broken = soup.vertices, ripped = soup.vertices,
                       inverted = soup.vertices;
    few.pop_back();
    broken[5].y = std::numeric_limits<double>::quiet_NaN();
    ripped[7].x += 1e-12;
    for (Vec3d& v : inverted) v.z = -v.z;
    EXPECT_THAT(refusal(few), HasSubstr("has 36 vertices, got 35"));
    EXPECT_THAT(refusal(broken), HasSubstr("vertex 5 must be finite"));
    EXPECT_THAT(refusal(ripped), HasSubstr("must stay together"));
    EXPECT_THAT(refusal(inverted), HasSubstr("inside out"));
    EXPECT_EQ(refusal(soup.vertices), "accepted");
}

// Boxes of a refitted tree hold what lies below them, and are those of a new one at the root.
TEST(DeformedMesh, RefitBoundsEveryNode) {
    Random random(8);
    std::vector<Aabb<double>> boxes;
    const auto random_box = [&] {
        const Vec3d p = random.vec(-5, 5);
        return Aabb<double>{p, p + random.vec(0, 1)};
    };
    for (int i = 0; i < 3000; ++i) boxes.push_back(random_box());
    MeshBvh<double> tree = build_bvh(boxes);
    for (Aabb<double>& box : boxes) box = random_box();
    refit(tree, boxes);
    EXPECT_EQ(tree.nodes[0].box, build_bvh(boxes).nodes[0].box);
    for (int k = 0; k < 200; ++k) {
        const Aabb<double> asked = random_box();
        std::vector<bool> seen(boxes.size(), false);
        visit_items(tree, asked, [&](std::uint32_t item) { seen[item] = true; });
        for (std::size_t i = 0; i < boxes.size(); ++i)
            ASSERT_TRUE(seen[i] || !overlap(boxes[i], asked));
    }
}

} // namespace
} // namespace rigor::test
