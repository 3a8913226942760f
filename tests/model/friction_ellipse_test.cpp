// Friction ellipses of one and of two surfaces with a grain.

#include "model/friction_ellipse.h"

#include <cmath>

#include "test_support.h"

namespace rigor::test {
namespace {

constexpr Vec3d kUp{0, 0, 1};

/// D of an ellipse applied to a vector of the plane z = 0.
Vec3d apply(const FrictionEllipse& e, const Vec3d& v) {
    const Vec3d second = cross(kUp, e.axis);
    return e.axis * (e.along * dot(e.axis, v)) + second * (e.across * dot(second, v));
}

Vec3d at(double angle) {
    return {std::cos(angle), std::sin(angle), 0};
}

TEST(FrictionEllipse, OfOneGrainHasItsRatioAlongIt) {
    const FrictionEllipse e = friction_ellipse(kUp, {{3, 4, 7}, 0.5}, {});
    EXPECT_LT(length(e.axis - Vec3d{0.6, 0.8, 0}), 1e-15); // projected on the surface
    EXPECT_EQ(e.along, 0.5);
    EXPECT_EQ(e.across, 1);
    // Along the normal there is no grain.
    const FrictionEllipse end_grain = friction_ellipse(kUp, {{0, 0, 1}, 0.5}, {});
    EXPECT_EQ(end_grain.along, 1);
    EXPECT_EQ(end_grain.across, 1);
}

TEST(FrictionEllipse, RatiosOfParallelGrainsMultiply) {
    const FrictionEllipse e = friction_ellipse(kUp, {at(0.7), 0.5}, {at(0.7) * -1, 3});
    EXPECT_LT(length(apply(e, at(0.7)) - at(0.7) * 1.5), 1e-14);
    EXPECT_LT(length(apply(e, cross(kUp, at(0.7))) - cross(kUp, at(0.7))), 1e-14);
}

TEST(FrictionEllipse, CrossedGrainsOfOneRatioAreIsotropic) {
    const FrictionEllipse e = friction_ellipse(kUp, {at(0.7), 0.3}, {cross(kUp, at(0.7)), 0.3});
    EXPECT_NEAR(e.along, 0.3, 1e-14);
    EXPECT_NEAR(e.across, 0.3, 1e-14);
}

// D of both is the geometric mean G of A = D_a² and B = D_b²: the matrix with G A⁻¹ G = B.
TEST(FrictionEllipse, OfTwoGrainsIsTheGeometricMean) {
    Random random(5);
    for (int i = 0; i < 1000; ++i) {
        const Grain a{at(random.uniform(0, 6)), random.uniform(0.1, 5)},
            b{at(random.uniform(0, 6)), random.uniform(0.1, 5)};
        const FrictionEllipse g = friction_ellipse(kUp, a, b),
                              swapped = friction_ellipse(kUp, b, a);
        const FrictionEllipse inverse_a{a.direction, 1 / a.ratio, 1};
        const FrictionEllipse d_b{b.direction, b.ratio, 1};
        for (const Vec3d& v : {at(0), at(1)}) {
            const Vec3d left = apply(g, apply(inverse_a, apply(inverse_a, apply(g, v))));
            const Vec3d right = apply(d_b, apply(d_b, v));
            EXPECT_LT(length(left - right), 1e-11);
            EXPECT_LT(length(apply(g, v) - apply(swapped, v)), 1e-12);
        }
    }
}

} // namespace
} // namespace rigor::test
