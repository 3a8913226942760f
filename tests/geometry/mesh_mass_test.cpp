// Mass properties of meshes against closed forms, surface integrals and random points.

#include <gtest/gtest.h>

#include "geometry/mesh_samples.h"
#include "rigor/mesh.h"
#include "test_support.h"

namespace rigor::test {
namespace {

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
    EXPECT_LE(length(a - b), tolerance) << a << " and " << b;
}

void expect_near(const Sym3d& a, const Sym3d& b, double tolerance) {
    const Sym3d d = a - b;
    for (const double x : {d.xx, d.yy, d.zz, d.xy, d.xz, d.yz}) EXPECT_LE(std::abs(x), tolerance);
}

void expect_equal(const MassProperties& a, const MassProperties& b, double relative) {
    const double size = std::sqrt(b.inertia.trace() / b.mass);
    EXPECT_NEAR(a.mass, b.mass, relative * b.mass);
    expect_near(a.center, b.center, relative * (size + length(b.center)));
    expect_near(a.inertia, b.inertia, relative * b.inertia.trace());
}

MeshMass weigh(const TriangleSoup& soup, const MeshMassDef& def = {}) {
    return mesh_mass(soup, def).value();
}

Sym3d box_inertia(double mass, const Vec3d& size) {
    const Vec3d s = multiply(size, size) * (mass / 12);
    return Sym3d::diagonal({s.y + s.z, s.z + s.x, s.x + s.y});
}

// A second, independent way: the divergence theorem turns the integrals over the solid into
// ones over its faces, of polynomials in one coordinate [Mirtich 1996, Eberly 2002].
MassProperties by_divergence(const TriangleSoup& soup) {
    std::array<double, 10> sums{};
    for (const Corners& corner : soup.triangles) {
        const Vec3d p0 = soup.vertices[corner[0]], p1 = soup.vertices[corner[1]],
                    p2 = soup.vertices[corner[2]];
        const Vec3d d = cross(p1 - p0, p2 - p0);
        Vec3d f1, f2, f3, g0, g1, g2;
        for (int i = 0; i < 3; ++i) {
            const double a = p0[i], b = p1[i], c = p2[i];
            f1[i] = a + b + c;
            f2[i] = a * a + b * (a + b) + c * f1[i];
            f3[i] = a * a * a + b * (a * a + b * (a + b)) + c * f2[i];
            g0[i] = f2[i] + a * (f1[i] + a);
            g1[i] = f2[i] + b * (f1[i] + b);
            g2[i] = f2[i] + c * (f1[i] + c);
        }
        sums[0] += d.x * f1.x;
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3;
            sums[static_cast<std::size_t>(1 + i)] += d[i] * f2[i];
            sums[static_cast<std::size_t>(4 + i)] += d[i] * f3[i];
            sums[static_cast<std::size_t>(7 + i)] +=
                d[i] * (p0[j] * g0[i] + p1[j] * g1[i] + p2[j] * g2[i]);
        }
    }
    const double mass = sums[0] / 6;
    const Vec3d c = Vec3d{sums[1], sums[2], sums[3]} / (24 * mass);
    const double xx = sums[4] / 60 - mass * c.x * c.x, yy = sums[5] / 60 - mass * c.y * c.y,
                 zz = sums[6] / 60 - mass * c.z * c.z;
    const double xy = sums[7] / 120 - mass * c.x * c.y, yz = sums[8] / 120 - mass * c.y * c.z,
                 zx = sums[9] / 120 - mass * c.z * c.x;
    return {mass, c, {yy + zz, zz + xx, xx + yy, -xy, -zx, -yz}};
}

// base b, height h: the center is at h/4; by slices, I_zz = m b²/10 and
// I_xx = m (b²/20 + 3 h²/80).
TEST(MeshMass, PyramidOfFigure8) {
    const MeshMass pyramid = weigh(pyramid_mesh());
    const double m = 100.0 / 3, b = 5, h = 4;
    EXPECT_NEAR(pyramid.volume, m, 1e-12 * m);
    const double slant = std::sqrt(h * h + b * b / 4);
    EXPECT_NEAR(pyramid.area, b * b + 4 * b * slant / 2, 1e-12 * pyramid.area);
    expect_near(pyramid.properties.center, {2.5, 2.5, 1}, 1e-14);
    const double i_xx = m * (b * b / 20 + 3 * h * h / 80);
    expect_near(pyramid.properties.inertia, Sym3d::diagonal({i_xx, i_xx, m * b * b / 10}),
                1e-12 * m);
    EXPECT_TRUE(pyramid.closed);
    EXPECT_TRUE(pyramid.warnings.empty());
}

// The origin of the coordinates is no part of the solid: a box a million meters away keeps all
// digits of its inertia (its corners are exact there).
TEST(MeshMass, BoxFarFromTheOrigin) {
    const Vec3d size{1, 2, 3};
    for (const double far : {0.0, 1e3, 1e6}) {
        SCOPED_TRACE(message("far = ", far));
        const Vec3d center{far, -2 * far, far / 2};
        const MeshMass box = weigh(box_mesh(size, center), {.density = 2});
        EXPECT_NEAR(box.properties.mass, 12, 1e-13 * 12);
        expect_near(box.properties.center, center, 1e-15 + 1e-15 * far);
        expect_near(box.properties.inertia, box_inertia(12, size), 1e-12);
        const MeshMass skin = weigh(box_mesh(size, center), {.hollow = true});
        EXPECT_NEAR(skin.properties.mass, 22, 1e-13 * 22);
    }
}

// The hole takes away its own inertia, no more and no less.
TEST(MeshMass, CubeWithACubicHole) {
    const MeshMass cube = weigh(cube_with_hole_mesh());
    EXPECT_NEAR(cube.volume, 7, 1e-14);
    EXPECT_NEAR(cube.area, 30, 1e-13);
    expect_near(cube.properties.inertia, box_inertia(8, {2, 2, 2}) - box_inertia(1, {1, 1, 1}),
                1e-14);
    EXPECT_TRUE(cube.warnings.empty());
}

// The ring has V = 2 π² R r², I_z = m (R² + 3 r²/4), I_x = m (R²/2 + 5 r²/8). Chords lie inside
// the surface by an amount that falls with the square of their length.
TEST(MeshMass, TorusConvergesAtSecondOrder) {
    const double major = 2, minor = 0.5, pi = kPi<double>;
    const double mass = 2 * pi * pi * major * minor * minor;
    const double i_z = mass * (major * major + 0.75 * minor * minor);
    const double i_x = mass * (major * major / 2 + 0.625 * minor * minor);
    std::array<Vec3d, 3> errors;
    for (std::size_t k = 0; k < 3; ++k) {
        const int n = 16 << k;
        const MeshMass torus = weigh(torus_mesh(major, minor, 2 * n, n));
        errors[k] = {mass - torus.volume, i_z - torus.properties.inertia.zz,
                     i_x - torus.properties.inertia.xx};
        EXPECT_LT(length(torus.properties.center), 1e-14);
    }
    for (int q = 0; q < 3; ++q) {
        EXPECT_NEAR(errors[0][q] / errors[1][q], 4, 0.1);
        EXPECT_NEAR(errors[1][q] / errors[2][q], 4, 0.03);
    }
}

TEST(MeshMass, AgreesWithSurfaceIntegrals) {
    Random random(7);
    for (const TriangleSoup& soup : {torus_mesh(2, 0.5, 64, 32), pawn_mesh(), cube_with_hole_mesh(),
                                     pyramid_mesh(), box_mesh({1, 2, 3}, {0.5, 1, -1})}) {
        const TriangleSoup turned = moved(soup, random.pose());
        expect_equal(weigh(turned).properties, by_divergence(turned), 1e-12);
    }
}

// Cut at height z, a turned solid of n sides is a regular polygon of circumradius r(z), of area
// (n/2) r² sin θ and polar moment (n/12) r⁴ sin θ (2 + cos θ), θ = 2π/n. With r linear in z the
// integrals over a slab are of degree 4, exact with three Gauss points.
MassProperties turned_solid(const std::vector<ProfilePoint>& profile, int around) {
    const SinCos<double> theta = sin_cos(2 * kPi<double> / around);
    double mass = 0, first = 0, second = 0, polar = 0;
    for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
        const ProfilePoint a = profile[k], b = profile[k + 1];
        const std::array<std::array<double, 2>, 3> gauss{
            {{0.5 - std::sqrt(0.15), 5.0 / 18}, {0.5, 4.0 / 9}, {0.5 + std::sqrt(0.15), 5.0 / 18}}};
        for (const auto& [at, weight] : gauss) {
            const double r = a.r + at * (b.r - a.r), z = a.z + at * (b.z - a.z);
            const double area = around / 2.0 * r * r * theta.sin * weight * (b.z - a.z);
            mass += area;
            first += area * z;
            second += area * z * z;
            polar += area * r * r * (2 + theta.cos) / 6;
        }
    }
    const double spread = second - first * first / mass;
    return {mass,
            {0, 0, first / mass},
            Sym3d::diagonal({polar / 2 + spread, polar / 2 + spread, polar})};
}

TEST(MeshMass, ChessPawnIsATurnedSolid) {
    const TriangleSoup pawn = pawn_mesh();
    EXPECT_GE(pawn.triangles.size(), 500u);
    expect_equal(weigh(pawn).properties, turned_solid(pawn_profile(), 24), 1e-13);
    const PrincipalInertia principal = principal_inertia(weigh(pawn).properties.inertia);
    EXPECT_LE(principal.moments.x, principal.moments.y);
    EXPECT_LE(principal.moments.y, principal.moments.z);
    EXPECT_NEAR(std::abs(principal.axes.cx.z), 1, 1e-12); // long and thin: least about its axis
}

// Whether a point is inside, by counting the triangles above it.
bool is_inside(const TriangleSoup& soup, const Vec3d& p) {
    bool inside = false;
    for (const Corners& t : soup.triangles) {
        const Vec3d a = soup.vertices[t[0]] - p, b = soup.vertices[t[1]] - p,
                    c = soup.vertices[t[2]] - p;
        const double u = b.x * c.y - b.y * c.x, v = c.x * a.y - c.y * a.x,
                     w = a.x * b.y - a.y * b.x;
        const bool above = (u > 0) == (v > 0) && (v > 0) == (w > 0);
        if (above && (u * a.z + v * b.z + w * c.z) / (u + v + w) > 0) inside = !inside;
    }
    return inside;
}

// Points thrown at random into the bounding box: no formula in common with the code. The
// standard deviation of a mean over n points is the tolerance's unit.
TEST(MeshMass, AgreesWithRandomPoints) {
    const TriangleSoup pawn = pawn_mesh();
    const MassProperties expected = weigh(pawn).properties;
    const Vec3d lo{-0.16, -0.16, 0}, hi{0.16, 0.16, 0.6};
    Random random(3);
    const int n = 20000;
    int hits = 0;
    Vec3d sum;
    double sum_zz = 0, sum_rr = 0;
    for (int i = 0; i < n; ++i) {
        const Vec3d p = lo + multiply(hi - lo, random.vec(0, 1));
        if (!is_inside(pawn, p)) continue;
        ++hits;
        sum += p;
        sum_rr += p.x * p.x + p.y * p.y;
        sum_zz += p.z * p.z;
    }
    const double box = 0.32 * 0.32 * 0.6, share = static_cast<double>(hits) / n;
    EXPECT_NEAR(expected.mass, box * share, 4 * box * std::sqrt(share * (1 - share) / n));
    expect_near(expected.center, sum / hits, 4 * 0.3 / std::sqrt(hits));
    EXPECT_NEAR(expected.inertia.zz / expected.mass, sum_rr / hits, 4 * 0.01 / std::sqrt(hits));
    const double zz = sum_zz / hits - (sum.z / hits) * (sum.z / hits);
    EXPECT_NEAR(
        (expected.inertia.xx + expected.inertia.yy - expected.inertia.zz) / 2 / expected.mass, zz,
        4 * 0.05 / std::sqrt(hits));
}

// Turning and shifting the mesh turns the tensor and shifts the center, and nothing else.
TEST(MeshMass, MovesWithTheMesh) {
    Random random(5);
    for (const bool hollow : {false, true}) {
        const MeshMassDef def{.density = 3, .hollow = hollow};
        const MassProperties here = weigh(pyramid_mesh(), def).properties;
        for (int i = 0; i < 10; ++i) {
            const Posed pose = random.pose(100);
            const MassProperties there = weigh(moved(pyramid_mesh(), pose), def).properties;
            const MassProperties expected{here.mass, transform(pose, here.center),
                                          rotate(to_matrix(pose.q), here.inertia)};
            expect_equal(there, expected, 1e-12);
        }
    }
}

// The skin of a box is its six faces, each a thin plate moved from the center by half the
// distance to the opposite one.
TEST(MeshMass, HollowBoxIsSixPlates) {
    const Vec3d size{1, 2, 3};
    Sym3d expected;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d plate = size;
        plate[axis] = 0;
        const double mass = size.x * size.y * size.z / size[axis];
        const double arm = size[axis] / 2; // parallel axis
        Vec3d shift{arm * arm, arm * arm, arm * arm};
        shift[axis] = 0;
        expected = expected + (box_inertia(mass, plate) + Sym3d::diagonal(shift) * mass) * 2.0;
    }
    const MeshMass box = weigh(box_mesh(size, {4, 5, 6}), {.hollow = true});
    expect_near(box.properties.inertia, expected, 1e-13 * expected.trace());
    EXPECT_NEAR(box.volume, 6, 1e-13);
}

// An open sheet may be hollow: a unit square weighs 1 and has I = 1/12, 1/12, 1/6.
TEST(MeshMass, HollowMayBeOpen) {
    const TriangleSoup square{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
    const MeshMass sheet = weigh(square, {.hollow = true});
    EXPECT_FALSE(sheet.closed);
    EXPECT_EQ(sheet.volume, 0);
    expect_near(sheet.properties.center, {0.5, 0.5, 0}, 1e-15);
    expect_near(sheet.properties.inertia, Sym3d::diagonal({1 / 12.0, 1 / 12.0, 1 / 6.0}), 1e-15);
}

TEST(MeshMass, TotalMassInsteadOfDensity) {
    const MassProperties given = weigh(pawn_mesh(), {.mass = 2.5}).properties;
    EXPECT_EQ(given.mass, 2.5);
    const double density = 2.5 / weigh(pawn_mesh()).volume;
    expect_equal(given, weigh(pawn_mesh(), {.density = density}).properties, 1e-14);
}

// Inside out, torn into single triangles, or both: the solid is the same.
TEST(MeshMass, RepairsWhatHasOneRightAnswer) {
    const MassProperties expected = weigh(pawn_mesh()).properties;
    for (const TriangleSoup& soup :
         {inside_out(pawn_mesh()), torn(pawn_mesh()), inside_out(torn(pawn_mesh()))}) {
        expect_equal(weigh(soup).properties, expected, 1e-14);
    }
    EXPECT_EQ(weigh(inside_out(pawn_mesh())).warnings,
              std::vector<std::string>{"the mesh was inside out and has been turned"});
    TriangleSoup mixed = pawn_mesh();
    Random random;
    for (Corners& t : mixed.triangles) {
        if (random.unit() < 0.5) std::swap(t[1], t[2]);
    }
    expect_equal(weigh(mixed).properties, expected, 1e-14);
}

// Far more tetrahedra stick out of the solid than lie in it when the corner they share is far
// away; they cancel. Here as the test of the signs alone: by the definition, about the origin.
TEST(MeshMass, TetrahedraCancelOutside) {
    const TriangleSoup soup = box_mesh({1, 1, 1}, {10, 20, 30});
    double positive = 0, negative = 0;
    for (const Corners& t : soup.triangles) {
        const double d =
            dot(soup.vertices[t[0]], cross(soup.vertices[t[1]], soup.vertices[t[2]])) / 6;
        (d > 0 ? positive : negative) += d;
    }
    EXPECT_GT(positive, 10);
    EXPECT_NEAR(positive + negative, weigh(soup).volume, 1e-12);
}

TEST(MeshMass, RefusesWhatIsNoSolid) {
    TriangleSoup open = box_mesh({1, 1, 1});
    open.triangles.erase(open.triangles.begin());
    EXPECT_EQ(mesh_mass(open).error().message,
              "the mesh is not closed: 3 open edges, the first between vertices 0 and 3; a solid "
              "needs a closed mesh, or use hollow");
    const TriangleSoup flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
    EXPECT_EQ(mesh_mass(flat).error().message,
              "the mesh encloses no volume: a solid needs some, or use hollow");
    EXPECT_EQ(mesh_mass(box_mesh({1, 1, 1}), {.density = -1}).error().message,
              "density must be positive and finite, got -1");
    EXPECT_EQ(mesh_mass(box_mesh({1, 1, 1}), {.mass = 0.0}).error().message,
              "mass must be positive and finite, got 0");
    EXPECT_EQ(to_string(mesh_mass({{{0, 0, 0}}, {{0, 0, 1}}}).error()),
              "triangles[0]: refers to vertex 1, but there are 1, counted from 0");
    EXPECT_EQ(mesh_mass({}).error().message, "a mesh needs at least one triangle");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(to_string(mesh_mass({{{0, nan, 0}}, {{0, 0, 0}}}).error()),
              "vertices[0]: coordinates must be finite, got nan");
}

TEST(MeshMass, WarnsOfOverlap) {
    TriangleSoup soup = box_mesh({1, 1, 1});
    append(soup, box_mesh({1, 1, 1}, {0.5, 0.25, 0.125}));
    const std::vector<std::string> warnings = weigh(soup).warnings;
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("triangles intersect"), std::string::npos) << warnings[0];
}

// What was not looked for is not known to be absent.
TEST(MeshMass, SaysWhenTheSearchForOverlapEndedEarly) {
    const std::vector<ProfilePoint> profile{{0, -1}, {1, 0}, {0, 1}};
    EXPECT_TRUE(weigh(lathe_mesh(profile, 300)).warnings.empty());
    EXPECT_EQ(weigh(lathe_mesh(profile, 50'000)).warnings,
              std::vector<std::string>{"not all self-intersections were searched for: too many "
                                       "triangles lie close together"});
    EXPECT_EQ(weigh(lathe_mesh(profile, 50'001)).warnings,
              std::vector<std::string>{"self-intersections were not searched for: there are "
                                       "100002 triangles, more than 100000"});
}

} // namespace
} // namespace rigor::test
