// Nothing passes through a wall: a property test over speed, thickness, size, shape, spin, angle
// and step, under all methods that claim it. 10,000 cases of each with RIGOR_LONG_TESTS, without it
// as many as a few seconds take. RIGOR_TUNNELING_CASES sets their number, and RIGOR_TUNNELING_FIRST
// the first of them, for batches.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "rigor/rotation.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor {
namespace {

using test::Random;

constexpr double kHalf = 10; // m: of the walls, more than anything slides along them in three steps

int positive_number(const char* variable, int otherwise) {
    const char* wanted = std::getenv(variable);
    return wanted ? std::max(std::atoi(wanted), 1) : otherwise;
}

double log_uniform(Random& random, double lo, double hi) {
    return lo * std::exp(random.uniform(0, 1) * std::log(hi / lo));
}

Vec3d direction(Random& random) {
    const double z = random.uniform(-1, 1), phi = random.uniform(0, 6.283185307179586);
    const double r = std::sqrt(1 - z * z);
    return {r * std::cos(phi), r * std::sin(phi), z};
}

int pick(Random& random, int count) {
    return std::min(static_cast<int>(random.uniform(0, count)), count - 1);
}

/// A flat slab along y and z, between -thickness/2 and thickness/2.
ShapeGeometry slab_hull(double thickness) {
    std::vector<Vec3d> points;
    for (const double x : {-0.5, 0.5})
        for (const double y : {-kHalf, kHalf})
            for (const double z : {-kHalf, kHalf}) points.push_back({x * thickness, y, z});
    return HullDef{points};
}

/// A wall in the plane x = 0, of no thickness as an open mesh.
BodyDef wall(Random& random, double thickness) {
    switch (pick(random, 4)) {
        case 0:
            return test::body(slab_hull(thickness), {}, BodyType::static_body);
        case 1:
            return test::body(
                MeshDef{std::make_shared<TriangleSoup>(TriangleSoup{{{0, -kHalf, -kHalf},
                                                                     {0, kHalf, -kHalf},
                                                                     {0, kHalf, kHalf},
                                                                     {0, -kHalf, kHalf}},
                                                                    {{0, 1, 2}, {0, 2, 3}}})},
                {}, BodyType::static_body);
        case 2:
            return test::body(BoxDef{{thickness, 2 * kHalf, 2 * kHalf}}, {},
                              BodyType::kinematic_body);
        default:
            return test::body(BoxDef{{thickness, 2 * kHalf, 2 * kHalf}}, {}, BodyType::static_body);
    }
}

/// Two balls and nothing between them: a compound.
ShapeGeometry dumbbell(double size) {
    ShapeDef left{SphereDef{0.4 * size}}, right{SphereDef{0.3 * size}};
    left.position = {-0.5 * size, 0, 0};
    right.position = {0.6 * size, 0, 0};
    return CompoundDef{{left, right}};
}

/// With a dent, so that no hull stands for it.
ShapeGeometry tetrahedron(double size) {
    const std::vector<Vec3d> corners{Vec3d{0.9, 0, -0.4} * size, Vec3d{-0.4, 0.8, -0.4} * size,
                                     Vec3d{-0.4, -0.8, -0.4} * size, Vec3d{0, 0, 0.9} * size,
                                     Vec3d{0, 0, -0.1} * size};
    return MeshDef{std::make_shared<TriangleSoup>(
        TriangleSoup{corners, {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {1, 0, 4}, {2, 1, 4}, {0, 2, 4}}})};
}

/// A body within a ball of radius `size`.
ShapeGeometry projectile(Random& random, double size) {
    switch (pick(random, 9)) {
        case 0:
            return BoxDef{Vec3d{1, 1, 1} * (1.15 * size)};
        case 1:
            return CapsuleDef{0.4 * size, 1.2 * size};
        case 2:
            return CylinderDef{0.7 * size, 1.4 * size};
        case 3:
            return BoxDef{Vec3d{1.8, 0.5, 0.2} * size};
        case 4:
            return HullDef{{Vec3d{1, 0, -0.5} * size, Vec3d{-0.5, 0.8, -0.5} * size,
                            Vec3d{-0.5, -0.8, -0.5} * size, Vec3d{0, 0, 0.9} * size}};
        case 5:
            return ConeDef{0.7 * size, 1.2 * size};
        case 6:
            return dumbbell(size);
        case 7:
            return tetrahedron(size);
        default:
            return SphereDef{size};
    }
}

struct Shot {
    World world;
    BodyId body;
    double farthest; ///< x that the center of mass cannot reach from the left of the wall
    double dt;
    std::string about;
};

Shot shot(Method method, unsigned seed) {
    Random random(seed);
    const double size = log_uniform(random, 2e-3, 0.3);
    const double thickness = log_uniform(random, 1e-4, 0.1);
    const double speed = log_uniform(random, 1, 500), spin = log_uniform(random, 0.1, 300);
    const double dt = log_uniform(random, 1.0 / 60, 0.1);
    const double tilt =
        std::min(random.uniform(0, 0.8), std::asin(std::min(1.0, 3 / (speed * dt))));
    WorldSettings settings = test::settings_of(method);
    settings.gravity = {};
    World world(settings);
    world.add_body(wall(random, thickness)).value();
    BodyDef def = test::body(projectile(random, size));
    def.continuous = true;
    def.velocity = {speed * std::cos(tilt), speed * std::sin(tilt), 0};
    def.angular_velocity = direction(random) * spin;
    def.orientation = from_rotation_vector(direction(random) * random.uniform(0, 3));
    // It would be in the wall somewhere in the first two steps.
    const double way = size * 1.1 + thickness + speed * std::cos(tilt) * dt * random.uniform(0, 2);
    def.position = {-way, 0, 0};
    const BodyId body = world.add_body(def).value();
    const std::string about =
        test::message("seed ", seed, ": size ", size, ", thickness ", thickness, ", speed ", speed,
                      ", spin ", spin, ", tilt ", tilt, ", dt ", dt);
    return {std::move(world), body, 0.5 * thickness, dt, about};
}

class Tunneling : public testing::TestWithParam<Method> {};

TEST_P(Tunneling, NothingPassesAWall) {
    const int few = GetParam() == Method::fast ? 300 : 100;
    const int cases =
        positive_number("RIGOR_TUNNELING_CASES", std::getenv("RIGOR_LONG_TESTS") ? 10000 : few);
    const int first = positive_number("RIGOR_TUNNELING_FIRST", 1);
    int passed = 0;
    std::string about;
    for (int i = 0; i < cases; ++i) {
        const auto seed = static_cast<unsigned>(first + i);
        Shot s = shot(GetParam(), seed);
        double x = 0;
        bool finished = true;
        for (int k = 0; k < 3 && finished; ++k) {
            finished = s.world.step(s.dt).finished;
            x = std::max(x, s.world.state(s.body).position.x);
        }
        const bool passes = !(x < s.farthest && finished);
        if (!passes) continue;
        ++passed;
        about += test::message(s.about, ": reached x = ", x, ", finished ", finished, "\n");
    }
    EXPECT_EQ(passed, 0) << "of " << cases << "\n" << about;
}

INSTANTIATE_TEST_SUITE_P(Methods, Tunneling,
                         testing::Values(Method::faithful, Method::fast, Method::kavan2003,
                                         Method::baber2011),
                         test::method_name);

} // namespace
} // namespace rigor
