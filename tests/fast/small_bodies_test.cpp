// Bodies that are small compared with what they fall in a step, under `fast`.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "fast_settings.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor::test {
namespace {

MeshDef mesh_of(std::vector<Vec3d> vertices, std::vector<std::array<std::uint32_t, 3>> triangles) {
    TriangleSoup soup;
    soup.vertices = std::move(vertices);
    soup.triangles = std::move(triangles);
    return MeshDef{std::make_shared<const TriangleSoup>(soup)};
}

/// Two triangles in the plane z = 0, without an inside.
MeshDef sheet(double half) {
    return mesh_of({{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}},
                   {{0, 1, 2}, {0, 2, 3}});
}

/// An L: two arms of the length 2 a and the width w, 2 h high. Its box has its middle outside.
MeshDef angle_bracket(double a, double w, double h) {
    const double b = -a + w;
    std::vector<Vec3d> vertices;
    for (const double z : {-h, h})
        for (const auto& [x, y] : {std::pair{-a, -a}, {a, -a}, {a, b}, {b, b}, {b, a}, {-a, a}})
            vertices.push_back({x, y, z});
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (const auto& [i, j, k] :
         std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
        triangles.push_back({i, k, j});
        triangles.push_back({i + 6, j + 6, k + 6});
    }
    for (std::uint32_t i = 0; i < 6; ++i) {
        const std::uint32_t j = (i + 1) % 6;
        triangles.push_back({i, j, j + 6});
        triangles.push_back({i, j + 6, i + 6});
    }
    return mesh_of(vertices, triangles);
}

HullDef crumb(Random& random, double size) {
    HullDef hull;
    for (int i = 0; i < 12; ++i) hull.points.push_back(random.vec(-0.5 * size, 0.5 * size));
    return hull;
}

Quatd orientation(Random& random) {
    return normalize(Quatd{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                           random.uniform(-1, 1)});
}

struct Fall {
    double size, hz, friction;
    bool is_bracket;
    int bodies;
};

ShapeGeometry geometry_of(const Fall& fall, Random& random) {
    const double s = fall.size;
    if (fall.is_bracket) return angle_bracket(0.5 * s, 0.2 * s, 0.2 * s);
    return crumb(random, s);
}

/// Bodies that fall on a sheet and on each other: none is below it in the end, and they have not
/// more energy than they began with.
void expect_to_stay_above(const Fall& fall, Random& random) {
    World world(fast_settings());
    world
        .add_body(
            with_material(body(sheet(1000 * fall.size), {}, BodyType::static_body), fall.friction))
        .value();
    std::vector<BodyId> bodies;
    const double s = fall.size;
    for (int i = 0; i < fall.bodies; ++i) {
        const Vec3d at{random.uniform(-0.3, 0.3) * s, random.uniform(-0.3, 0.3) * s,
                       (1 + 1.6 * i) * s};
        BodyDef def = with_material(body(geometry_of(fall, random), at), fall.friction);
        def.orientation = orientation(random);
        bodies.push_back(world.add_body(def).value());
    }
    const double start = world.energy().total();
    const auto steps = static_cast<int>(2 * fall.hz);
    double most = 0;
    for (int i = 0; i < steps; ++i) {
        world.step(1 / fall.hz);
        most = std::max(most, world.energy().kinetic);
    }
    EXPECT_LT(world.energy().total(), 1.001 * start);
    EXPECT_LT(most, start) << "all of what they could fall";
    for (const BodyId id : bodies) EXPECT_GT(world.state(id).position.z, -0.2 * s);
}

// A body that its contacts did not hold was put back in every step and kept its velocity, which
// grew without bound; and the middle of one that was deep in the sheet passed through it.
TEST(SmallBodies, StayAboveASheetAndGainNone) {
    Random random(3);
    for (int i = 0; i < 40; ++i) {
        const double size = 0.012 * std::pow(5, random.uniform(0, 1));
        const Fall fall{size, i % 2 == 0 ? 60.0 : 30.0, i % 3 == 0 ? 0.0 : 0.5, i % 4 < 2,
                        1 + i % 5};
        SCOPED_TRACE(message("fall ", i, ", size ", size));
        expect_to_stay_above(fall, random);
    }
}

// 1 m at 10 Hz: it turns by more than a radian in a step.
TEST(SmallBodies, AMeterAtTenStepsASecondIsSmall) {
    Random random(5);
    for (int i = 0; i < 20; ++i) {
        SCOPED_TRACE(message("fall ", i));
        expect_to_stay_above({1, 10, i % 3 == 0 ? 0.0 : 0.5, i % 4 < 3, 1 + i % 3}, random);
    }
}

// The gap that a body is stopped at was 0.1 mm, a tenth of this one.
TEST(SmallBodies, OfAMillimeterLandOnASheet) {
    Random random(7);
    for (int i = 0; i < 6; ++i) {
        SCOPED_TRACE(message("fall ", i));
        expect_to_stay_above({0.001, 240, 0.5, i % 2 == 0, 2}, random);
    }
}

} // namespace
} // namespace rigor::test
