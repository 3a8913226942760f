// Contact points of flat regions: only the corners count.
#include <gtest/gtest.h>

#include "contact_dynamics/redundant_points.h"

namespace rigor::contact_dynamics {
namespace {

RegionPoint at(double x, double y, double z, const Vec3d& normal = {0, 0, 1}, double gap = 0) {
    RegionPoint p;
    p.normal = normal;
    p.point.point_a = {x, y, z};
    p.point.separation = gap;
    return p;
}

// A table of four feet, each of many triangles: what is left are its four outer corners.
TEST(RedundantPoints, OfFourFeetTheOuterCornersStay) {
    std::vector<RegionPoint> points;
    for (const double x : {0.0, 0.05, 0.1, 0.9, 0.95, 1.0})
        for (const double y : {0.0, 0.05, 0.1, 0.9, 0.95, 1.0})
            for (int twice = 0; twice < 2; ++twice) points.push_back(at(x, y, 1e-14 * x));
    drop_redundant_points(points, 1);
    ASSERT_EQ(points.size(), 4u);
    for (const RegionPoint& p : points) {
        EXPECT_EQ(std::abs(p.point.point_a.x - 0.5), 0.5);
        EXPECT_EQ(std::abs(p.point.point_a.y - 0.5), 0.5);
    }
}

// Another plane, another normal or another gap is another contact.
TEST(RedundantPoints, WhatIsNotInThePlaneStays) {
    std::vector<RegionPoint> points;
    for (const double x : {0.0, 1.0})
        for (const double y : {0.0, 1.0}) points.push_back(at(x, y, 0));
    points.push_back(at(0.5, 0.5, 1e-6));
    points.push_back(at(0.5, 0.5, 0, {0, 1, 0}));
    points.push_back(at(0.5, 0.4, 0, {0, 0, 1}, -1e-6));
    points.push_back(at(0.5, 0.5, 0));
    points.push_back(at(0.5, 0, 0));
    drop_redundant_points(points, 1);
    EXPECT_EQ(points.size(), 7u);
}

// The ends of a row of points, and a single one.
TEST(RedundantPoints, OfARowTheEndsStay) {
    std::vector<RegionPoint> points;
    for (int i = 0; i <= 10; ++i) points.push_back(at(0.1 * i, 0.03 * i, 0));
    drop_redundant_points(points, 1);
    ASSERT_EQ(points.size(), 2u);
    EXPECT_EQ(points[0].point.point_a.x, 0);
    EXPECT_EQ(points[1].point.point_a.x, 1);
    points.resize(1);
    drop_redundant_points(points, 1);
    EXPECT_EQ(points.size(), 1u);
}

} // namespace
} // namespace rigor::contact_dynamics
