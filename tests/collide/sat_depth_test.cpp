// The depth of hulls against brute force: the separating axis theorem over all their axes.

#include "collide/brute_force.h"
#include "collide/certificate.h"
#include "collide/distance.h"
#include "geometry/sample_shapes.h"

namespace rigor::test {
namespace {

std::vector<Polyhedron> polyhedra() {
    std::vector<Polyhedron> out;
    const auto add = [&](ShapeGeometry geometry) {
        out.push_back(polyhedron(make_shape(define(std::move(geometry))).value()));
    };
    add(BoxDef{{1, 0.6, 1.4}});
    add(BoxDef{{2, 0.01, 1}});    // a plate
    add(BoxDef{{3, 0.02, 0.02}}); // a needle
    add(HullDef{random_points(4, 1, {1, 1, 1})});
    add(HullDef{random_points(9, 2, {1, 0.5, 1})});
    add(HullDef{points_on_sphere(20, 3)});
    add(HullDef{points_on_sphere(40, 4)});
    add(HullDef{random_points(10, 5, {1, 1, 0.01})});
    return out;
}

} // namespace

TEST(SatDepth, IsThatOfEpa) {
    const std::vector<Polyhedron> all = polyhedra();
    Random random(21);
    int overlapping = 0;
    for (const Polyhedron& a : all) {
        for (const Polyhedron& b : all) {
            for (int i = 0; i < 20; ++i) {
                Posed pose = random.pose(i % 2 == 0 ? 0.2 : 0.8);
                if (i % 5 == 0) pose.q = {}; // faces and edges in parallel
                const double expected = most_room(a, b, pose);
                if (expected > 0) continue;
                ++overlapping;
                SCOPED_TRACE(message("at ", pose.p, pose.q));
                const Distance<double> d = distance(a.shape, b.shape, pose);
                EXPECT_NEAR(d.distance, expected, 1e-10);
                EXPECT_TRUE(d.converged);
                expect_certified(a.shape, b.shape, pose, d, 1e-10);
            }
        }
    }
    EXPECT_GT(overlapping, 400);
}

// At the same place every axis of symmetry is as good as its opposite, and rounding decides.
TEST(SatDepth, OfIdenticalShapesAtTheSamePlaceIsTheirLeastWidth) {
    for (const Polyhedron& a : polyhedra()) {
        const Posed same{};
        const Distance<double> d = distance(a.shape, a.shape, same);
        EXPECT_NEAR(d.distance, most_room(a, a, same), 1e-10);
        expect_certified(a.shape, a.shape, same, d, 1e-10);
    }
}

// Nearly touching, from either side: neither GJK nor EPA is at home there. Apart, the distance is
// the gap; a corner or edge pushed in by as much leaves by the nearest face, which is nearer.
TEST(SatDepth, OfTouchingHullsIsTheGap) {
    const std::vector<Polyhedron> all = polyhedra();
    Random random(22);
    for (const Polyhedron& a : all) {
        for (const Polyhedron& b : all) {
            Posed pose = random.pose(3);
            const Distance<double> d = distance(a.shape, b.shape, pose);
            if (!(d.distance > 0)) continue;
            for (const double gap : {0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6}) {
                Posed near = pose;
                near.p -= d.normal * (d.distance - gap);
                SCOPED_TRACE(message("gap ", gap, " at ", near.p, near.q));
                const Distance<double> touching = distance(a.shape, b.shape, near);
                const double expected = gap > 0 ? gap : most_room(a, b, near);
                EXPECT_NEAR(touching.distance, expected, 5e-12);
                EXPECT_NEAR(room_along(a.shape, b.shape, near, touching.normal), gap, 1e-5);
            }
        }
    }
}

} // namespace rigor::test
