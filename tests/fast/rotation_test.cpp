// Bodies that joints and contacts act on keep what free bodies keep: angular momentum and energy.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fast_settings.h"
#include "rigor/rotation.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor {
namespace {

using test::fast_settings;
using test::Random;

WorldSettings weightless() {
    WorldSettings settings = fast_settings();
    settings.gravity = {};
    return settings;
}

BodyId add_mass(World& world, const Vec3d& at, double mass, const Vec3d& moments,
                const Vec3d& angular_velocity = {}, const Vec3d& velocity = {}) {
    BodyDef def;
    def.position = at;
    def.mass_properties = MassProperties{mass, {}, Sym3d::diagonal(moments)};
    def.angular_velocity = angular_velocity;
    def.velocity = velocity;
    return world.add_body(def).value();
}

/// The largest rise and fall of the total energy.
struct Range2 {
    double rise = 0, fall = 0;
    double most() const { return std::max(rise, fall); }
};
Range2 energy_range(World& world, double hertz, double seconds) {
    const double start = world.energy().total();
    Range2 range;
    for (long i = std::lround(seconds * hertz); i > 0; --i) {
        world.step(1 / hertz);
        const double now = world.energy().total() - start;
        range.rise = std::max(range.rise, now);
        range.fall = std::max(range.fall, -now);
    }
    return range;
}

// Row 4's trap, with a joint that does nothing.
TEST(Rotation, AJointThatDoesNothingLeavesTheFreeMotionAsItIs) {
    for (const double hertz : {60.0, 240.0, 1000.0}) {
        World world(weightless());
        const BodyId top = add_mass(world, {}, 1, {1, 2, 3}, {0.01, 0, 1});
        world.add_joint({.a = top, .kind = BallJoint{}}).value();
        const Vec3d momentum = world.momentum().angular;
        EXPECT_LT(energy_range(world, hertz, 100).most(), 1e-9 * world.energy().kinetic) << hertz;
        EXPECT_EQ(world.momentum().angular, momentum) << hertz;
        EXPECT_EQ(world.ledger().joints, 0) << hertz;
    }
}

TEST(Rotation, PinnedBodiesKeepTheirEnergyAtAnyStep) {
    const Vec3d kMoments[] = {{0.0835, 0.0967, 0.0135}, {0.0842, 0.0842, 0.0017}, {0.1, 0.2, 0.25}};
    for (const Vec3d& moments : kMoments)
        for (const double hertz : {60.0, 240.0, 1000.0}) {
            World world(fast_settings());
            const BodyId body =
                add_mass(world, {0.28, 0, -0.41}, 1, moments, {0, 0, 3}, {0, 0.84, 0});
            world.add_joint({.a = body, .kind = BallJoint{}}).value();
            EXPECT_LT(energy_range(world, hertz, 30).most(), 2e-4)
                << moments.z << ' ' << hertz; // of 1.4 J
        }
}

/// Energy lost or gained, and precession in 10 s, of a wheel at the end of an arm.
struct GyroRun {
    Range2 energy;
    double rate = 0;
};
GyroRun run_gyroscope(double hertz, bool wheel_first) {
    World world(fast_settings());
    const double w = 2.289;
    const BodyId rod =
        add_mass(world, {0.15, 0, 0}, 0.2, {1e-5, 0.0015, 0.0015}, {0, 0, w}, {0, 0.15 * w, 0});
    const BodyId wheel =
        add_mass(world, {0.25, 0, 0}, 1, {0.01, 0.006, 0.006}, {120, 0, w}, {0, 0.25 * w, 0});
    world.add_joint({.a = rod, .kind = BallJoint{}}).value();
    world
        .add_joint({.a = wheel_first ? wheel : rod,
                    .b = wheel_first ? rod : wheel,
                    .anchor = {0.25, 0, 0},
                    .kind = HingeJoint{{1, 0, 0}}})
        .value();
    GyroRun run;
    run.energy = energy_range(world, hertz, 10);
    const Vec3d at = world.state(wheel).position;
    const double turned = std::atan2(at.y, at.x); // 22.89 rad: three turns and 4.04
    run.rate = (6 * std::numbers::pi + (turned < 0 ? turned + 2 * std::numbers::pi : turned)) / 10;
    return run;
}

TEST(Rotation, AGyroscopePrecessesWhicheverBodyIsNamedFirst) {
    for (const bool wheel_first : {false, true}) {
        const GyroRun coarse = run_gyroscope(60, wheel_first),
                      fine = run_gyroscope(240, wheel_first);
        EXPECT_NEAR(coarse.rate, 2.289, 0.01);
        EXPECT_NEAR(fine.rate, 2.289, 0.001);
        EXPECT_LT(coarse.energy.most(), 1.8); // of 72 J
        EXPECT_LT(fine.energy.most(), std::max(0.25 * coarse.energy.most(), 0.02));
    }
}

/// Two bodies in free flight, with a joint of every kind between them.
TEST(Rotation, PairsInFreeFlightKeepMomentumAndEnergy) {
    SixDofJoint universal, hinge_like, free_turns;
    universal.axes = {Range{0, 0}, Range{0, 0}, Range{0, 0}, Range{0, 0}, Range{}, Range{}};
    hinge_like.axes = {Range{0, 0}, Range{0, 0}, Range{0, 0}, Range{}, Range{0, 0}, Range{0, 0}};
    free_turns.axes = {Range{0, 0}, Range{0, 0}, Range{0, 0}, Range{}, Range{}, Range{}};
    const JointKind kinds[] = {
        BallJoint{}, HingeJoint{{0.6, 0, 0.8}}, FixedJoint{}, universal, hinge_like, free_turns};
    Random random(3);
    for (std::size_t k = 0; k < std::size(kinds); ++k)
        for (int trial = 0; trial < 5; ++trial) {
            World world(weightless());
            const auto moments = [&] {
                const double x = random.uniform(0.5, 1), y = random.uniform(0.5, 1);
                return Vec3d{x, y, random.uniform(std::abs(x - y) + 0.1, x + y - 0.1)} * 0.1;
            };
            const BodyId a = add_mass(world, {-0.3, 0, 0}, 1, moments(), random.vec(-2, 2));
            const BodyId b = add_mass(world, {0.3, 0.1, 0}, 2, moments(), random.vec(-2, 2));
            world.add_joint({.a = a, .b = b, .anchor = {0, 0.1, 0}, .kind = kinds[k]}).value();
            for (int i = 0; i < 60; ++i) world.step(test::kStep); // what it forbids is taken away
            const double start = world.energy().kinetic;
            const Vec3d momentum = world.momentum().angular;
            const Range2 range = energy_range(world, 60, 30);
            EXPECT_LT(range.most(), 0.01 * start) << "kind " << k << " trial " << trial;
            EXPECT_LT(length(world.momentum().angular - momentum), 1e-3 * length(momentum) + 1e-5)
                << "kind " << k;
        }
}

// The same scene a thousand times smaller and a hundred times larger.
TEST(Rotation, HoldsAtAnyScale) {
    for (const double scale : {1e-3, 1.0, 100.0}) {
        World world(fast_settings());
        WorldSettings settings = world.settings();
        settings.gravity = Vec3d{0, 0, -9.81} * scale;
        world.set_settings(settings);
        const BodyId body = add_mass(world, Vec3d{0.28, 0, -0.41} * scale, 1,
                                     Vec3d{0.0835, 0.0967, 0.0135} * (scale * scale), {0, 0, 3},
                                     Vec3d{0, 0.84, 0} * scale);
        world.add_joint({.a = body, .kind = BallJoint{}}).value();
        EXPECT_LT(energy_range(world, 60, 30).most(), 2e-4 * scale * scale) << scale;
    }
}

// Asymmetric links that swing and twist.
TEST(Rotation, AChainOfAsymmetricLinksGainsNoEnergy) {
    for (const double hertz : {60.0, 240.0}) {
        World world(fast_settings());
        BodyId last;
        for (int i = 0; i < 8; ++i) {
            const BodyId link =
                add_mass(world, {0.2 * i + 0.1, 0, 0}, 0.5, {4e-4, 1.5e-3, 1.8e-3}, {5, 0, 0});
            world.add_joint({.a = last, .b = link, .anchor = {0.2 * i, 0, 0}, .kind = BallJoint{}})
                .value();
            last = link;
        }
        EXPECT_LT(energy_range(world, hertz, 20).rise, 0.005 * 8 * 0.5 * 9.81 * 0.8) << hertz;
    }
}

TEST(Rotation, GivesTheSameBitsForAllLanesAndThreads) {
    std::uint64_t expected = 0;
    for (const int lanes : {1, 4, 8})
        for (const int threads : {1, 2, 8}) {
            WorldSettings settings = fast_settings();
            settings.lanes = lanes;
            settings.threads = threads;
            World world(settings);
            for (int k = 0; k < 20; ++k) {
                const BodyId rod = add_mass(world, {k + 0.15, 0, 0}, 0.2, {1e-5, 0.0015, 0.001505},
                                            {0, 0.1 * k, 2});
                const BodyId wheel =
                    add_mass(world, {k + 0.25, 0, 0}, 1, {0.01, 0.006, 0.0061}, {10.0 * k, 0, 2});
                world.add_joint({.a = rod, .anchor = {1.0 * k, 0, 0}, .kind = BallJoint{}}).value();
                world
                    .add_joint({.a = k % 2 == 0 ? rod : wheel,
                                .b = k % 2 == 0 ? wheel : rod,
                                .anchor = {k + 0.25, 0, 0},
                                .kind = HingeJoint{{1, 0, 0}}})
                    .value();
            }
            for (int i = 0; i < 120; ++i) world.step(test::kStep);
            if (expected == 0) expected = world.state_hash();
            EXPECT_EQ(world.state_hash(), expected) << lanes << ' ' << threads;
        }
}

// A coin that spins on its rim, and a top of boxes on a plane: smooth, so nothing brakes them.
TEST(Rotation, SpinningBodiesOnASmoothFloorGainNoEnergy) {
    for (const double hertz : {60.0, 240.0}) {
        World world(fast_settings());
        BodyDef floor = test::with_material(test::body(BoxDef{{40, 40, 2}}, {0, 0, -1}), 0);
        floor.type = BodyType::static_body;
        world.add_body(floor).value();
        BodyDef coin = test::with_material(test::body(CylinderDef{0.2, 0.05}, {0, 0, 0.2}), 0);
        coin.orientation = from_rotation_vector(Vec3d{std::numbers::pi / 2 - 0.1, 0, 0});
        coin.angular_velocity = {0, 0, 20};
        world.add_body(coin).value();
        const double start = world.energy().total();
        EXPECT_LT(energy_range(world, hertz, 5).rise, 0.03 * start) << hertz;
    }
}

// What a ledger is for: the work of a motor, a spring and friction is theirs, an ideal joint does
// none, and what the method itself does is in the remainder.
TEST(JointWork, OfAMotorIsTheEnergyItGives) {
    World world(weightless());
    const BodyId wheel = add_mass(world, {}, 1, {0.02, 0.03, 0.04});
    HingeJoint hinge{{0, 0, 1}};
    hinge.motor = MotorDef{.target_velocity = 10.0, .target_position = {}, .max_force = 0.5};
    world.add_joint({.a = {}, .b = wheel, .kind = hinge}).value();
    for (int i = 0; i < 120; ++i) world.step(test::kStep);
    const Ledger ledger = world.ledger();
    EXPECT_NEAR(world.energy().kinetic, 0.5 * 0.04 * 100, 1e-4);
    EXPECT_NEAR(ledger.joints, world.energy().kinetic, 1e-4); // sums of floats
    EXPECT_NEAR(ledger.remainder, 0, 1e-4);
}

TEST(JointWork, OfIdealJointsFallsWithTheStep) {
    double last = 0;
    for (const double hertz : {60.0, 120.0, 240.0}) {
        World world(fast_settings());
        const BodyId body =
            add_mass(world, {0.28, 0, -0.41}, 1, {0.0835, 0.0967, 0.0135}, {0, 0, 3}, {0, 0.84, 0});
        world.add_joint({.a = body, .kind = BallJoint{}}).value();
        energy_range(world, hertz, 10);
        const double work = std::abs(world.ledger().joints);
        EXPECT_LT(work, 1e-3);
        if (last > 0) {
            EXPECT_LT(work, 0.5 * last) << hertz;
        }
        last = work;
    }
}

// A wheel whose axis precesses by more than a substep can follow.
TEST(Rotation, AMotorSpinsAWheelAtAnySpeed) {
    for (const double speed : {100.0, 300.0, 500.0, 1000.0, 3000.0}) {
        World world(fast_settings());
        BodyDef def;
        def.shapes = {{.geometry = CylinderDef{0.3, 0.2}}};
        def.position = {0, 0, 5};
        const BodyId wheel = world.add_body(def).value();
        HingeJoint hinge;
        hinge.motor = MotorDef{.target_velocity = speed, .max_force = 500};
        world.add_joint({.a = wheel, .anchor = {0, 0, 5}, .kind = hinge}).value();
        for (int i = 0; i < 60 * 60; ++i) world.step(1.0 / 60);
        const Vec3d w = world.state(wheel).angular_velocity;
        EXPECT_NEAR(std::abs(w.z), speed, 1e-3 * speed);
        EXPECT_LT(std::hypot(w.x, w.y), 1e-3 * speed);
        EXPECT_LT(length(world.state(wheel).position - Vec3d{0, 0, 5}), 1e-3);
    }
}

// Heavy boxes press on light links: errors of large impulses turn these fast.
TEST(Rotation, AChainUnderAHeapStaysTogether) {
    for (const int seed : {7, 8, 9}) {
        World world(fast_settings());
        BodyDef ground;
        ground.type = BodyType::static_body;
        ground.shapes = {{.geometry = PlaneDef{}}};
        world.add_body(ground).value();
        Random random(static_cast<std::uint64_t>(seed));
        for (int i = 0; i < 60; ++i) {
            BodyDef def;
            def.shapes = {{.geometry = BoxDef{{0.4, 0.3, 0.5}}}};
            def.position = {random.uniform(-1, 1), random.uniform(-1, 1), 1 + 0.3 * i};
            world.add_body(def).value();
        }
        std::vector<BodyId> links;
        for (int i = 0; i < 8; ++i) {
            BodyDef link;
            link.shapes = {{.geometry = CapsuleDef{0.05, 0.2}}};
            link.position = {0.3 * i + 1, 0, 3};
            link.orientation = from_axis_angle(Vec3d{0, 1, 0}, std::numbers::pi / 2);
            links.push_back(world.add_body(link).value());
            world
                .add_joint({.a = i == 0 ? BodyId{} : links[links.size() - 2],
                            .b = links.back(),
                            .anchor = {0.3 * i + 0.85, 0, 3},
                            .kind = BallJoint{}})
                .value();
        }
        for (int i = 0; i < 300; ++i) {
            world.step(1.0 / 60);
            for (const BodyId link : links)
                ASSERT_LT(length(world.state(link).velocity), 40) << seed << ' ' << i;
        }
    }
}

} // namespace
} // namespace rigor
