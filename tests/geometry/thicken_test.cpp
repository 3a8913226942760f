// Open meshes that get a thickness: closed solids of the right volume, or a sentence.
#include <gtest/gtest.h>

#include <cmath>

#include "rigor/mesh.h"
#include "rigor/rotation.h"

namespace rigor {
namespace {

/// z over a grid of n x n cells of a square with sides of 1.
template <class Height>
TriangleSoup sheet(std::uint32_t n, const Height& height) {
    TriangleSoup soup;
    for (std::uint32_t j = 0; j <= n; ++j)
        for (std::uint32_t i = 0; i <= n; ++i) {
            const double x = double(i) / n, y = double(j) / n;
            soup.vertices.push_back({x, y, height(x, y)});
        }
    for (std::uint32_t j = 0; j < n; ++j)
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t a = j * (n + 1) + i, b = a + 1, c = a + n + 2, d = a + n + 1;
            soup.triangles.push_back({a, b, c});
            soup.triangles.push_back({a, c, d});
        }
    return soup;
}

TEST(Thicken, AFlatSheetBecomesABox) {
    const TriangleSoup solid = thicken(sheet(3, [](double, double) { return 0.0; }), 0.1).value();
    const MeshReport report = check_mesh(solid).value();
    EXPECT_TRUE(report.closed);
    EXPECT_TRUE(report.consistently_wound);
    EXPECT_EQ(report.inverted_shells, 0u);
    const MeshMass mass = mesh_mass(solid).value();
    EXPECT_NEAR(mass.volume, 0.1, 1e-15);
    EXPECT_NEAR(mass.area, 2.4, 1e-14);
    EXPECT_NEAR(length(mass.properties.center - Vec3d{0.5, 0.5, 0}), 0, 1e-15);
}

// Faces of a roof keep the thickness, whatever the angle at its ridge.
TEST(Thicken, FoldsKeepTheThicknessOfFaces) {
    for (const double slope : {0.1, 0.5, 1.0, 1.7}) {
        const auto roof = [&](double x, double) { return slope * (0.5 - std::abs(x - 0.5)); };
        const TriangleSoup solid = thicken(sheet(2, roof), 0.02).value();
        EXPECT_TRUE(check_mesh(solid).value().closed);
        const double area = std::sqrt(1 + slope * slope);
        EXPECT_NEAR(mesh_mass(solid).value().volume, 0.02 * area, 1e-12) << slope;
    }
}

// To second order of the size of facets.
TEST(Thicken, ACurvedSheetHasItsAreaTimesTheThickness) {
    const auto bowl = [](double x, double y) { return (x - 0.5) * (x - 0.5) + y * y; };
    const TriangleSoup open = sheet(40, bowl);
    const MeshMass skin = mesh_mass(open, {1, {}, true}).value();
    const MeshMass solid = mesh_mass(thicken(open, 0.01).value()).value();
    EXPECT_NEAR(solid.volume, 0.01 * skin.area, 1e-3 * 0.01 * skin.area);
    EXPECT_TRUE(solid.warnings.empty());
}

// Triangles of a file often have vertices of their own.
TEST(Thicken, UnsharedVerticesAreOneSheet) {
    TriangleSoup apart;
    for (const auto& triangle : sheet(1, [](double, double) { return 0.0; }).triangles)
        for (const std::uint32_t v : triangle) {
            apart.triangles.resize(apart.vertices.size() / 3 + 1);
            apart.triangles.back()[apart.vertices.size() % 3] =
                static_cast<std::uint32_t>(apart.vertices.size());
            apart.vertices.push_back(sheet(1, [](double, double) { return 0.0; }).vertices[v]);
        }
    EXPECT_NEAR(mesh_mass(thicken(apart, 0.5).value()).value().volume, 0.5, 1e-15);
}

TEST(Thicken, RefusesWhatIsNoSheet) {
    const TriangleSoup flat = sheet(1, [](double, double) { return 0.0; });
    EXPECT_FALSE(thicken(flat, 0).ok());
    EXPECT_FALSE(thicken(flat, -1).ok());
    EXPECT_FALSE(thicken(flat, std::nan("")).ok());
    const TriangleSoup solid = thicken(flat, 0.1).value();
    EXPECT_EQ(thicken(solid, 0.1).error().message,
              "cannot be given: the mesh is closed, which makes it a solid already");
    TriangleSoup fin = flat; // a third face at the diagonal
    fin.vertices.push_back({0.5, 0.5, 1});
    fin.triangles.push_back({0, 3, 4});
    EXPECT_EQ(thicken(fin, 0.1).error().message,
              "cannot be given: some of its edges or vertices join more than two faces");
}

TEST(Thicken, RefusesAMoebiusStrip) {
    constexpr std::uint32_t kCount = 12;
    TriangleSoup strip;
    for (std::uint32_t i = 0; i < kCount; ++i) {
        const double angle = 2 * 3.141592653589793 * i / kCount;
        const Vec3d out{std::cos(angle), std::sin(angle), 0};
        const Vec3d across = out * std::cos(angle / 2) + Vec3d{0, 0, std::sin(angle / 2)};
        strip.vertices.push_back(out * 3 - across);
        strip.vertices.push_back(out * 3 + across);
    }
    for (std::uint32_t i = 0; i < kCount; ++i) {
        const bool last = i + 1 == kCount;
        const std::uint32_t a = 2 * i, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
        strip.triangles.push_back({a, c, b});
        strip.triangles.push_back({b, c, d});
    }
    EXPECT_EQ(thicken(strip, 0.1).error().message,
              "cannot be given: the mesh has one side only, like a Moebius strip");
}

} // namespace
} // namespace rigor
