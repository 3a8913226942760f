// Joints under the methods of the literature: springs, limits, motors and friction against closed
// forms, at more than one step.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kWeight = 9.81;

/// Kick and drift is of first order where a force like gravity acts.
bool kicks_and_drifts(Method method) {
    return method == Method::kavan2003 || method == Method::kenwright || method == Method::penalty;
}

/// A box of 1 kg on a joint with the world, whose anchor is the origin.
struct Jointed {
    World world;
    BodyId body;
    JointId joint;

    Jointed(Method method, JointDef def, const Vec3d& gravity = {}, const Vec3d& velocity = {},
            const Vec3d& position = {})
        : world([&] {
              WorldSettings settings = settings_of(method);
              settings.gravity = gravity;
              return settings;
          }()) {
        BodyDef box = test::body(BoxDef{{0.2, 0.2, 0.2}}, position);
        box.mass = 1;
        box.velocity = velocity;
        body = world.add_body(box).value();
        def.b = body;
        joint = world.add_joint(def).value();
    }
    JointState now() const { return world.joint_state(joint); }
    JointState after(double seconds, double dt) {
        run_steps(world, static_cast<int>(std::lround(seconds / dt)), dt);
        return now();
    }
    /// The largest coordinate within some seconds.
    double peak(double seconds, double dt) {
        double most = 0;
        for (int i = 0; i < std::lround(seconds / dt); ++i) {
            world.step(dt);
            most = std::max(most, now().coordinate);
        }
        return most;
    }
};

JointDef slider(const Vec3d& axis, std::optional<Range> limits = {},
                std::optional<MotorDef> motor = {}) {
    JointDef def;
    def.kind = SliderJoint{axis, limits, motor};
    return def;
}

class JointSteps : public testing::TestWithParam<Method> {};

// By the force at the end of the interval a spring of 1 Hz without a damper decayed at 0.32 /s at
// 60 Hz, and under the methods with intervals of their own at 0.02 /s at any step.
TEST_P(JointSteps, SpringsDecayByTheirDampersAlone) {
    for (const double decay : {0.0, 0.1}) {
        for (const double hz : {1.0, 3.0}) {
            JointDef def = slider({1, 0, 0});
            def.spring = SpringDef{hz, decay / (2 * kPi * hz)};
            for (const double dt : {1.0 / 60, 1.0 / 120}) {
                Jointed spring(GetParam(), def, {}, {1, 0, 0});
                const double first = spring.peak(2 / hz, dt);
                run_steps(spring.world, static_cast<int>(std::lround(4 / hz / dt)), dt);
                const double last = spring.peak(2 / hz, dt);
                const double measured = std::log(first / last) * hz / 6;
                // A peak between two steps is missed by a share of (π hz dt)².
                const double missed = std::pow(kPi * hz * dt, 2) * hz / 6;
                EXPECT_NEAR(measured, decay, 2 * missed + 0.01 * decay)
                    << hz << " Hz, steps of " << dt << " s";
            }
        }
    }
}

// A damper is of first order where bodies move by the new velocity.
TEST_P(JointSteps, HalfTheStepQuartersTheErrorOfASpring) {
    const double ratio = kicks_and_drifts(GetParam()) ? 0 : 0.1;
    JointDef def = slider({1, 0, 0});
    def.spring = SpringDef{1, ratio};
    const double w = 2 * kPi, wd = w * std::sqrt(1 - ratio * ratio), decay = ratio * w;
    const double exact = std::exp(-decay * 1.8) * std::sin(wd * 1.8) / wd;
    double last = 0;
    for (const double dt : {1.0 / 60, 1.0 / 120, 1.0 / 240}) {
        Jointed spring(GetParam(), def, {}, {1, 0, 0});
        const double error = std::abs(spring.after(1.8, dt).coordinate - exact);
        if (last > 0) {
            EXPECT_NEAR(error, 0.25 * last, 0.06 * last) << dt;
        }
        last = error;
    }
}

// They passed their limit by an interval that was shorter than the one before, came back by a
// speed and kept it: 2.9 % off after a second.
TEST_P(JointSteps, LimitsStopAndHold) {
    for (const double gravity : {0.0, kWeight}) {
        for (const double dt : {1.0 / 60, 1.0 / 37}) {
            Jointed box(GetParam(), slider({0, 0, 1}, Range{-1, 0.5}), {0, 0, -gravity},
                        {0, 0, -3});
            for (int i = 0; i < 120; ++i) {
                box.world.step(dt);
                EXPECT_GT(box.now().coordinate, -1 - 1e-9) << i;
            }
            EXPECT_NEAR(box.now().coordinate, -1, 1e-9);
            EXPECT_NEAR(box.now().speed, 0, 1e-9);
        }
    }
    JointDef hinge;
    hinge.kind = HingeJoint{{0, 1, 0}, Range{-0.7, 0.7}};
    Jointed arm(GetParam(), hinge, {0, 0, -kWeight}, {}, {1, 0, 0});
    EXPECT_NEAR(arm.after(2, kStep).coordinate, 0.7, 1e-9);
    EXPECT_NEAR(arm.now().speed, 0, 1e-9);
}

TEST_P(JointSteps, MotorsLiftTheirLoad) {
    Jointed lift(GetParam(), slider({0, 0, 1}, {}, MotorDef{.target_velocity = 1.0}),
                 {0, 0, -kWeight});
    lift.after(0.5, kStep);
    const double from = lift.now().coordinate;
    EXPECT_NEAR(lift.after(1, kStep).coordinate - from, 1, 1e-9);
    EXPECT_NEAR(lift.now().speed, 1, 1e-9);
    // 20 N of which gravity takes 9.81 N: until it has the speed.
    Jointed weak(GetParam(),
                 slider({0, 0, 1}, {}, MotorDef{.target_velocity = 1.0, .max_force = 20}),
                 {0, 0, -kWeight});
    const double ramp = 1 / (20 - kWeight);
    EXPECT_NEAR(weak.after(1, kStep).coordinate, 1 - 0.5 * ramp,
                kicks_and_drifts(GetParam()) ? 0.009 : 5e-4);
}

// It crept by g h² in each step under the methods that kick and drift.
TEST_P(JointSteps, DryFrictionStopsAndHolds) {
    JointDef def = slider({0, 0, 1});
    def.friction = 12;
    Jointed held(GetParam(), def, {0, 0, -kWeight});
    EXPECT_NEAR(held.after(2, kStep).coordinate, 0, 1e-12);
    Jointed sliding(GetParam(), def, {}, {0, 0, 3});
    EXPECT_NEAR(sliding.after(1, kStep).coordinate, 9.0 / 24,
                kicks_and_drifts(GetParam()) ? 0.03 : 1e-3);
    EXPECT_NEAR(sliding.now().speed, 0, 1e-12);
}

// A pendulum from the horizontal: the energy comes back. It lost 3 % of its speed a second.
TEST_P(JointSteps, PendulumsKeepTheirEnergy) {
    JointDef hinge;
    hinge.kind = HingeJoint{{0, 1, 0}};
    double last = 0;
    for (const double dt : {1.0 / 60, 1.0 / 120, 1.0 / 240}) {
        Jointed arm(GetParam(), hinge, {0, 0, -kWeight}, {}, {1, 0, 0});
        const double before = arm.world.energy().total();
        double worst = 0;
        for (int i = 0; i < std::lround(10 / dt); ++i) {
            arm.world.step(dt);
            worst = std::max(worst, std::abs(arm.world.energy().total() - before));
            ASSERT_LT(arm.now().error, 1e-6);
        }
        EXPECT_LT(worst, (kicks_and_drifts(GetParam()) ? 0.06 : 0.006) * kWeight * 60 * dt);
        if (last > 1e-4) {
            EXPECT_LT(worst, 0.6 * last) << dt;
        }
        last = worst;
    }
}

// At rest the joint carries the weight; on a swing from the horizontal 3 m g sin a.
TEST_P(JointSteps, ForcesAreRead) {
    Jointed hanging(GetParam(), JointDef{}, {0, 0, -kWeight});
    hanging.after(0.5, kStep);
    EXPECT_NEAR(hanging.now().force.z, kWeight, 1e-6);
    JointDef hinge;
    hinge.kind = HingeJoint{{0, 1, 0}};
    const double dt = 1.0 / 240;
    Jointed arm(GetParam(), hinge, {0, 0, -kWeight}, {}, {1, 0, 0});
    for (int i = 0; i < 100; ++i) {
        arm.world.step(dt);
        const BodyState s = arm.world.state(arm.body);
        const double inertia = 0.04 / 6; // of the box, about its middle
        const double share = inertia / (1 + inertia);
        const double along = -s.position.z * kWeight + length_squared(s.velocity);
        const double across = share * s.position.x * kWeight;
        EXPECT_NEAR(length(arm.now().force), std::hypot(along, across), 0.03 * along + 0.3) << i;
    }
}

// Where 3 m g sin a is 2 m g, a third of the way from its lowest point.
TEST_P(JointSteps, BreakAtTheirForce) {
    for (const double force : {0.95 * kWeight, 1.05 * kWeight}) {
        JointDef def;
        def.break_force = force;
        Jointed hanging(GetParam(), def, {0, 0, -kWeight});
        run(hanging.world, 0.5);
        EXPECT_EQ(hanging.world.is_valid(hanging.joint), force > kWeight);
    }
    double last = 1;
    for (const double dt : {1.0 / 60, 1.0 / 480}) {
        JointDef hinge;
        hinge.kind = HingeJoint{{0, 1, 0}};
        hinge.break_force = 2 * kWeight;
        Jointed arm(GetParam(), hinge, {0, 0, -kWeight}, {}, {1, 0, 0});
        while (arm.world.is_valid(arm.joint) && arm.world.time() < 2) arm.world.step(dt);
        const double z = arm.world.state(arm.body).position.z;
        EXPECT_NEAR(z, -2.0 / 3, 0.15 * dt * 60 + 0.01) << dt;
        EXPECT_LT(std::abs(z + 2.0 / 3), last);
        last = std::abs(z + 2.0 / 3);
    }
}

// A plate that is fixed carries a box, by impulses or by forces. Under kavan2003 the box hovers,
// and falls on the plate in most steps but not in all.
TEST_P(JointSteps, BreakUnderWhatRestsOnThem) {
    for (const double bound : {2.5, GetParam() == Method::kavan2003 ? 4.5 : 3.5}) { // weights
        JointDef def;
        def.kind = FixedJoint{};
        def.break_force = bound * kWeight;
        Jointed plate(GetParam(), def, {0, 0, -kWeight});
        BodyDef load = test::body(BoxDef{{0.1, 0.1, 0.1}}, {0, 0, 0.15});
        load.mass = 2;
        plate.world.add_body(load).value();
        run(plate.world, 1);
        EXPECT_EQ(plate.world.is_valid(plate.joint), bound > 3) << bound;
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, JointSteps,
                         testing::Values(Method::baber2006, Method::kavan2003, Method::baber2011,
                                         Method::kenwright, Method::galoppo2007, Method::penalty),
                         method_name);

} // namespace
} // namespace rigor::test
