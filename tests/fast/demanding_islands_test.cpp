// Demanding islands: heavy on light, overhangs and frictionless bricks stand, slide and fall as
// statics says, and what is around them does not notice.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fast/contact_newton.h"
#include "fast_settings.h"
#include "rigor/rotation.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor {
namespace {

using test::fast_settings;
using test::kStep;

constexpr double kGravity = 9.81;

BodyDef weighted_box(const Vec3d& size, const Vec3d& at, double mass, double friction = 0.5) {
    BodyDef def = test::with_material(test::body(BoxDef{size}, at), friction);
    def.mass = mass;
    return def;
}

/// Boxes of one meter on each other, from below.
struct Tower {
    World world;
    std::vector<BodyId> boxes = {};
    std::vector<Vec3d> start = {};

    explicit Tower(const std::vector<double>& masses,
                   const WorldSettings& settings = fast_settings())
        : world(settings) {
        test::add_ground(world, 0.5);
        for (std::size_t i = 0; i < masses.size(); ++i)
            add(weighted_box({1, 1, 1}, {0, 0, 0.5 + static_cast<double>(i)}, masses[i]));
    }
    void add(const BodyDef& def) {
        boxes.push_back(world.add_body(def).value());
        start.push_back(def.position);
    }
    double drift() const {
        double farthest = 0;
        for (std::size_t i = 0; i < boxes.size(); ++i)
            farthest = std::max(farthest, length(world.state(boxes[i]).position - start[i]));
        return farthest;
    }
};

TEST(DemandingIslands, HeavyBoxesStandOnLightOnes) {
    for (const double ratio : {10.0, 100.0, 1000.0, 10000.0}) {
        for (const double dt : {1.0 / 30, 1.0 / 60, 1.0 / 240}) {
            SCOPED_TRACE(test::message("ratio ", ratio, ", dt ", dt));
            Tower heavy({1, ratio}), between({ratio, 1, ratio}),
                three({1, std::sqrt(ratio), ratio});
            for (Tower* tower : {&heavy, &between, &three}) {
                test::run_steps(tower->world, 60, dt);
                EXPECT_LT(tower->drift(), 1e-5);
            }
        }
    }
}

// The load of 1,000 kg that the light box sinks into while it is pushed out may not shoot it away.
TEST(DemandingIslands, OverlapIsPushedOutGently) {
    Tower tower({1, 1000});
    tower.world.set_pose(tower.boxes[1], {{-0.02, -0.01, 1.4}, {}});
    for (int i = 0; i < 240; ++i) {
        tower.world.step(kStep);
        for (const BodyId id : tower.boxes)
            ASSERT_LT(length(tower.world.state(id).velocity), 0.3) << i;
    }
    EXPECT_LT(test::deepest(tower.world), 1e-4);
}

// What does not stand by statics must not stand here.
TEST(DemandingIslands, SlidesByCoulombsLaw) {
    const double angle = 0.5, friction = 0.3;
    const Quatd q = from_rotation_vector(Vec3d{0, angle, 0});
    World world(fast_settings());
    BodyDef slope =
        test::with_material(test::body(BoxDef{{60, 4, 1}}, rotate(q, Vec3d{0, 0, -0.5})), friction);
    slope.type = BodyType::static_body;
    slope.orientation = q;
    world.add_body(slope).value();
    BodyDef light = weighted_box({1, 1, 0.2}, rotate(q, Vec3d{-20, 0, 0.1}), 1, friction);
    BodyDef heavy = weighted_box({1, 1, 0.2}, rotate(q, Vec3d{-20, 0, 0.3}), 100, friction);
    light.orientation = heavy.orientation = q;
    const BodyId below = world.add_body(light).value(), above = world.add_body(heavy).value();
    test::run(world, 1);
    const double expected = kGravity * (std::sin(angle) - friction * std::cos(angle));
    EXPECT_NEAR(length(world.state(below).velocity), expected, 0.01 * expected);
    EXPECT_NEAR(length(world.state(above).velocity), expected, 0.01 * expected);
    EXPECT_LT(std::abs(dot(world.state(above).position - world.state(below).position,
                           rotate(q, Vec3d{0, 0, 1})) -
                       0.2),
              1e-4); // they do not part while they slide
}

TEST(DemandingIslands, ADropOntoALightBoxMakesNoEnergy) {
    Tower tower({1, 1000});
    tower.world.set_pose(tower.boxes[1], {{0.2, 0.1, 1.6}, {}});
    const auto energy = [&] { return tower.world.energy().total(); };
    double last = energy();
    for (int i = 0; i < 300; ++i) {
        tower.world.step(kStep);
        ASSERT_LE(energy(), last + 1) << i; // of 981 J; a substep shifts it by m g² h²/2
        last = energy();
    }
    EXPECT_LT(tower.world.energy().kinetic, 1e-6);
}

TEST(DemandingIslands, SameBitsWithAnyThreadsAndLanesAndAfterRestore) {
    const auto hash = [](int threads, int lanes, bool restores) {
        WorldSettings settings = fast_settings();
        settings.threads = threads;
        settings.lanes = lanes;
        Tower tower({1, 300, 2}, settings);
        for (int k = 1; k < 4; ++k) // some more islands
            for (int i = 0; i < 3; ++i)
                tower.add(
                    weighted_box({1, 0.5, 0.5}, {3.0 * k, 0, 0.25 + 0.5 * i}, i == 1 ? 90 : 3));
        tower.world.set_velocity(tower.boxes[2], {0.7, 0, 0});
        test::run_steps(tower.world, 20);
        if (restores) {
            const auto middle = tower.world.snapshot();
            test::run_steps(tower.world, 5);
            tower.world.restore(middle);
        }
        test::run_steps(tower.world, 20);
        return tower.world.state_hash();
    };
    const std::uint64_t expected = hash(1, 8, false);
    for (const int threads : {1, 2, 3})
        for (const int lanes : {1, 4, 8}) EXPECT_EQ(hash(threads, lanes, false), expected);
    EXPECT_EQ(hash(1, 4, true), expected);
}

TEST(DemandingIslands, OtherIslandsKeepTheirBits) {
    const auto top_of_stack = [](double mass_beside) {
        Tower tower({10, 10, 10});
        const BodyId top = tower.boxes.back();
        for (int i = 0; i < 2; ++i)
            tower.add(weighted_box({1, 1, 1}, {5, 0, 0.5 + i}, i == 0 ? 10 : mass_beside));
        tower.world.set_velocity(top, {0.1, 0.05, 0});
        test::run_steps(tower.world, 60);
        return tower.world.state(top);
    };
    const BodyState plain = top_of_stack(10), beside = top_of_stack(10000);
    EXPECT_EQ(plain.position, beside.position);
    EXPECT_EQ(plain.velocity, beside.velocity);
}

// ---- the convex problem alone

/// A body on points of an immovable one, with gravity for a time of one.
fast::ContactNewton beam(const std::vector<double>& places) {
    fast::ContactNewton newton;
    newton.reset(1);
    newton.set_mass(0, 2, Sym3d::diagonal({0.1, 3, 3}));
    newton.set_compliance({1e-6, 1e-7});
    for (const double x : places) {
        fast::NewtonPoint point;
        point.b = 0;
        point.normal = {0, 0, 1};
        point.tangent_1 = {1, 0, 0};
        point.tangent_2 = {0, 1, 0};
        point.arm_b = {x, 0, -0.1};
        point.friction = 0.5;
        newton.points.push_back(point);
    }
    newton.find_envelope();
    return newton;
}

TEST(ContactNewton, RedundantPointsShareALoadAlike) {
    fast::ContactNewton newton = beam({-1, 0, 1});
    newton.set_velocity(0, {0, 0, -9.81, 0, 0, 0}, {});
    ASSERT_TRUE(newton.solve());
    for (const fast::NewtonPoint& point : newton.points)
        EXPECT_NEAR(point.impulse.x, 2 * 9.81 / 3, 1e-5);
}

TEST(ContactNewton, FrictionIsThatOfCoulomb) {
    fast::ContactNewton newton = beam({-1, 1});
    newton.set_velocity(0, {0, 20, -9.81, 0, 0, 0}, {0, 20, 0, 0, 0, 0});
    ASSERT_TRUE(newton.solve());
    double normal = 0, along = 0;
    for (const fast::NewtonPoint& point : newton.points) {
        EXPECT_TRUE(point.slides);
        normal += point.impulse.x;
        along += point.impulse.z;
    }
    EXPECT_NEAR(normal, 2 * 9.81, 0.002);
    EXPECT_NEAR(along, -0.5 * normal, 1e-9);
    EXPECT_NEAR(newton.velocity(0)[2], 0, 0.001); // it does not part from the ground
}

} // namespace
} // namespace rigor
