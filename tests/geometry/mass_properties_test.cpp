// Mass properties: moved, turned, put together, and told apart from what no solid can have.

#include "geometry/mass_properties.h"

#include "geometry/moments.h"
#include "geometry/solid_moments.h"
#include "sample_shapes.h"

namespace rigor::test {
namespace {

double distance(const Sym3d& a, const Sym3d& b) {
    const Sym3d d = a - b;
    return std::abs(d.xx) + std::abs(d.yy) + std::abs(d.zz) + std::abs(d.xy) + std::abs(d.xz) +
           std::abs(d.yz);
}

// A box cut in eight and put together again.
TEST(MassProperties, PartsAddUpToTheWhole) {
    Random random(89);
    const Posed pose = random.pose(3);
    const MassProperties part = mass_properties(make_box<double>({0.5, 1, 1.5}), 10, false);
    std::vector<MassProperties> parts;
    for (int i = 0; i < 8; ++i) {
        const Vec3d at{i & 1 ? 0.25 : -0.25, i & 2 ? 0.5 : -0.5, i & 4 ? 0.75 : -0.75};
        parts.push_back(transform(pose * Posed{at, {}}, part));
    }
    parts.push_back({}); // what has no mass changes nothing
    const MassProperties sum = combine(parts);
    const MassProperties whole =
        transform(pose, mass_properties(make_box<double>({1, 2, 3}), 10, false));
    EXPECT_NEAR(sum.mass, whole.mass, 1e-12);
    EXPECT_NEAR(length(sum.center - whole.center), 0, 1e-14);
    EXPECT_NEAR(distance(sum.inertia, whole.inertia), 0, 1e-11);
}

TEST(MassProperties, NothingAddsUpToNothing) {
    EXPECT_EQ(combine({}).mass, 0);
    EXPECT_EQ(to_mass_properties(Moments{}).mass, 0);
}

// The two ways to move a solid: its moments about a fixed point, or its mass properties.
TEST(MassProperties, MomentsMoveAsTheSolidDoes) {
    Random random(97);
    const Moments cone = moments(make_cone(0.6, 1.3), false);
    const Posed pose = random.pose(2);
    const MassProperties by_moments =
        to_mass_properties(translate(rotate(to_matrix(pose.q), cone), pose.p));
    const MassProperties by_mass = transform(pose, to_mass_properties(cone));
    EXPECT_NEAR(length(by_moments.center - by_mass.center), 0, 1e-14);
    EXPECT_NEAR(distance(by_moments.inertia, by_mass.inertia), 0, 1e-13);
    EXPECT_NEAR(distance(inertia_of(second_of(by_mass.inertia)), by_mass.inertia), 0, 1e-15);
}

TEST(MassProperties, RescalingKeepsTheShape) {
    const MassProperties mass = mass_properties(make_box<double>({1, 2, 3}), 10, false);
    const MassProperties heavy = with_mass(mass, 120);
    EXPECT_EQ(heavy.mass, 120);
    EXPECT_NEAR(heavy.inertia.xx, 130, 1e-12);
}

// Principal axes turn with the solid, and the moments do not change.
TEST(MassProperties, PrincipalAxesOfATurnedBox) {
    Random random(101);
    const Sym3d inertia = mass_properties(make_box<double>({1, 2, 3}), 1, false).inertia;
    EXPECT_EQ(principal_inertia(inertia).moments, (Vec3d{inertia.zz, inertia.yy, inertia.xx}));
    for (int i = 0; i < 20; ++i) {
        const PrincipalInertia p = principal_inertia(rotate(to_matrix(random.rotation()), inertia));
        EXPECT_NEAR(p.moments.x, inertia.zz, 1e-13);
        EXPECT_NEAR(p.moments.z, inertia.xx, 1e-13);
        EXPECT_NEAR(determinant(p.axes), 1, 1e-13);
    }
}

std::string verdict(const MassProperties& mass) {
    const Result<void> result = check_mass_properties(mass);
    return result ? "fine" : to_string(result.error());
}

TEST(MassProperties, EveryRealSolidPasses) {
    for (const auto& [name, shape] : convex_samples_in_double()) {
        EXPECT_EQ(verdict(mass_properties(shape, 1).value()), "fine") << name;
        EXPECT_EQ(verdict(mass_properties(shape, 1, true).value()), "fine") << name;
    }
    // A flat plate is the limit: one moment is the sum of the other two.
    EXPECT_EQ(verdict({1, {}, Sym3d::diagonal({1, 1, 2})}), "fine");
}

TEST(MassProperties, WhatNoSolidHasGetsASentence) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const Sym3d good = Sym3d::diagonal({1, 1, 1});
    EXPECT_EQ(verdict({0, {}, good}), "mass: mass must be positive and finite, got 0");
    EXPECT_EQ(verdict({-1, {}, good}), "mass: mass must be positive and finite, got -1");
    EXPECT_EQ(verdict({infinity, {}, good}), "mass: mass must be positive and finite, got inf");
    EXPECT_EQ(verdict({nan, {}, good}), "mass: mass must be positive and finite, got nan");
    EXPECT_EQ(verdict({1, {0, nan, 0}, good}),
              "center_of_mass: center_of_mass must be finite, got (0, nan, 0)");
    EXPECT_EQ(verdict({1, {}, Sym3d::diagonal({1, nan, 1})}),
              "inertia: inertia must be finite, got [(1, 0, 0), (0, nan, 0), (0, 0, 1)]");
    EXPECT_EQ(verdict({1, {}, Sym3d::diagonal({1, -2, 1})}),
              "inertia: principal moments of inertia must be positive, got (-2, 1, 1)");
    EXPECT_EQ(verdict({1, {}, {1, 1, 1, 0, 0, 2}}),
              "inertia: principal moments of inertia must be positive, got (-1, 1, 3)");
    EXPECT_EQ(verdict({1, {}, Sym3d::diagonal({1, 1, 2.5})}),
              "inertia: no principal moment of inertia may exceed the sum of the other two, got "
              "(1, 1, 2.5)");
}

} // namespace
} // namespace rigor::test
