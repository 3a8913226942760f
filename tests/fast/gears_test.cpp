// Gears: rows of the system of the joints that they couple, over up to four bodies. At 60 Hz with 4
// substeps unless a test says otherwise.

#include <gtest/gtest.h>

#include <cmath>

#include "fast_settings.h"
#include "rigor/rotation.h"
#include "rigor/world.h"

namespace rigor::gears_test {
namespace {

class Gears : public testing::Test {
  protected:
    static constexpr double kG = 9.81;
    static constexpr Vec3d kAxle{0, 1, 0};

    static World without_gravity() {
        WorldSettings settings = test::fast_settings();
        settings.gravity = {};
        return World(settings);
    }
    static BodyId add_body(World& world, const Vec3d& at, double mass, double inertia,
                           BodyType type = BodyType::dynamic_body) {
        BodyDef def;
        def.type = type;
        def.position = at;
        if (type == BodyType::dynamic_body)
            def.mass_properties =
                MassProperties{mass, {}, Sym3d::diagonal({inertia, inertia, inertia})};
        return world.add_body(def).value();
    }
    static JointId join(World& world, BodyId a, BodyId b, const Vec3d& anchor,
                        const JointKind& kind = HingeJoint{kAxle}) {
        return world.add_joint({.a = a, .b = b, .anchor = anchor, .kind = kind}).value();
    }
    static JointId couple(World& world, JointId driving, JointId driven, double ratio) {
        return world.add_joint({.kind = GearJoint{driving, driven, ratio}}).value();
    }
    static double error(const World& world, JointId driving, JointId driven, double ratio) {
        return world.joint_state(driven).coordinate - ratio * world.joint_state(driving).coordinate;
    }
    static void run(World& world, double seconds, double step = test::kStep) {
        for (long i = std::lround(seconds / step); i > 0; --i) world.step(step);
    }

    /// Two wheels with their masses off their axles, and a pendulum on the first.
    struct Clockwork {
        JointId driving, driven;
        BodyId bob;
    };
    static Clockwork add_clockwork(World& world, double ratio, const Vec3d& at = {}) {
        const BodyId first = add_body(world, at + Vec3d{0.3, 0, 0}, 2, 0.01),
                     second = add_body(world, at + Vec3d{2, 0, 0.2}, 5, 0.05);
        Clockwork made;
        made.driving = join(world, {}, first, at);
        made.driven = join(world, {}, second, at + Vec3d{2, 0, 0}, HingeJoint{{0.6, 0.8, 0}});
        made.bob = add_body(world, at + Vec3d{0.8, 0, 0}, 1, 0.02);
        join(world, first, made.bob, at + Vec3d{0.3, 0, 0}, BallJoint{});
        couple(world, made.driving, made.driven, ratio);
        return made;
    }
};

// Gears made energy when they were solved one by one: 22 of 40 random mechanisms more than 1e-3 of
// theirs, 5 more than all of it. They must not lose it either.
TEST_F(Gears, KeepTheEnergyOfAClockwork) {
    for (const double ratio : {-3.0, -0.7, 0.4, 5.0}) {
        World world(test::fast_settings());
        const Clockwork clockwork = add_clockwork(world, ratio);
        const double start = world.energy().total(), scale = kG * (2 * 0.3 + 1 * 0.8 + 5 * 0.2);
        double most = 0, off = 0;
        for (int i = 0; i < 1200; ++i) {
            world.step(test::kStep);
            most = std::max(most, std::abs(world.energy().total() - start));
            off = std::max(off, std::abs(error(world, clockwork.driving, clockwork.driven, ratio)));
        }
        EXPECT_LT(most, 2e-3 * scale) << ratio;
        EXPECT_LT(off, 1e-5) << ratio;
    }
}

// Where the bob is after a second, with steps half as long: errors fall to a fourth.
TEST_F(Gears, AreOfOrderTwo) {
    const auto end = [&](double step) {
        World world(test::fast_settings());
        const Clockwork clockwork = add_clockwork(world, -0.7);
        run(world, 0.5, step);
        return world.state(clockwork.bob).position;
    };
    const Vec3d exact = end(1.0 / 1920);
    const double first = length(end(1.0 / 60) - exact), second = length(end(1.0 / 120) - exact);
    EXPECT_LT(first, 1e-2);
    EXPECT_GT(first / second, 3);
}

// T = (I₁ + r² I₂) α, from the first step on.
TEST_F(Gears, AccelerateBothWheels) {
    World world = without_gravity();
    const BodyId first = add_body(world, {0, 0, 0}, 1, 0.1),
                 second = add_body(world, {3, 0, 0}, 1, 0.4);
    const JointId driving = join(world, {}, first, {0, 0, 0}),
                  driven = join(world, {}, second, {3, 0, 0});
    couple(world, driving, driven, -3);
    for (int i = 0; i < 60; ++i) {
        world.apply_torque(first, {0, 2, 0});
        world.step(test::kStep);
    }
    const double rate = 2 / (0.1 + 9 * 0.4);
    EXPECT_NEAR(world.state(first).angular_velocity.y, rate, 1e-5);
    EXPECT_NEAR(world.state(second).angular_velocity.y, -3 * rate, 1e-5);
}

// A motor sees the inertia of all wheels, and a limit of the last one stops the first.
TEST_F(Gears, CarryMotorsAndLimits) {
    World world = without_gravity();
    const BodyId first = add_body(world, {0, 0, 0}, 1, 0.1),
                 second = add_body(world, {3, 0, 0}, 1, 0.4);
    HingeJoint driven{kAxle}, limited{kAxle};
    driven.motor = MotorDef{.target_velocity = 2, .max_force = 4};
    limited.limits = Range{-1, 1};
    const JointId a = join(world, {}, first, {0, 0, 0}, driven),
                  b = join(world, {}, second, {3, 0, 0}, limited);
    couple(world, a, b, 0.5);
    run(world, 0.1);
    EXPECT_NEAR(world.state(first).angular_velocity.y, 2, 1e-3); // 4/(0.1 + 0.1) for 0.1 s
    run(world, 2);
    EXPECT_NEAR(world.joint_state(b).coordinate, 1, 1e-3);
    EXPECT_NEAR(world.joint_state(a).coordinate, 2, 2e-3);
    EXPECT_NEAR(world.state(first).angular_velocity.y, 0, 1e-3);
}

// A wheel that is moved drives the other, at its speed: the row of a gear has the velocities of
// kinematic bodies.
TEST_F(Gears, AreDrivenByAWheelThatIsMoved) {
    World world = without_gravity();
    const BodyId crank = add_body(world, {0, 0, 0}, 0, 0, BodyType::kinematic_body),
                 wheel = add_body(world, {3, 0, 0}, 1, 0.4);
    const JointId driving = join(world, {}, crank, {0, 0, 0}),
                  driven = join(world, {}, wheel, {3, 0, 0});
    couple(world, driving, driven, -2);
    world.set_angular_velocity(crank, {0, 4, 0});
    run(world, 0.1);
    EXPECT_NEAR(world.state(wheel).angular_velocity.y, -8, 1e-4);
    EXPECT_NEAR(error(world, driving, driven, -2), 0, 1e-4);
}

// Rack and pinion: m g = (m + I/r²) a.
TEST_F(Gears, TurnAPinionByARack) {
    World world(test::fast_settings());
    const BodyId pinion = add_body(world, {0, 0, 0}, 1, 0.02),
                 rack = add_body(world, {0.2, 0, 0}, 3, 0.1);
    const JointId turning = join(world, {}, pinion, {0, 0, 0}),
                  sliding = join(world, {}, rack, {0.2, 0, 0}, SliderJoint{{0, 0, 1}});
    couple(world, turning, sliding, 0.1);
    run(world, 1);
    EXPECT_NEAR(world.state(rack).velocity.z, -kG * 3 / (3 + 0.02 / 0.01), 1e-4);
    EXPECT_NEAR(error(world, turning, sliding, 0.1), 0, 1e-6);
}

// More than half a turn in a step, and in a substep: whole turns count.
TEST_F(Gears, CoupleWheelsThatSpinFast) {
    for (const double speed : {150.0, 500.0, 2000.0}) {
        World world = without_gravity();
        const BodyId first = add_body(world, {0, 0, 0}, 1, 0.1),
                     second = add_body(world, {3, 0, 0}, 1, 0.1);
        const JointId driving = join(world, {}, first, {0, 0, 0}),
                      driven = join(world, {}, second, {3, 0, 0});
        couple(world, driving, driven, 0.25);
        world.set_angular_velocity(first, {0, speed, 0});
        world.set_angular_velocity(second, {0, 0.25 * speed, 0});
        run(world, 1);
        EXPECT_NEAR(world.state(first).angular_velocity.y, speed, 1e-4 * speed);
        EXPECT_NEAR(world.state(second).angular_velocity.y, 0.25 * speed, 1e-4 * speed);
        EXPECT_NEAR(error(world, driving, driven, 0.25), 0, 1e-2) << speed;
    }
}

// Rings of gears: the last one repeats what the others say, or contradicts it, and then nothing
// turns.
TEST_F(Gears, InARingTurnOrHold) {
    for (const bool fits : {true, false}) {
        World world(test::fast_settings());
        std::vector<JointId> hinges;
        std::vector<BodyId> wheels;
        for (int i = 0; i < 3; ++i) {
            wheels.push_back(add_body(world, {2.0 * i + 0.2, 0, 0}, 1 + i, 0.05));
            hinges.push_back(join(world, {}, wheels.back(), {2.0 * i, 0, 0}));
        }
        couple(world, hinges[0], hinges[1], 2);
        couple(world, hinges[1], hinges[2], 0.5);
        couple(world, hinges[0], hinges[2], fits ? 1 : -1);
        const double start = world.energy().total(), scale = kG * 0.2 * 6;
        double most = 0, lowest = 0;
        for (int i = 0; i < 600; ++i) {
            world.step(test::kStep);
            most = std::max(most, world.energy().total() - start);
            lowest = std::min(lowest, world.energy().total() - start);
        }
        EXPECT_LT(most, 1e-3 * scale) << fits;
        EXPECT_GT(lowest, -1e-2 * scale) << fits;
        const double angle = world.joint_state(hinges[0]).coordinate;
        if (!fits) {
            EXPECT_NEAR(angle, 0, 1e-4);
        }
        EXPECT_NEAR(world.joint_state(hinges[1]).coordinate, 2 * angle, 1e-4);
    }
}

// Two wheels of a gear, both beyond their limits: whatever gives way, no energy comes of it.
TEST_F(Gears, BetweenLimitsThatContradictMakeNoEnergy) {
    World world(test::fast_settings());
    const BodyId first = add_body(world, {0.3, 0, 0}, 2, 0.01),
                 second = add_body(world, {2.3, 0, 0}, 50, 0.05);
    HingeJoint few{kAxle}, many{kAxle};
    few.limits = Range{-0.4, 0.3};
    many.limits = Range{-0.5, 0.2};
    const JointId driving = join(world, {}, first, {0, 0, 0}, few),
                  driven = join(world, {}, second, {2, 0, 0}, many);
    couple(world, driving, driven, 2.0 / 3);
    const double start = world.energy().total();
    for (int i = 0; i < 300; ++i) {
        world.step(test::kStep);
        ASSERT_LT(world.energy().total() - start, 1e-3 * kG * 16) << i;
    }
    EXPECT_NEAR(world.joint_state(driven).coordinate, 0.2, 1e-3);
    EXPECT_NEAR(world.joint_state(driving).coordinate, 0.3, 2e-3);
}

// A torque at one end turns all wheels of a train: when gears were solved one by one the first of
// 50 turned eleven times as far as it can.
TEST_F(Gears, InALongTrainTurnAsOne) {
    World world = without_gravity();
    std::vector<JointId> hinges;
    BodyId first;
    for (int i = 0; i < 50; ++i) {
        const BodyId wheel = add_body(world, {2.0 * i, 0, 0}, 1, 0.1);
        if (i == 0) first = wheel;
        hinges.push_back(join(world, {}, wheel, {2.0 * i, 0, 0}));
        if (i > 0) couple(world, hinges[hinges.size() - 2], hinges.back(), -1);
    }
    for (int i = 0; i < 60; ++i) {
        world.apply_torque(first, {0, 10, 0});
        world.step(test::kStep);
    }
    EXPECT_NEAR(world.state(first).angular_velocity.y, 10 / (50 * 0.1), 1e-4);
    const double angle = world.joint_state(hinges[0]).coordinate;
    EXPECT_NEAR(angle, 1, 1e-2);
    EXPECT_NEAR(world.joint_state(hinges.back()).coordinate, -angle, 1e-4);
}

TEST_F(Gears, GiveTheSameBitsForAnyThreadsAndLanes) {
    const auto hash = [&](int threads, int lanes) {
        WorldSettings settings = test::fast_settings();
        settings.threads = threads;
        settings.lanes = lanes;
        World world(settings);
        for (int i = 0; i < 11; ++i) add_clockwork(world, 0.2 * (i % 4) + 0.3, {0, 3.0 * i, 0});
        run(world, 1);
        return world.state_hash();
    };
    const std::uint64_t expected = hash(1, 1);
    for (const int threads : {1, 2, 3})
        for (const int lanes : {1, 4, 8})
            EXPECT_EQ(hash(threads, lanes), expected) << threads << " " << lanes;
}

} // namespace
} // namespace rigor::gears_test
