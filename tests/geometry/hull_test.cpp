// Building hulls: merged faces, closed neighborhoods, and a sentence for what has no volume.

#include <algorithm>
#include <set>
#include <thread>

#include "geometry/hull_builder.h"
#include "geometry/solid_moments.h"
#include "sample_shapes.h"

namespace rigor::test {
namespace {

std::vector<Vec3d> cube_corners(double h = 1) {
    std::vector<Vec3d> corners;
    for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h});
    return corners;
}

std::string refusal(const std::vector<Vec3d>& points) {
    const Result<Hull<double>> hull = make_hull(points);
    return hull ? "accepted" : to_string(hull.error());
}

// Every promise of the struct, checked one by one. `flat` is how far from its plane a corner of a
// face may be: rounding, unless faces were merged that are coplanar only roughly.
void expect_consistent(const Hull<double>& hull, double flat = 0) {
    const std::size_t v = hull.vertices.size(), e = hull.edges.size(), f = hull.faces.size();
    EXPECT_EQ(v + f, e + 2);
    EXPECT_EQ(hull.half_edges.size(), 2 * e);
    EXPECT_EQ(hull.neighbors.size(), 2 * e);
    double size = 0;
    for (const Vec3d& p : hull.vertices) size = std::max(size, length(p - hull.center));
    flat += 1e-13 * size;
    for (std::uint32_t h = 0; h < hull.half_edges.size(); ++h) {
        const HalfEdge& half = hull.half_edges[h];
        EXPECT_EQ(hull.half_edges[half.twin].twin, h);
        EXPECT_NE(hull.half_edges[half.twin].face, half.face);
        EXPECT_EQ(hull.half_edges[half.twin].origin, hull.half_edges[hull.next(h)].origin);
    }
    for (const HullEdge& edge : hull.edges) {
        // The faces bend away from each other along the edge.
        const Vec3d bend =
            cross(hull.faces[edge.left].plane.normal, hull.faces[edge.right].plane.normal);
        EXPECT_GT(dot(bend, hull.vertices[edge.v1] - hull.vertices[edge.v0]), 0);
        const auto around = hull.neighbors_of(edge.v0);
        EXPECT_EQ(std::count(around.begin(), around.end(), edge.v1), 1);
    }
    for (const HullFace<double>& face : hull.faces) {
        EXPECT_NEAR(length(face.plane.normal), 1, 1e-14);
        EXPECT_GE(face.count, 3u);
        for (std::uint32_t h = face.first; h < face.first + face.count; ++h) {
            EXPECT_NEAR(height_over(face.plane, hull.origin(h)), 0, flat);
            // Anticlockwise: each corner turns left.
            const Vec3d a = hull.origin(h), b = hull.origin(hull.next(h)),
                        c = hull.origin(hull.next(hull.next(h)));
            EXPECT_GT(dot(face.plane.normal, cross(b - a, c - b)), 0);
        }
        for (const Vec3d& p : hull.vertices) EXPECT_LE(height_over(face.plane, p), flat);
        EXPECT_LT(height_over(face.plane, hull.center), 0);
    }
}

TEST(Hull, CubeHasSixSquares) {
    const Hull<double> hull = make_hull(cube_corners()).value();
    expect_consistent(hull);
    ASSERT_EQ(hull.faces.size(), 6u);
    for (const HullFace<double>& face : hull.faces) {
        EXPECT_EQ(face.count, 4u);
        EXPECT_EQ(face.plane.offset, 1);
        EXPECT_EQ(max_component(abs(face.plane.normal)), 1);
    }
    EXPECT_EQ(hull.center, Vec3d{});
}

// What lies on a face, on an edge or inside, and what is given twice, is not a vertex.
TEST(Hull, PointsOnFacesAndEdgesAreDropped) {
    std::vector<Vec3d> lattice;
    for (int x = 0; x <= 6; ++x) {
        for (int y = 0; y <= 6; ++y) {
            for (int z = 0; z <= 6; ++z) lattice.push_back({x * 0.1, y * 0.1, z * 0.1});
        }
    }
    lattice.insert(lattice.end(), lattice.begin(), lattice.end());
    const Hull<double> hull = make_hull(lattice).value();
    expect_consistent(hull);
    EXPECT_EQ(hull.vertices.size(), 8u);
    EXPECT_EQ(hull.faces.size(), 6u);
}

TEST(Hull, TurnedCubeKeepsItsSquares) {
    Random random(41);
    for (int i = 0; i < 100; ++i) {
        const Posed pose = random.pose(5);
        std::vector<Vec3d> points;
        for (const Vec3d& p : cube_corners(0.5)) points.push_back(transform(pose, p));
        const Hull<double> hull = make_hull(points).value();
        expect_consistent(hull);
        EXPECT_EQ(hull.faces.size(), 6u);
    }
}

// Points that went through a file in single precision are coplanar only roughly; their faces are
// merged all the same.
TEST(Hull, SinglePrecisionPointsKeepTheirFaces) {
    Random random(42);
    const double g = (1 + std::sqrt(5.0)) / 2;
    std::vector<Vec3d> dodecahedron = cube_corners();
    for (const double a : {1 / g, -1 / g}) {
        for (const double b : {g, -g}) {
            for (const Vec3d& p : {Vec3d{0, a, b}, Vec3d{a, b, 0}, Vec3d{b, 0, a}}) {
                dodecahedron.push_back(p);
            }
        }
    }
    for (int i = 0; i < 100; ++i) {
        const Posed pose = random.pose(1);
        const double size = std::pow(10, random.uniform(-3, 3));
        for (const auto& [solid, faces] :
             {std::pair(cube_corners(), 6u), std::pair(dodecahedron, 12u)}) {
            std::vector<Vec3d> points;
            for (const Vec3d& p : solid) {
                points.push_back(cast<double>(cast<float>(transform(pose, p) * size)));
            }
            const Hull<double> hull = make_hull(points).value();
            EXPECT_EQ(hull.faces.size(), faces);
            EXPECT_EQ(hull.vertices.size(), solid.size());
        }
    }
}

// A prism over a polygon of many sides: two large faces, many small ones, vertices of degree 3.
TEST(Hull, PrismKeepsItsPolygons) {
    const int sides = 40;
    std::vector<Vec3d> points;
    for (int i = 0; i < sides; ++i) {
        const double a = 2 * std::acos(-1.0) * i / sides;
        points.push_back({std::cos(a), std::sin(a), -0.5});
        points.push_back({std::cos(a), std::sin(a), 0.5});
    }
    const Hull<double> hull = make_hull(points).value();
    expect_consistent(hull);
    EXPECT_EQ(hull.faces.size(), static_cast<std::size_t>(sides) + 2);
    EXPECT_EQ(hull.vertices.size(), points.size());
}

TEST(Hull, RandomCloudsLieInsideAllPlanes) {
    Random random(43);
    for (const int count : {4, 5, 8, 20, 100, 1000}) {
        for (const Vec3d& size : {Vec3d{1, 1, 1}, Vec3d{100, 1, 0.01}}) {
            SCOPED_TRACE(message(count, " points in ", size));
            const std::vector<Vec3d> points = random_points(count, random.bits(), size);
            const Hull<double> hull = make_hull(points).value();
            const double flat = size.z < 1 ? 1e-3 * size.z : 0; // of the thin cloud, some merge
            expect_consistent(hull, flat);
            for (const HullFace<double>& face : hull.faces) {
                for (const Vec3d& p : points) {
                    EXPECT_LE(height_over(face.plane, p), flat + 1e-13 * max_component(size));
                }
            }
        }
    }
}

// Vertices are points given, with the same bits and in the same order.
TEST(Hull, VerticesAreTheGivenPoints) {
    const std::vector<Vec3d> points = random_points(60, 47, {1, 1, 1});
    const Hull<double> hull = make_hull(points).value();
    auto from = points.begin();
    for (const Vec3d& v : hull.vertices) {
        from = std::find(from, points.end(), v);
        ASSERT_NE(from, points.end());
    }
}

TEST(Hull, ClimbingFindsWhatLookingAtAllFinds) {
    Random random(53);
    const std::vector<Vec3d> points = points_on_sphere(500, 59);
    const Hull<double> hull = make_hull(points).value();
    const Hull<float> in_float = to_float(hull);
    EXPECT_EQ(hull.vertices.size(), points.size());
    for (int i = 0; i < 2000; ++i) {
        const Vec3d d = random.direction();
        double best = -2;
        for (const Vec3d& p : points) best = std::max(best, dot(p, d));
        EXPECT_EQ(dot(core_support(hull, d), d), best);
        const Vec3f df = cast<float>(d);
        EXPECT_NEAR(static_cast<double>(dot(core_support(in_float, df), df)), best, 1e-6);
    }
}

// The answer belongs to the points, not to what was built before or at the same time.
TEST(Hull, SameInAllThreads) {
    const auto fingerprint = [](const Hull<double>& hull) {
        Hasher hasher;
        add_to_hash(hasher, Shape<double>{std::make_shared<const Hull<double>>(hull)});
        return hasher.value();
    };
    const std::vector<Vec3d> points = random_points(80, 61, {1, 1, 1});
    const std::uint64_t alone = fingerprint(make_hull(points).value());
    std::vector<std::uint64_t> found(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < found.size(); ++i) {
        threads.emplace_back([&, i] {
            for (std::uint64_t k = 0; k < 20; ++k) {
                EXPECT_TRUE(make_hull(random_points(30, 100 * i + k, {1, 1, 1})));
                found[i] = fingerprint(make_hull(points).value());
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::uint64_t f : found) EXPECT_EQ(f, alone);
}

TEST(Hull, WithoutVolumeGetsASentence) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(refusal({}), "points: a hull needs at least 4 points, got 0");
    EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
              "points: a hull needs at least 4 points, got 3");
    EXPECT_EQ(refusal({{0, 0, 0}, {1, nan, 0}, {0, 1, 0}, {0, 0, 1}}),
              "points: points must be finite, got (1, nan, 0) as point 1");
    EXPECT_EQ(refusal(std::vector<Vec3d>(9, Vec3d{1, 2, 3})),
              "points: a hull needs points in different places, got one place");
    EXPECT_EQ(refusal({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 5, 5}, {3, 3, 3}}),
              "points: a hull needs a volume, but the points lie on a line");
    EXPECT_EQ(refusal({{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {0.3, 0.4, 1}}),
              "points: a hull needs a volume, but the points lie in a plane");
}

// Thin, but not flat.
TEST(Hull, AThousandTimesThinnerThanWide) {
    std::vector<Vec3d> sheet = cube_corners();
    for (Vec3d& p : sheet) p.z *= 1e-6;
    const Hull<double> hull = make_hull(sheet).value();
    expect_consistent(hull);
    EXPECT_EQ(hull.faces.size(), 6u);
}

// Whatever the points, the answer is a sound hull or a sentence.
TEST(Hull, AlmostCoplanarPointsAreSurvived) {
    Random random(67);
    int built = 0;
    for (int round = 0; round < 300; ++round) {
        std::vector<Vec3d> points;
        const double noise = std::pow(10, random.uniform(-17, -6));
        for (int i = 0; i < 40; ++i) { // on the faces of a cube, more or less
            Vec3d p = random.vec();
            p[random.integer(0, 2)] = random.integer(0, 1) ? 1 : -1;
            points.push_back(p + random.vec() * noise);
        }
        const Result<Hull<double>> hull = make_hull(points);
        if (!hull) continue;
        ++built;
        EXPECT_EQ(hull->vertices.size() + hull->faces.size(), hull->edges.size() + 2);
        for (const HullFace<double>& face : hull->faces) {
            for (const Vec3d& p : points) EXPECT_LE(height_over(face.plane, p), 3e-6) << noise;
        }
    }
    EXPECT_GT(built, 290);
}

TEST(RoundedHull, CubeKeepsASmallerCube) {
    const Hull<double> hull = round_hull(make_hull(cube_corners()).value(), 0.25).value();
    expect_consistent(hull);
    EXPECT_EQ(hull.rounding, 0.25);
    ASSERT_EQ(hull.vertices.size(), 8u);
    for (const Vec3d& v : hull.vertices) EXPECT_EQ(abs(v), (Vec3d{0.75, 0.75, 0.75}));
    for (std::uint32_t f = 0; f < 6; ++f) EXPECT_EQ(outer_plane(hull, f).offset, 1);
}

// Each plane of the core is one of the hull's moved inward; none of the core's points breaks any
// of the others.
TEST(RoundedHull, CoreIsTheIntersectionOfTheMovedHalfSpaces) {
    Random random(71);
    for (int round = 0; round < 60; ++round) {
        const Hull<double> sharp =
            make_hull(random_points(random.integer(6, 60), random.bits(), {1, 0.8, 0.9})).value();
        const double rounding = random.uniform(0.01, 0.25);
        const Result<Hull<double>> hull = round_hull(sharp, rounding);
        if (!hull) continue;
        EXPECT_EQ(hull->vertices.size() + hull->faces.size(), hull->edges.size() + 2);
        for (const HullFace<double>& face : sharp.faces) {
            double reach = -10;
            for (const Vec3d& v : hull->vertices) {
                reach = std::max(reach, height_over(face.plane, v));
            }
            EXPECT_LE(reach, -rounding + 1e-12);
        }
        for (std::uint32_t f = 0; f < hull->faces.size(); ++f) {
            const HullFace<double>& face = hull->faces[f];
            for (std::uint32_t h = face.first; h < face.first + face.count; ++h) {
                EXPECT_NEAR(height_over(face.plane, hull->origin(h)), 0, 1e-12);
            }
        }
    }
}

// The largest ball in a regular tetrahedron of edge a has the radius a / sqrt(24).
TEST(RoundedHull, RoundingStopsAtTheLargestBallInside) {
    const std::vector<Vec3d> corners{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    const Hull<double> tetrahedron = make_hull(corners).value();
    const double limit = std::sqrt(8.0 / 24);
    EXPECT_TRUE(round_hull(tetrahedron, limit * (1 - 1e-5)));
    const Result<Hull<double>> too_much = round_hull(tetrahedron, 0.6);
    ASSERT_FALSE(too_much);
    EXPECT_EQ(to_string(too_much.error()),
              "rounding: rounding must be less than the radius of the largest ball inside the "
              "hull, 0.57735, got 0.6");
    EXPECT_EQ(to_string(round_hull(make_hull(cube_corners()).value(), 5).error()),
              "rounding: rounding must be less than the radius of the largest ball inside the "
              "hull, 1, got 5");
    EXPECT_EQ(to_string(round_hull(tetrahedron, -1).error()),
              "rounding: rounding must not be negative, got -1");
}

// A slanted needle, where the centroid is close to the faces: several steps lead to the core.
TEST(RoundedHull, DeepRoundingTakesSeveralSteps) {
    const std::vector<Vec3d> needle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.1, 0.1, 9}};
    const Hull<double> hull = round_hull(make_hull(needle).value(), 0.25).value();
    EXPECT_EQ(hull.faces.size(), 4u);
    for (const HullFace<double>& face : hull.faces) {
        for (const Vec3d& v : hull.vertices) EXPECT_LE(height_over(face.plane, v), 1e-13);
    }
}

} // namespace
} // namespace rigor::test
