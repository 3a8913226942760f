// Mesh topology: connectivity, orientation, cavities and open edges.

#include "geometry/mesh_topology.h"

#include <gtest/gtest.h>

#include <chrono>

#include "geometry/mesh_samples.h"
#include "test_support.h"

namespace rigor::test {
namespace {

MeshReport check(const TriangleSoup& soup) {
    return check_mesh(soup).value();
}

double volume(const TriangleSoup& soup) {
    double sum = 0;
    for (const Corners& t : soup.triangles) {
        sum += dot(soup.vertices[t[0]], cross(soup.vertices[t[1]], soup.vertices[t[2]])) / 6;
    }
    return sum;
}

TEST(MeshTopology, SphereAndTorusHaveTheirEulerNumbers) {
    const MeshReport ball = check(ball_mesh(8, 12));
    EXPECT_TRUE(ball.closed && ball.consistently_wound && ball.orientable && !ball.self_touching);
    EXPECT_EQ(ball.euler_characteristic, 2);
    EXPECT_EQ(ball.genus, 0u);
    EXPECT_EQ(ball.shells, 1u);
    const MeshReport torus = check(torus_mesh(2, 1, 12, 8));
    EXPECT_EQ(torus.euler_characteristic, 0);
    EXPECT_EQ(torus.genus, 1u);
    EXPECT_TRUE(torus.warnings.empty());
}

TEST(MeshTopology, MatesRunBackAlongTheSameEdge) {
    for (const TriangleSoup& soup : {torn(pawn_mesh()), inside_out(torus_mesh(2, 1, 7, 5))}) {
        const MeshTopology topology = build_topology(soup).value();
        const auto from = [&](std::uint32_t h) { return topology.soup.triangles[h / 3][h % 3]; };
        for (std::uint32_t h = 0; h < topology.mates.size(); ++h) {
            const std::uint32_t mate = topology.mates[h];
            ASSERT_NE(mate, kNone);
            EXPECT_EQ(topology.mates[mate], h);
            EXPECT_EQ(from(h), from(next_half_edge(mate)));
            EXPECT_EQ(from(next_half_edge(h)), from(mate));
        }
    }
}

TEST(MeshTopology, EqualPlacesAreOneVertexAndZeroHasNoSign) {
    TriangleSoup soup = torn(box_mesh({2, 2, 2}, {1, 1, 1}));
    for (Vec3d& v : soup.vertices) {
        if (v.x == 0 && v.y > 0) v.x = -0.0;
    }
    const MeshReport report = check(soup);
    EXPECT_EQ(report.duplicate_vertices, 36u - 8u);
    EXPECT_TRUE(report.closed);
    EXPECT_EQ(weld(soup).vertices.size(), 8u);
}

TEST(MeshTopology, CountsOpenEdges) {
    TriangleSoup soup = box_mesh({1, 1, 1});
    soup.triangles.pop_back();
    const MeshReport report = check(soup);
    EXPECT_FALSE(report.closed);
    EXPECT_EQ(report.open_edges, 3u);
    EXPECT_FALSE(report.genus.has_value());
    EXPECT_EQ(report.warnings[0],
              "3 edges with a triangle on one side only: the mesh is not closed");
}

// Two turned triangles of twelve follow the other ten.
TEST(MeshTopology, TheMinorityFollows) {
    TriangleSoup soup = box_mesh({1, 1, 1});
    std::swap(soup.triangles[3][0], soup.triangles[3][1]);
    std::swap(soup.triangles[7][0], soup.triangles[7][1]);
    const MeshTopology topology = build_topology(soup).value();
    EXPECT_FALSE(topology.report.consistently_wound);
    EXPECT_TRUE(topology.report.closed);
    EXPECT_EQ(topology.report.flipped_triangles, 2u);
    EXPECT_EQ(topology.report.inverted_shells, 0u);
    EXPECT_NEAR(volume(topology.soup), 1, 1e-15);
}

// A cavity faces its hole. It stays when it is right, turns with the rest when all is inside
// out, and alone when only it is wrong; a solid within the hole faces out again.
TEST(MeshTopology, CavitiesFaceTheirHole) {
    TriangleSoup right = cube_with_hole_mesh();
    EXPECT_EQ(check(right).inverted_shells, 0u);
    EXPECT_EQ(check(right).cavities, 1u);
    EXPECT_EQ(check(right).shells, 2u);
    EXPECT_TRUE(check(right).warnings.empty());

    const MeshTopology turned = build_topology(inside_out(right)).value();
    EXPECT_EQ(turned.report.inverted_shells, 2u);
    EXPECT_NEAR(volume(turned.soup), 7, 1e-14);

    TriangleSoup inner_wrong = box_mesh({2, 2, 2});
    append(inner_wrong, box_mesh({1, 1, 1}));
    EXPECT_NEAR(volume(build_topology(inner_wrong).value().soup), 7, 1e-14);
    EXPECT_EQ(check(inner_wrong).warnings[0], "1 of 2 shells were inside out and have been turned");

    append(right, inside_out(box_mesh({0.5, 0.5, 0.5})));
    EXPECT_NEAR(volume(build_topology(right).value().soup), 7.125, 1e-14);
}

TEST(MeshTopology, SeparateShellsDoNotCareForEachOther) {
    TriangleSoup soup;
    for (int i = 0; i < 1500; ++i) { // enough for the path with one ray per shell
        const Vec3d center{1.5 * (i % 40), 1.5 * (i / 40), 0};
        const TriangleSoup box = box_mesh({1, 1, 1}, center);
        append(soup, i % 3 == 0 ? inside_out(box) : box);
    }
    const MeshTopology topology = build_topology(soup).value();
    EXPECT_EQ(topology.report.shells, 1500u);
    EXPECT_EQ(topology.report.inverted_shells, 500u);
    EXPECT_EQ(topology.report.cavities, 0u);
    EXPECT_NEAR(volume(topology.soup), 1500, 1e-9);
}

// Two cubes that share an edge: four triangles meet there, and each cube is its own neighbor.
TEST(MeshTopology, CubesTouchingInAnEdge) {
    TriangleSoup soup = box_mesh({1, 1, 1});
    append(soup, inside_out(box_mesh({1, 1, 1}, {1, 1, 0})));
    const MeshTopology topology = build_topology(soup).value();
    EXPECT_TRUE(topology.report.closed);
    EXPECT_TRUE(topology.report.self_touching);
    EXPECT_EQ(topology.report.non_manifold_edges, 1u);
    EXPECT_EQ(topology.report.non_manifold_vertices, 2u);
    EXPECT_EQ(topology.report.shells, 2u);
    EXPECT_EQ(topology.report.inverted_shells, 1u);
    EXPECT_NEAR(volume(topology.soup), 2, 1e-14);
    for (std::uint32_t h = 0; h < topology.mates.size(); ++h) {
        ASSERT_NE(topology.mates[h], kNone);
        EXPECT_EQ(triangle_of(h) < 12, triangle_of(topology.mates[h]) < 12);
    }
}

TEST(MeshTopology, CubesTouchingInACorner) {
    TriangleSoup soup = box_mesh({1, 1, 1});
    append(soup, box_mesh({1, 1, 1}, {1, 1, 1}));
    const MeshReport report = check(soup);
    EXPECT_TRUE(report.closed && report.self_touching);
    EXPECT_EQ(report.non_manifold_edges, 0u);
    EXPECT_EQ(report.non_manifold_vertices, 1u);
    EXPECT_FALSE(report.genus.has_value());
}

// A wall within a cube belongs to no solid's boundary: three triangles share its edges.
TEST(MeshTopology, AWallInsideIsNotClosed) {
    TriangleSoup soup = box_mesh({1, 1, 1});
    soup.triangles.push_back({0, 3, 7});
    soup.triangles.push_back({0, 7, 4});
    const MeshReport report = check(soup);
    EXPECT_FALSE(report.closed);
    EXPECT_GT(report.non_manifold_edges, 0u);
}

// A band with half a twist has one side.
TEST(MeshTopology, MoebiusBandIsNotOrientable) {
    TriangleSoup band;
    const int n = 20;
    for (int i = 0; i < n; ++i) {
        const SinCos<double> a = sin_cos(2 * kPi<double> * i / n), b = sin_cos(kPi<double> * i / n);
        for (const double w : {-0.3, 0.3}) {
            const double r = 1 + w * b.cos;
            band.vertices.push_back({r * a.cos, r * a.sin, w * b.sin});
        }
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        const bool last = i + 1 == n;
        const std::uint32_t a = 2 * i, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
        band.triangles.push_back({a, b, d});
        band.triangles.push_back({a, d, c});
    }
    const MeshReport report = check(band);
    EXPECT_FALSE(report.orientable);
    EXPECT_FALSE(report.consistently_wound);
    EXPECT_FALSE(report.closed);
    EXPECT_EQ(report.euler_characteristic, 0);
}

// A triangle that repeats a vertex is nothing; one with its corners on a line may be needed to
// close a gap, and stays.
TEST(MeshTopology, DegenerateTriangles) {
    TriangleSoup repeats = box_mesh({1, 1, 1});
    repeats.triangles.push_back({0, 0, 1});
    const MeshTopology topology = build_topology(repeats).value();
    EXPECT_TRUE(topology.report.closed);
    EXPECT_EQ(topology.soup.triangles.size(), 12u);
    EXPECT_EQ(topology.report.degenerate_triangles, 1u);

    // A tetrahedron whose edge 0-1 has a vertex in its middle on one side only.
    const TriangleSoup filled{{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0}},
                              {{0, 2, 4}, {4, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {0, 4, 1}}};
    EXPECT_TRUE(check(filled).closed);
    EXPECT_EQ(check(filled).degenerate_triangles, 1u);
    EXPECT_EQ(check({{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 1}}}).closed, false);
}

TEST(MeshTopology, IsTheSameTwice) {
    TriangleSoup soup = torn(pawn_mesh());
    Random random(2);
    for (Corners& t : soup.triangles) {
        if (random.unit() < 0.3) std::swap(t[0], t[1]);
    }
    const MeshTopology a = build_topology(soup).value(), b = build_topology(soup).value();
    EXPECT_EQ(a.soup.triangles, b.soup.triangles);
    EXPECT_EQ(a.mates, b.mates);
}

TEST(MeshTopology, CountsProperIntersections) {
    EXPECT_EQ(count_self_intersections(pawn_mesh(), 1000).pairs, 0u);
    EXPECT_EQ(count_self_intersections(torus_mesh(2, 0.5, 40, 20), 1000).pairs, 0u);
    // Two crossed triangles.
    const TriangleSoup crossed{
        {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {0, 5, 0.1}},
        {{0, 1, 2}, {3, 4, 5}}};
    EXPECT_EQ(count_self_intersections(crossed, 1000).pairs, 1u);
    // Two rings that overlap cross along curves: many pairs, counted up to the cap.
    TriangleSoup rings = torus_mesh(2, 0.5, 40, 20);
    append(rings, moved(torus_mesh(2, 0.5, 40, 20), {{0.7, 0.3, 0.2}, {}}));
    EXPECT_EQ(count_self_intersections(rings, 10).pairs, 10u);
    EXPECT_GT(count_self_intersections(rings, 1000).pairs, 100u);
}

// Two cones on one rim: all triangles meet in two vertices and most of their boxes overlap, so
// that looking at all pairs would be quadratic.
TriangleSoup bipyramid(int around) {
    return lathe_mesh({{0, -1}, {1, 0}, {0, 1}}, around);
}

TEST(MeshTopology, SearchOfAFanIsBounded) {
    EXPECT_TRUE(count_self_intersections(bipyramid(300), 1000).complete);
    const auto start = std::chrono::steady_clock::now();
    const SelfIntersections wide = count_self_intersections(bipyramid(50'000), 1000);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(wide.pairs, 0u);
    EXPECT_FALSE(wide.complete);
    // Some tenths of a second at most; all pairs would take minutes.
    EXPECT_LT(seconds.count(), 10);
}

// Any soup at all gives an answer: indices, places and windings at random.
TEST(MeshTopology, SurvivesAnything) {
    Random random(11);
    for (int round = 0; round < 300; ++round) {
        TriangleSoup soup;
        const int vertices = random.integer(1, 12), triangles = random.integer(1, 60);
        for (int i = 0; i < vertices; ++i) {
            const auto whole = [&] { return static_cast<double>(random.integer(-1, 1)); };
            soup.vertices.push_back({whole(), whole(), whole()});
        }
        for (int i = 0; i < triangles; ++i) {
            const auto any = [&] {
                return static_cast<std::uint32_t>(random.integer(0, vertices - 1));
            };
            soup.triangles.push_back({any(), any(), any()});
        }
        const MeshTopology topology = build_topology(soup).value();
        for (std::uint32_t h = 0; h < topology.mates.size(); ++h) {
            const std::uint32_t mate = topology.mates[h];
            EXPECT_TRUE(mate == kNone || topology.mates[mate] == h);
        }
    }
}

} // namespace
} // namespace rigor::test
