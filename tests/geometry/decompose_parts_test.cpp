// The parts of convex decomposition, each against a closed form.

#include <gtest/gtest.h>

#include "geometry/decompose_excess.h"
#include "geometry/decompose_fragment.h"
#include "geometry/decompose_hull.h"
#include "geometry/decompose_roots.h"
#include "geometry/decompose_samples.h"
#include "geometry/hull_builder.h"
#include "geometry/solid_moments.h"

namespace rigor::test {
namespace {

using Mesh = std::shared_ptr<const TriangleMesh<double>>;

Hull<double> hull_of(const TriangleSoup& soup) {
    return make_hull(soup.vertices).value();
}

// The bounds close in on the answer, and the farthest point is where it should be.
void expect_excess(const TriangleSoup& soup, double expected) {
    const Mesh mesh = make_mesh(soup).value();
    ExcessField field(*mesh, 0.01);
    const Excess found = field.excess(hull_of(soup), {0, 1e9, 200'000});
    EXPECT_LE(found.lower, expected + 1e-9);
    EXPECT_GE(found.upper, expected - 1e-9);
    EXPECT_LE(found.upper - found.lower, 0.03);
    if (found.lower > 0) {
        EXPECT_EQ(field.distance(found.farthest), found.lower);
    }
}

TEST(Excess, OfTheHullOfAnLIsAtTheMiddleOfItsSlope) {
    expect_excess(l_mesh(), 1); // (2, 2) is 1 away from both arms
}

TEST(Excess, OfAGrooveIsHalfItsWidth) {
    expect_excess(u_mesh(), 0.5);
}

TEST(Excess, OfACavityIsTheRadiusOfTheBallInIt) {
    expect_excess(cube_with_hole_mesh(), 0.5);
}

TEST(Excess, OfAConvexSolidIsNothing) {
    expect_excess(box_mesh({1, 1, 1}), 0);
}

// The planes of a needle go on beyond its tip almost side by side: cells there must not count.
TEST(Excess, OfANeedleIsNothing) {
    TriangleSoup needle{{{-1, 0, 0}, {1, 0, 0}, {0.2, 0.01, 0}, {0.2, 0, 0.01}},
                        {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    needle = moved(needle, {{}, Random(3).rotation()});
    const Mesh mesh = make_mesh(needle).value();
    ExcessField field(*mesh, 0.01);
    EXPECT_LE(field.excess(hull_of(needle), {0, 9, 100'000}).upper, 0.02);
}

TEST(Excess, ASearchEndsAsSoonAsItMay) {
    const Mesh mesh = make_mesh(l_mesh()).value();
    ExcessField field(*mesh, 1e-3);
    const Hull<double> hull = hull_of(l_mesh());
    EXPECT_LE(field.excess(hull, {1.5, 1.5}).upper, 1.5);
    EXPECT_GT(field.excess(hull, {0.5, 0.5}).lower, 0.5);
    const Excess one_cell = field.excess(hull, {0, 9, 1});
    EXPECT_LE(one_cell.lower, 1);
    EXPECT_GE(one_cell.upper, 1);
}

double volume_of(const Fragment& fragment) {
    return volume(make_hull(fragment.points).value());
}

// Both parts of a convex solid are convex, so that their hulls add up to the whole, however many
// planes have cut it: only when every corner of every cap is found, those inside the solid
// included.
TEST(Fragment, PartsOfABoxAddUpToTheBox) {
    const TriangleSoup soup = box_mesh({1, 2, 3}, {5, 6, 7});
    const Mesh mesh = make_mesh(soup).value();
    const ExcessField field(*mesh, 0.1);
    Random random;
    for (int round = 0; round < 20; ++round) {
        std::vector<Fragment> parts{make_fragment(soup.vertices, soup.triangles)};
        for (int k = 0; k < 4; ++k) {
            const Vec3d n = random.direction();
            const Vec3d through = Vec3d{5, 6, 7} + multiply(random.vec(-0.2, 0.2), {1, 2, 3});
            std::vector<Fragment> next;
            for (const Fragment& part : parts) {
                auto [below, above] = cut(part, {n, dot(n, through)}, 1e-9, field);
                if (!below.empty()) next.push_back(std::move(below));
                if (!above.empty()) next.push_back(std::move(above));
            }
            parts = std::move(next);
        }
        double sum = 0;
        for (const Fragment& part : parts) {
            if (make_hull(part.points)) sum += volume_of(part);
        }
        EXPECT_NEAR(sum, 6, 1e-5);
    }
}

// The plane of the top of the lower arm cuts the L into two boxes: what lies on the plane belongs
// to the side where the solid is.
TEST(Fragment, APlaneAlongAFaceLeavesTheFaceToItsSolid) {
    const TriangleSoup soup = l_mesh();
    const Mesh mesh = make_mesh(soup).value();
    const ExcessField field(*mesh, 0.1);
    const Fragment whole = make_fragment(soup.vertices, soup.triangles);
    const auto [below, above] = cut(whole, {{0, 1, 0}, 1}, 1e-9, field);
    EXPECT_NEAR(volume_of(below), 3, 1e-12);
    EXPECT_NEAR(volume_of(above), 2, 1e-12);
    const auto [all, none] = cut(whole, {{0, 1, 0}, 3}, 1e-9, field);
    EXPECT_EQ(all.ends.size(), whole.ends.size());
    EXPECT_TRUE(none.empty());
}

TEST(ThinHull, KeepsAllCornersOfAHullOfFew) {
    Random random;
    std::vector<Vec3d> points = box_mesh({1, 2, 3}).vertices;
    for (int i = 0; i < 5000; ++i) points.push_back(multiply(random.vec(-0.5, 0.5), {1, 2, 3}));
    const Hull<double> hull = thin_hull(points, 0.3).value();
    EXPECT_EQ(hull.vertices.size(), 8u);
    EXPECT_NEAR(volume(hull), 6, 1e-12);
}

TEST(ThinHull, LeavesNoPointFartherOutThanTheTolerance) {
    const std::vector<Vec3d> points = ball_mesh(60, 80).vertices;
    std::size_t corners = points.size();
    for (const double tolerance : {0.001, 0.01, 0.05}) {
        const Hull<double> hull = thin_hull(points, tolerance).value();
        for (const Vec3d& p : points) EXPECT_LE(closest_point(hull, p).distance, tolerance + 1e-9);
        EXPECT_LT(hull.vertices.size(), corners);
        corners = hull.vertices.size();
    }
    EXPECT_LT(corners, 150u);
}

TEST(ThinHull, HasNoneOfFlatPoints) {
    std::vector<Vec3d> points;
    for (int i = 0; i < 100; ++i) points.push_back({i % 10 * 1.0, i / 10 * 1.0, 0});
    EXPECT_FALSE(thin_hull(points, 0.1).has_value());
    EXPECT_FALSE(rough_hull(points).has_value());
    EXPECT_FALSE(thin_hull({}, 0.1).has_value());
}

// Of a flake, evenly spread directions see the rim alone: rough hulls once held a third of such
// parts, which then seemed to be done with, and the same slivers were cut off them until there were
// too many.
TEST(RoughHull, HoldsMostOfAFlake) {
    std::vector<Vec3d> cap;
    for (const Vec3d& v : ball_mesh(200, 40).vertices) {
        if (v.z > 0.98) cap.push_back(transform(Posed{{}, Quatd{0.8, 0.6, 0, 0}}, v));
    }
    EXPECT_GT(volume(rough_hull(cap).value()), 0.75 * volume(make_hull(cap).value()));
}

TEST(SeparateParts, AreToldApartByTheirBoxes) {
    TriangleSoup soup = box_mesh({1, 1, 1});
    append(soup, box_mesh({1, 1, 1}, {3, 0, 0}));
    append(soup, cube_with_hole_mesh());
    for (std::size_t i = 16; i < soup.vertices.size(); ++i) soup.vertices[i] += {9, 0, 0};
    const std::vector<Triangles> parts = separate_parts(**make_mesh(soup), 10);
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_EQ(parts[2].size(), 24u); // a cavity belongs to the solid around it
    EXPECT_EQ(separate_parts(**make_mesh(soup), 2).size(), 1u);
}

TEST(Coarsen, KeepsVerticesOnTheSolidAndTheirNumberSmall) {
    const TriangleSoup soup = torus_mesh(1, 0.35, 200, 100);
    const Triangles few = coarsen(soup.vertices, soup.triangles, 3000);
    EXPECT_LE(few.size(), 3000u);
    EXPECT_GE(few.size(), 1000u);
    double area_of_few = 0;
    for (const auto& t : few) {
        area_of_few +=
            area(Triangle<double>{soup.vertices[t[0]], soup.vertices[t[1]], soup.vertices[t[2]]});
    }
    EXPECT_NEAR(area_of_few, 4 * kPi<double> * kPi<double> * 0.35, 0.15 * area_of_few);
}

} // namespace
} // namespace rigor::test
