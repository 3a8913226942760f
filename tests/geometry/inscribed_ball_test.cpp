// Inscribed balls: within their solids, and of a fair size.

#include "geometry/inscribed_ball.h"

#include <gtest/gtest.h>

#include "concave_samples.h"
#include "mesh_samples.h"
#include "sample_shapes.h"

namespace rigor {
namespace {

Shape<double> mesh(const TriangleSoup& soup) {
    return make_shape(test::define(MeshDef{std::make_shared<TriangleSoup>(soup)})).value();
}

/// The ball is in the solid, and has at least this radius.
void expect_inside(const Shape<double>& shape, double least) {
    const InscribedBall ball = inscribed_ball(shape);
    EXPECT_GE(ball.radius, least);
    EXPECT_LE(ball.radius, -closest_point(shape, ball.center).distance + 1e-12);
}

TEST(InscribedBall, IsInEveryConvexSolid) {
    for (const test::Specimen<double>& sample : test::convex_samples_in_double()) {
        SCOPED_TRACE(sample.name);
        expect_inside(sample.shape, 0.1);
    }
}

TEST(InscribedBall, IsInMeshesThatAreNotConvex) {
    expect_inside(mesh(test::torus_mesh(1, 0.3, 24, 12)), 0.2);
    expect_inside(mesh(test::pawn_mesh()), 0.05);
    expect_inside(mesh(test::corner_mesh()), 0.05);
}

TEST(InscribedBall, OfACompoundIsThatOfALargeChild) {
    ShapeDef small = test::define(SphereDef{0.1}), large = test::define(BoxDef{{2, 2, 4}});
    large.position = {5, 0, 0};
    const InscribedBall ball =
        inscribed_ball(make_shape(test::define(CompoundDef{{small, large}})).value());
    EXPECT_EQ(ball.radius, 1);
    EXPECT_EQ(ball.center, (Vec3d{5, 0, 0}));
}

TEST(InscribedBall, SheetsAndHalfSpacesHaveNone) {
    EXPECT_EQ(inscribed_ball(mesh(test::sheet_mesh(3, 2))).radius, 0);
    EXPECT_EQ(inscribed_ball(make_shape(test::define(PlaneDef{})).value()).radius, 0);
}

} // namespace
} // namespace rigor
