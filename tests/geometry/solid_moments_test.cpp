// Volume, area, center and inertia in closed form against the textbook, against limits, and
// against counting random points.

#include "geometry/solid_moments.h"
#include "geometry/hull_builder.h"
#include "geometry/mass_properties.h"
#include "sample_shapes.h"

namespace rigor::test {
namespace {

constexpr double kTight = 1e-14;
const double kPid = std::acos(-1.0);

void expect_inertia(const MassProperties& mass, const Vec3d& diagonal, double relative = kTight) {
    const double size = max_component(diagonal);
    EXPECT_NEAR(mass.inertia.xx, diagonal.x, relative * size);
    EXPECT_NEAR(mass.inertia.yy, diagonal.y, relative * size);
    EXPECT_NEAR(mass.inertia.zz, diagonal.z, relative * size);
    EXPECT_NEAR(mass.inertia.xy, 0, relative * size);
    EXPECT_NEAR(mass.inertia.xz, 0, relative * size);
    EXPECT_NEAR(mass.inertia.yz, 0, relative * size);
}

void expect_same(const MassProperties& a, const MassProperties& b, double relative) {
    const double size = std::cbrt(b.mass);
    EXPECT_NEAR(a.mass, b.mass, relative * b.mass);
    EXPECT_NEAR(length(a.center - b.center), 0, relative * size);
    const Sym3d d = a.inertia - b.inertia;
    for (const double e : {d.xx, d.yy, d.zz, d.xy, d.xz, d.yz}) {
        EXPECT_NEAR(e, 0, relative * b.inertia.trace());
    }
}

TEST(SolidMoments, SphereIsTwoFifthsAndTwoThirdsMRSquared) {
    const Sphere<double> sphere{1.5};
    EXPECT_NEAR(volume(sphere), 4 * kPid / 3 * 3.375, kTight * 15);
    EXPECT_NEAR(area(sphere), 4 * kPid * 2.25, kTight * 30);
    const MassProperties solid = mass_properties(sphere, 2, false);
    const double i = 0.4 * solid.mass * 2.25;
    expect_inertia(solid, {i, i, i});
    const MassProperties shell = mass_properties(sphere, 2, true);
    const double s = 2.0 / 3 * shell.mass * 2.25;
    expect_inertia(shell, {s, s, s});
}

TEST(SolidMoments, BoxSolidAndHollow) {
    const double x = 1, y = 2, z = 3;
    const Box<double> box = make_box<double>({x, y, z});
    const MassProperties solid = mass_properties(box, 700, false);
    EXPECT_NEAR(solid.mass, 700 * 6, 1e-11);
    const double k = solid.mass / 12;
    expect_inertia(solid, {k * (y * y + z * z), k * (x * x + z * z), k * (x * x + y * y)});
    // The shell is six plates. About x: the pairs at ±y/2 and ±z/2, and the pair at ±x/2.
    const auto about = [](double a, double b, double c) {
        return 2 * (b * c * (b * b + c * c) / 12 + a * c * (c * c / 12 + b * b / 4) +
                    a * b * (b * b / 12 + c * c / 4));
    };
    const MassProperties shell = mass_properties(box, 1, true);
    EXPECT_NEAR(shell.mass, 22, kTight * 22);
    expect_inertia(shell, {about(x, y, z), about(y, z, x), about(z, x, y)});
}

TEST(SolidMoments, CylinderSolidAndHollowWithItsCaps) {
    const double r = 0.5, h = 1.2;
    const Cylinder<double> cylinder = make_cylinder(r, h);
    const MassProperties solid = mass_properties(cylinder, 1, false);
    EXPECT_NEAR(solid.mass, kPid * r * r * h, kTight);
    const double across = solid.mass * (3 * r * r + h * h) / 12;
    expect_inertia(solid, {across, across, solid.mass * r * r / 2});
    const double side = 2 * kPid * r * h, cap = kPid * r * r;
    const MassProperties shell = mass_properties(cylinder, 1, true);
    EXPECT_NEAR(shell.mass, side + 2 * cap, kTight * 10);
    const double shell_across = side * (r * r / 2 + h * h / 12) + 2 * cap * (r * r / 4 + h * h / 4);
    expect_inertia(shell, {shell_across, shell_across, side * r * r + cap * r * r});
}

TEST(SolidMoments, CapsuleIsACylinderAndTwoHalfBalls) {
    const double r = 0.3, l = 1.1;
    const MassProperties solid = mass_properties(Capsule<double>{r, l / 2}, 1, false);
    const double tube = kPid * r * r * l, ball = 4 * kPid / 3 * r * r * r;
    EXPECT_NEAR(solid.mass, tube + ball, kTight);
    // Half balls: their centers of mass are 3r/8 from the flat side.
    const double along = tube * r * r / 2 + ball * 0.4 * r * r;
    const double across = tube * (r * r / 4 + l * l / 12) +
                          ball * (0.4 * r * r + l * l / 4 + 2 * (l / 2) * (3 * r / 8));
    expect_inertia(solid, {across, across, along});
}

TEST(SolidMoments, ConeSolidAndHollowWithItsBase) {
    const double r = 0.6, h = 1.3;
    const Cone<double> cone = make_cone(r, h);
    const MassProperties solid = mass_properties(cone, 1, false);
    EXPECT_NEAR(solid.mass, kPid * r * r * h / 3, kTight);
    EXPECT_NEAR(solid.center.z, -h / 4, kTight); // a quarter of the height above the base
    const double across = 3.0 / 20 * solid.mass * (r * r + h * h / 4);
    expect_inertia(solid, {across, across, 0.3 * solid.mass * r * r});
    const double slant = std::sqrt(r * r + h * h), side = kPid * r * slant, base = kPid * r * r;
    const MassProperties shell = mass_properties(cone, 1, true);
    EXPECT_NEAR(shell.mass, side + base, kTight * 5);
    // The side's center is at a third of the height, the base's at none.
    EXPECT_NEAR(shell.center.z + h / 2, side * h / 3 / (side + base), kTight);
    EXPECT_NEAR(shell.inertia.zz, (side + base) * r * r / 2, kTight);
}

// [Baber 2006, figure 8], with the numbers given there.
TEST(SolidMoments, SquarePyramidOfTheThesis) {
    const std::vector<Vec3d> points{{0, 0, 0}, {5, 0, 0}, {5, 5, 0}, {0, 5, 0}, {2.5, 2.5, 4}};
    const Hull<double> hull = make_hull(points).value();
    EXPECT_NEAR(volume(hull), 100.0 / 3, 1e-12);
    const MassProperties mass = mass_properties(hull, 1, false);
    EXPECT_NEAR(length(mass.center - Vec3d{2.5, 2.5, 1}), 0, 1e-14);
}

// The polyhedron's formula (slabs, wedges, sectors) must agree with the box's own.
TEST(SolidMoments, HullOfABoxWeighsWhatTheBoxDoes) {
    std::vector<Vec3d> corners;
    for (int i = 0; i < 8; ++i) {
        corners.push_back({i & 1 ? 0.5 : -0.5, i & 2 ? 0.3 : -0.3, i & 4 ? 0.7 : -0.7});
    }
    for (const double rounding : {0.0, 0.1, 0.29}) {
        SCOPED_TRACE(message("rounding = ", rounding));
        const Hull<double> hull = round_hull(make_hull(corners).value(), rounding).value();
        const Box<double> box = make_box<double>({1, 0.6, 1.4}, rounding);
        for (const bool hollow : {false, true}) {
            expect_same(mass_properties(hull, 1, hollow), mass_properties(box, 1, hollow), 1e-13);
        }
    }
}

TEST(SolidMoments, RoundedAllThroughIsABallACapsule) {
    for (const bool hollow : {false, true}) {
        const MassProperties ball = mass_properties(Sphere<double>{0.5}, 1, hollow);
        expect_same(mass_properties(make_box<double>({1, 1, 1}, 0.5), 1, hollow), ball, 1e-14);
        expect_same(mass_properties(make_cylinder(0.5, 1.0, 0.5), 1, hollow), ball, 1e-14);
        const MassProperties capsule = mass_properties(Capsule<double>{0.5, 0.3}, 1, hollow);
        expect_same(mass_properties(make_box<double>({1, 1, 1.6}, 0.5), 1, hollow), capsule, 1e-14);
        expect_same(mass_properties(make_cylinder(0.5, 1.6, 0.5), 1, hollow), capsule, 1e-14);
        // The cone's limit is its inscribed ball.
        const double r = cone_inradius(0.6, 1.3);
        MassProperties in_cone = mass_properties(Sphere<double>{r}, 1, hollow);
        in_cone.center = {0, 0, r - 0.65};
        expect_same(mass_properties(make_cone(0.6, 1.3, r * (1 - 1e-12)), 1, hollow), in_cone,
                    1e-11);
    }
}

TEST(SolidMoments, VanishingRoundingChangesNothing) {
    for (const bool hollow : {false, true}) {
        const double r = 1e-9;
        expect_same(mass_properties(make_box<double>({1, 2, 3}, r), 1, hollow),
                    mass_properties(make_box<double>({1, 2, 3}), 1, hollow), 1e-8);
        expect_same(mass_properties(make_cylinder(0.5, 1.2, r), 1, hollow),
                    mass_properties(make_cylinder(0.5, 1.2), 1, hollow), 1e-8);
        expect_same(mass_properties(make_cone(0.6, 1.3, r), 1, hollow),
                    mass_properties(make_cone(0.6, 1.3), 1, hollow), 1e-8);
        const Hull<double> hull = make_hull(random_points(12, 3, {1, 0.6, 0.8})).value();
        expect_same(mass_properties(round_hull(hull, r).value(), 1, hollow),
                    mass_properties(hull, 1, hollow), 1e-7);
    }
}

// Counting random points is slow and blunt, but knows nothing of the formulas: a point is inside
// when its signed distance is negative. Three standard deviations are allowed, times the number
// of things compared.
TEST(SolidMoments, AgreesWithRandomPointsInside) {
    Random random(17);
    const int count = 60'000;
    for (const auto& [name, shape] : convex_samples_in_double()) {
        SCOPED_TRACE(name);
        const Aabb<double> box = bounds(shape, Posed{});
        const Vec3d size = box.hi - box.lo;
        const double box_volume = size.x * size.y * size.z;
        Moments sum;
        for (int i = 0; i < count; ++i) {
            const Vec3d p = box.lo + multiply(random.vec(0, 1), size);
            if (closest_point(shape, p).distance < 0) sum += {1, p, square(p)};
        }
        const double v = box_volume * sum.m / count;
        EXPECT_NEAR(volume(shape), v, 4 * box_volume * std::sqrt(0.25 / count));
        const MassProperties counted = to_mass_properties(sum);
        const MassProperties exact = mass_properties(shape, 1).value();
        const double scale = max_component(size) / std::sqrt(sum.m);
        EXPECT_NEAR(length(counted.center - exact.center), 0, 2 * scale);
        const Sym3d d = counted.inertia * (1 / counted.mass) - exact.inertia * (1 / exact.mass);
        for (const double e : {d.xx, d.yy, d.zz, d.xy, d.xz, d.yz}) {
            EXPECT_NEAR(e, 0, scale * max_component(size));
        }
    }
}

// The same for shells: the points within e of the surface, inside and out, are 2e times the area
// but for terms of second order in e.
TEST(SolidMoments, ShellAgreesWithRandomPointsNearTheSurface) {
    Random random(23);
    const int count = 60'000;
    const double e = 0.02;
    for (const auto& [name, shape] : convex_samples_in_double()) {
        SCOPED_TRACE(name);
        const Aabb<double> box = expand(bounds(shape, Posed{}), e);
        const Vec3d size = box.hi - box.lo;
        const double box_volume = size.x * size.y * size.z;
        Moments sum;
        for (int i = 0; i < count; ++i) {
            const Vec3d p = box.lo + multiply(random.vec(0, 1), size);
            if (std::abs(closest_point(shape, p).distance) < e) sum += {1, p, square(p)};
        }
        const double a = box_volume * sum.m / count / (2 * e);
        EXPECT_NEAR(area(shape) / a, 1, 4 / std::sqrt(sum.m) + 0.01);
        const MassProperties counted = to_mass_properties(sum);
        const MassProperties exact = mass_properties(shape, 1, true).value();
        const double scale = max_component(size) / std::sqrt(sum.m);
        EXPECT_NEAR(length(counted.center - exact.center), 0, 2 * scale);
        const Sym3d d = counted.inertia * (1 / counted.mass) - exact.inertia * (1 / exact.mass);
        for (const double x : {d.xx, d.yy, d.zz, d.xy, d.xz, d.yz}) {
            EXPECT_NEAR(x, 0, 1.5 * scale * max_component(size));
        }
    }
}

// Growing a solid by a thin layer adds its area times the thickness: by central differences.
TEST(SolidMoments, ShellIsTheDerivativeOfTheSolid) {
    const double h = 1e-5;
    const auto check = [&](auto core, double r, auto with_radius) {
        const auto at = [&](double radius) { return moments(with_radius(core, radius), false); };
        const Moments shell = moments(with_radius(core, r), true);
        const Moments slope = (at(r + h) + at(r - h) * -1) * (0.5 / h);
        EXPECT_NEAR(slope.m, shell.m, 1e-9);
        EXPECT_NEAR(length(slope.first - shell.first), 0, 1e-9);
        EXPECT_NEAR((slope.second - shell.second).trace(), 0, 1e-8);
    };
    const auto set_rounding = [](auto solid, double radius) {
        solid.rounding = radius;
        return solid;
    };
    check(make_box<double>({1, 2, 3}, 0.2), 0.2, set_rounding);
    check(make_cylinder(0.5, 1.2, 0.2), 0.2, set_rounding);
    check(make_cone(0.6, 1.3, 0.2), 0.2, set_rounding);
    check(round_hull(make_hull(random_points(14, 7, {1, 1, 1})).value(), 0.1).value(), 0.1,
          set_rounding);
    check(Sphere<double>{0.7}, 0.7, [](auto s, double radius) {
        s.radius = radius;
        return s;
    });
}

// Moved far away and turned, a hull weighs the same, and its inertia turns with it; integrated
// about a point inside, nothing is lost to the distance but what the coordinates themselves lose.
TEST(SolidMoments, HullMassDoesNotDependOnThePlace) {
    Random random(29);
    const std::vector<Vec3d> points = random_points(20, 31, {1, 0.5, 0.7});
    const MassProperties here = mass_properties(make_hull(points).value(), 3, false);
    const Posed pose{{1000, -2000, 500}, random.rotation()};
    std::vector<Vec3d> moved;
    for (const Vec3d& p : points) moved.push_back(transform(pose, p));
    const MassProperties there = mass_properties(make_hull(moved).value(), 3, false);
    expect_same(there, transform(pose, here), 1e-11);
}

TEST(SolidMoments, ScaleByTenPowers) {
    const std::vector<Vec3d> points = random_points(16, 37, {1, 1, 1});
    const double unit = volume(make_hull(points).value());
    for (const double scale : {1e-20, 1e-6, 1e6, 1e20}) {
        std::vector<Vec3d> scaled = points;
        for (Vec3d& p : scaled) p *= scale;
        const Result<Hull<double>> hull = make_hull(scaled);
        ASSERT_TRUE(hull) << scale;
        EXPECT_NEAR(volume(*hull) / (scale * scale * scale), unit, 1e-13);
    }
}

} // namespace
} // namespace rigor::test
