// The scenes of the benchmark equal the published ones, and grow with --scale.

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "bench/scenes/random.h"
#include "bench/scenes/random_hull.h"
#include "bench/scenes/scenes.h"
#include "rigor/simulation.h"
#include "test_support.h"

namespace rigor::bench {
namespace {

using test::message;

// The reference files hold floats with nine digits, of positions up to 50 m: 4e-6 is one unit in
// the last place of those.
constexpr double kFileRounding = 5e-6;

void expect_near(const Vec3d& a, const Vec3d& b, const char* what) {
    EXPECT_LT(length(a - b), kFileRounding) << what << ": " << a << " and " << b;
}

void expect_same(const SphereDef& a, const SphereDef& b) {
    EXPECT_EQ(a.radius, b.radius);
}
void expect_same(const BoxDef& a, const BoxDef& b) {
    expect_near(a.size, b.size, "size");
}
void expect_same(const CapsuleDef& a, const CapsuleDef& b) {
    EXPECT_EQ(a.radius, b.radius);
    EXPECT_EQ(a.length, b.length);
}
void expect_same(const HullDef& a, const HullDef& b) {
    ASSERT_EQ(a.points.size(), b.points.size());
    for (std::size_t i = 0; i < a.points.size(); ++i)
        expect_near(a.points[i], b.points[i], "point");
}
void expect_same(const MeshDef& a, const MeshDef& b) {
    EXPECT_EQ(a.soup->triangles, b.soup->triangles);
    ASSERT_EQ(a.soup->vertices.size(), b.soup->vertices.size());
    for (std::size_t i = 0; i < a.soup->vertices.size(); ++i) {
        expect_near(a.soup->vertices[i], b.soup->vertices[i], "vertex");
    }
}
template <class T>
void expect_same(const T&, const T&) {
    FAIL() << "a kind of shape that no scene has";
}

void expect_same(const ShapeDef& a, const ShapeDef& b) {
    ASSERT_EQ(a.geometry.index(), b.geometry.index());
    std::visit(
        [&](const auto& geometry) {
            expect_same(geometry, std::get<std::decay_t<decltype(geometry)>>(b.geometry));
        },
        a.geometry);
    EXPECT_EQ(a.material.static_friction, b.material.static_friction);
    EXPECT_EQ(a.material.kinetic_friction, b.material.kinetic_friction);
    EXPECT_EQ(a.material.restitution, b.material.restitution);
    EXPECT_EQ(a.material.density, b.material.density);
    EXPECT_EQ(a.material.id, b.material.id);
    EXPECT_EQ(a.rounding, b.rounding);
}

void expect_same(const BodyDef& a, const BodyDef& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.type, b.type);
    EXPECT_EQ(a.can_sleep, b.can_sleep);
    expect_near(a.position, b.position, "position");
    EXPECT_NEAR(std::abs(dot(a.orientation, b.orientation)), 1, 1e-12);
    EXPECT_EQ(a.velocity, b.velocity);
    ASSERT_EQ(a.shapes.size(), 1u);
    ASSERT_EQ(b.shapes.size(), 1u);
    expect_same(a.shapes[0], b.shapes[0]);
}

class BenchScene : public ::testing::TestWithParam<SceneKind> {};

// The files of the published measurements, body by body.
TEST_P(BenchScene, IsTheOneOfThePublishedNumbers) {
    RIGOR_NEEDS_DATA();
    const std::string name(GetParam().name);
    const auto file = load_scene(test::data_dir() / "bench_scenes" / (name + ".json"));
    ASSERT_TRUE(file) << to_string(file.error());
    const Scene scene = GetParam().make({});
    EXPECT_EQ(scene.name, file->name);
    EXPECT_EQ(scene.gravity, file->gravity);
    EXPECT_NEAR(scene.time_step, file->time_step, 1e-15);
    EXPECT_EQ(scene.method, file->method);
    ASSERT_EQ(scene.bodies.size(), file->bodies.size());
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        SCOPED_TRACE(message("body ", i));
        expect_same(scene.bodies[i].def, file->bodies[i].def);
        if (HasFailure()) return;
    }
    ASSERT_EQ(scene.joints.size(), file->joints.size());
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        const SceneJoint &a = scene.joints[i], &b = file->joints[i];
        EXPECT_EQ(a.def.type(), b.def.type());
        EXPECT_EQ(a.a, b.a);
        EXPECT_EQ(a.b, b.b);
        EXPECT_EQ(a.def.collide, b.def.collide);
        expect_near(a.def.anchor, b.def.anchor, "anchor");
    }
}

std::size_t moving(const Scene& scene) {
    return static_cast<std::size_t>(
        std::count_if(scene.bodies.begin(), scene.bodies.end(),
                      [](const SceneBody& b) { return b.def.type == BodyType::dynamic_body; }));
}

// Four times the bodies, or a tenth: within what whole rows, chains and pyramids allow.
TEST_P(BenchScene, GrowsAndShrinksByTheScale) {
    const double bodies = static_cast<double>(moving(GetParam().make({})));
    for (const double scale : {0.1, 4.0}) {
        SCOPED_TRACE(message("scale ", scale));
        const double n = static_cast<double>(moving(GetParam().make({.scale = scale})));
        EXPECT_NEAR(n / (bodies * scale), 1, 0.2);
    }
    EXPECT_GE(moving(GetParam().make({.scale = 1e-9})), 1u);
}

// Every engine holds a body by its center of mass and principal moments.
TEST_P(BenchScene, BodiesTurnAboutTheirOwnAxesAndOverlapNothingAtTheStart) {
    const auto made = Simulation::make(GetParam().make({.scale = 0.1}));
    ASSERT_TRUE(made) << to_string(made.error());
    for (std::size_t i = 0; i < made->scene().bodies.size(); ++i) {
        if (made->scene().bodies[i].def.type != BodyType::dynamic_body) continue;
        const MassProperties mass = made->world().mass_properties(made->body(i));
        const Sym3d& inertia = mass.inertia;
        EXPECT_LT(length(mass.center), 1e-9);
        EXPECT_LT(length(Vec3d{inertia.xy, inertia.xz, inertia.yz}), 1e-9 * inertia.trace());
    }
    if (!made->scene().joints.empty()) return; // links of a chain touch where they are joined
    const std::vector<double> depths = made->world().penetrations();
    EXPECT_LT(depths.empty() ? 0 : depths.back(), 1e-9);
}

// The seed moves what is placed at random and nothing else.
TEST_P(BenchScene, IsDecidedByTheSeed) {
    const bool is_random =
        std::set<std::string_view>{"pile_mixed", "pile_hulls", "mesh"}.contains(GetParam().name);
    const Scene one = GetParam().make({.seed = 1, .scale = 0.1});
    const Scene again = GetParam().make({.seed = 1, .scale = 0.1});
    const Scene other = GetParam().make({.seed = 2, .scale = 0.1});
    const BodyDef &a = one.bodies.back().def, &b = again.bodies.back().def,
                  &c = other.bodies.back().def;
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.orientation, b.orientation);
    EXPECT_EQ(a.orientation == c.orientation, !is_random);
}

INSTANTIATE_TEST_SUITE_P(, BenchScene, ::testing::ValuesIn(scene_kinds()),
                         [](const auto& scene) { return std::string(scene.param.name); });

TEST(BenchScenes, PileOfThirtyTwoThousand) {
    EXPECT_EQ(moving(make_pile_mixed({.scale = 8})), 32'000u);
}

// 20,000 draws in ten bins: chi squared of nine freedoms is below 27.9 in 999 of 1,000 cases.
TEST(Random, AreSpreadEvenlyForEverySeed) {
    for (const std::uint64_t seed : {0ull, 1ull, 2ull, ~0ull}) {
        Random random(seed);
        int bins[10] = {};
        for (int i = 0; i < 20'000; ++i) ++bins[static_cast<int>(random.unit() * 10)];
        double chi_squared = 0;
        for (const int n : bins) chi_squared += (n - 2000.0) * (n - 2000.0) / 2000;
        EXPECT_LT(chi_squared, 27.9) << "seed " << seed;
    }
}

TEST(RandomHull, IsAboutAMeterAcross) {
    Random random(7);
    for (int i = 0; i < 100; ++i) {
        const std::vector<Vec3d> points = random_hull(random);
        EXPECT_THAT(points.size(), ::testing::AllOf(::testing::Ge(12u), ::testing::Le(16u)));
        for (const Vec3d& p : points) {
            EXPECT_GT(length(p), 0.25);
            EXPECT_LT(length(p), 0.8);
        }
    }
}

} // namespace
} // namespace rigor::bench
