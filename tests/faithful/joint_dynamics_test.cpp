// Limits, motors, springs, dry friction and breaking of joints under `faithful`, by closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "rigor/rotation.h"
#include "support/worlds.h"

namespace rigor {
namespace {

using test::settings_of;

constexpr double kPi = 3.14159265358979323846, kG = 9.81;

WorldSettings faithful(const Vec3d& gravity = {0, 0, -kG}) {
    WorldSettings settings = settings_of(Method::faithful);
    settings.gravity = gravity;
    return settings;
}

BodyDef free_body(const Vec3d& position, double mass, const Vec3d& moments) {
    BodyDef def;
    def.position = position;
    def.mass_properties = MassProperties{mass, {}, Sym3d::diagonal(moments)};
    return def;
}

/// A uniform rod of 1 m and 1 kg along x, one end at the origin.
BodyDef rod() {
    return free_body({0.5, 0, 0}, 1, {1e-3, 1.0 / 12, 1.0 / 12});
}

double angle(const World& world, JointId joint) {
    return world.joint_state(joint).coordinate;
}

/// The rod in a world of its own, hinged at the origin about the y axis.
struct HingedRod {
    World world{faithful()};
    BodyId body;
    JointId hinge;

    explicit HingedRod(HingeJoint kind) : body(world.add_body(rod()).value()) {
        kind.axis = {0, 1, 0};
        hinge = world.add_joint({.b = body, .kind = kind}).value();
    }
};

/// Steps of at most 1/60 s.
void run_for(World& world, double seconds) {
    const int steps = static_cast<int>(std::ceil(seconds * 60));
    for (int i = 0; i < steps; ++i) world.step(seconds / steps);
}

TEST(FaithfulJoints, ALimitStopsARodAndCarriesIt) {
    auto [world, b, hinge] = HingedRod({.limits = Range{-1, kPi / 4}});
    run_for(world, 0.330171494435 - 1e-9); // just before it is reached
    EXPECT_NEAR(world.state(b).angular_velocity.y, 4.561814613761, 2e-8);
    EXPECT_NEAR(angle(world, hinge), kPi / 4, 1e-8);
    run_for(world, 0.5);
    EXPECT_NEAR(angle(world, hinge), kPi / 4, 1e-12);
    EXPECT_NEAR(length(world.state(b).angular_velocity), 0, 1e-12);
    EXPECT_NEAR(world.joint_state(hinge).torque.y, -3.468358761720, 1e-9);
}

// Released again, it leaves the limit as if there were none.
TEST(FaithfulJoints, ALimitPushesAndNeverPulls) {
    auto [world, b, hinge] = HingedRod({.limits = Range{-1, 0}});
    run_for(world, 0.3);
    EXPECT_NEAR(angle(world, hinge), 0, 1e-12);
    for (int i = 0; i < 60; ++i) {
        world.apply_torque(b, {0, -kG, 0}); // twice its weight
        world.step(1.0 / 600);
    }
    const double reached = angle(world, hinge);
    EXPECT_LT(reached, -0.05);
    EXPECT_GT(reached, -0.2);
}

TEST(FaithfulJoints, AMotorHasATorqueCap) {
    World world(faithful({}));
    const BodyId wheel = world.add_body(free_body({}, 1, {0.5, 0.5, 0.5})).value();
    const JointId hinge =
        world
            .add_joint(
                {.b = wheel,
                 .kind = HingeJoint{.axis = {0, 0, 1},
                                    .motor = MotorDef{.target_velocity = 10, .max_force = 2}}})
            .value();
    run_for(world, 1);
    EXPECT_NEAR(world.state(wheel).angular_velocity.z, 4, 1e-11);
    EXPECT_NEAR(world.joint_state(hinge).torque.z, 2, 1e-12);
    run_for(world, 2);
    EXPECT_NEAR(world.state(wheel).angular_velocity.z, 10, 1e-11);
    EXPECT_NEAR(world.joint_state(hinge).torque.z, 0, 1e-9);
    EXPECT_NEAR(angle(world, hinge), 0.5 * 4 * 2.5 * 2.5 + 10 * 0.5, 1e-9); // whole turns counted
}

TEST(FaithfulJoints, AMotorWithoutCapHasItsSpeedAtOnce) {
    World world(faithful());
    const BodyId b = world.add_body(rod()).value();
    world
        .add_joint({.b = b,
                    .kind = HingeJoint{.axis = {0, 1, 0}, .motor = MotorDef{.target_velocity = 1}}})
        .value();
    for (int i = 0; i < 30; ++i) {
        world.step(1.0 / 60);
        EXPECT_NEAR(world.state(b).angular_velocity.y, 1, 1e-11);
    }
}

TEST(FaithfulJoints, ASpringIsADampedCosine) {
    World world(faithful({}));
    const BodyId b = world.add_body(free_body({}, 1, {0.5, 0.7, 0.9})).value();
    const JointId hinge =
        world
            .add_joint({.b = b, .kind = HingeJoint{.axis = {0, 0, 1}}, .spring = SpringDef{2, 0.1}})
            .value();
    world.set_pose(b, {{}, from_axis_angle(Vec3d{0, 0, 1}, 0.3)});
    const double w = 4 * kPi, decay = 0.1 * w, wd = w * std::sqrt(1 - 0.01);
    for (int i = 1; i <= 180; ++i) {
        world.step(1.0 / 60);
        const double t = i / 60.0;
        const double x =
            0.3 * std::exp(-decay * t) * (std::cos(wd * t) + decay / wd * std::sin(wd * t));
        ASSERT_NEAR(angle(world, hinge), x, 1e-9) << i;
    }
}

// A spring has its frequency whatever the mass, also when that changes.
TEST(FaithfulJoints, AFrequencyOutlivesAChangeOfMass) {
    World world(faithful({}));
    const BodyId b = world.add_body(free_body({}, 1, {0.5, 0.7, 0.9})).value();
    const JointId hinge =
        world.add_joint({.b = b, .kind = HingeJoint{.axis = {0, 0, 1}}, .spring = SpringDef{2, 0}})
            .value();
    world.set_mass(b, 5);
    world.set_pose(b, {{}, from_axis_angle(Vec3d{0, 0, 1}, 0.3)});
    run_for(world, 0.25); // half a period
    EXPECT_NEAR(angle(world, hinge), -0.3, 1e-9);
}

TEST(FaithfulJoints, ALockedAxisIsLockedWhereItStarts) {
    World world(faithful());
    const BodyId b = world.add_body(rod()).value();
    SixDofJoint joint;
    joint.axes[0] = {0.5, 0.5};
    const auto added = world.add_joint({.b = b, .kind = joint});
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().message, "must lock an axis at 0, where it is at the start, got 0.5");
}

// Turning points of I q" = -m g l sin q -+ f: each from the last by the work of friction.
TEST(FaithfulJoints, DryFrictionStopsARodAfterElevenHalfSwings) {
    World world(faithful());
    const BodyId b = world.add_body(rod()).value();
    const JointId hinge =
        world.add_joint({.b = b, .kind = HingeJoint{.axis = {0, 1, 0}}, .friction = 0.3}).value();
    int turns = 0;
    double last = 0;
    for (int i = 0; i < 1800; ++i) {
        world.step(1.0 / 120);
        const double rate = world.state(b).angular_velocity.y;
        if (rate * last < 0) ++turns;
        if (std::abs(rate) > 1e-12) last = rate;
    }
    EXPECT_NEAR(length(world.state(b).angular_velocity), 0, 1e-15);
    EXPECT_EQ(turns, 10);
    EXPECT_NEAR(std::abs(angle(world, hinge) - kPi / 2) * 180 / kPi, 1.397445697, 1e-7);
}

TEST(FaithfulJoints, FrictionOfABallJointActsAgainstTheSpin) {
    World world(faithful({}));
    const BodyId b = world.add_body(free_body({}, 1, {2, 2, 2})).value();
    world.add_joint({.b = b, .friction = 0.5}).value();
    world.set_angular_velocity(b, {0.3, 0.4, 0});
    run_for(world, 1);
    EXPECT_NEAR(length(world.state(b).angular_velocity - Vec3d{0.15, 0.2, 0}), 0, 1e-12);
    run_for(world, 2);
    EXPECT_NEAR(length(world.state(b).angular_velocity), 0, 1e-12);
}

TEST(FaithfulJoints, ARopeIsSlackAndThenTaut) {
    World world(faithful({}));
    const BodyId b = world.add_body(free_body({0.6, 0, 0}, 2, {1, 1, 1})).value();
    const JointId rope =
        world
            .add_joint({.b = b,
                        .anchor = {0, 0, 0},
                        .kind = DistanceJoint{.anchor_b = {0.6, 0, 0}, .range = Range{0, 1}}})
            .value();
    world.set_velocity(b, {0, 1, 0}); // taut after 0.8 s, at 53 deg: the radial part is lost
    run_for(world, 0.75);
    EXPECT_NEAR(angle(world, rope), std::hypot(0.6, 0.75), 1e-12);
    run_for(world, 1);
    EXPECT_NEAR(angle(world, rope), 1, 1e-12);
    EXPECT_NEAR(length(world.state(b).velocity), 0.6, 1e-12);
    EXPECT_NEAR(length(world.joint_state(rope).force), 2 * 0.36, 1e-9);
}

TEST(FaithfulJoints, ACordWithASpringIsElastic) {
    World world(faithful({}));
    const BodyId b = world.add_body(free_body({1, 0, 0}, 2, {1, 1, 1})).value();
    world
        .add_joint({.b = b,
                    .anchor = {0, 0, 0},
                    .kind = DistanceJoint{.anchor_b = {1, 0, 0}, .range = Range{0, 1}},
                    .spring = SpringDef{1, 0}})
        .value();
    world.set_velocity(b, {1, 0, 0});
    run_for(world, 0.25); // a quarter of a swing: at rest, 1/w beyond
    EXPECT_NEAR(world.state(b).position.x, 1 + 1 / (2 * kPi), 1e-9);
    run_for(world, 0.35); // comes back with its speed
    EXPECT_NEAR(world.state(b).velocity.x, -1, 1e-9);
}

TEST(FaithfulJoints, AWinchStopsAtItsLimit) {
    World world(faithful({}));
    const BodyId b = world.add_body(free_body({1, 0, 0}, 2, {1, 1, 1})).value();
    const JointId winch =
        world
            .add_joint(
                {.b = b, .kind = DistanceJoint{.anchor_b = {1, 0, 0}, .range = Range{0.5, 1}}})
            .value();
    world.set_motor(winch, MotorDef{.target_position = 0.2, .max_force = 3});
    run_for(world, 5);
    EXPECT_NEAR(angle(world, winch), 0.5, 1e-12);
    world.set_motor(winch, MotorDef{.target_velocity = 0.1, .max_force = 3});
    run_for(world, 2);
    EXPECT_NEAR(world.state(b).velocity.x, 0.1, 1e-11);
}

TEST(FaithfulJoints, AJointWithoutADegreeOfFreedomHasNoMotor) {
    World world(faithful());
    const BodyId b = world.add_body(rod()).value();
    const MotorDef motor{.target_velocity = 1};
    EXPECT_THROW(world.set_motor(world.add_joint({.b = b}).value(), motor), UsageError);
    EXPECT_THROW(world.set_motor(world.add_joint({.b = b, .kind = FixedJoint{}}).value(), motor),
                 UsageError);
}

TEST(FaithfulJoints, GearsKeepTheirRatio) {
    World world(faithful({}));
    const BodyId a = world.add_body(free_body({}, 1, {1, 1, 1})).value();
    const BodyId b = world.add_body(free_body({3, 0, 0}, 1, {3, 3, 3})).value();
    const JointId ha = world.add_joint({.b = a, .kind = HingeJoint{.axis = {0, 0, 1}}}).value();
    const JointId hb =
        world.add_joint({.b = b, .anchor = {3, 0, 0}, .kind = HingeJoint{.axis = {0, 0, 1}}})
            .value();
    world.add_joint({.kind = GearJoint{ha, hb, -2}}).value();
    for (int i = 0; i < 120; ++i) {
        world.apply_torque(a, {0, 0, 5});
        world.step(1.0 / 60);
    }
    const double acceleration = 5.0 / (1 + 4 * 3);
    EXPECT_NEAR(world.state(a).angular_velocity.z, 2 * acceleration, 1e-11);
    EXPECT_NEAR(world.state(b).angular_velocity.z, -4 * acceleration, 1e-11);
    EXPECT_NEAR(angle(world, hb), -2 * angle(world, ha), 1e-11);
}

struct Pair {
    World world{faithful()};
    BodyId a, b;

    explicit Pair(const JointKind& kind) {
        a = world.add_body(free_body({0, 0, 0}, 2, {0.4, 0.5, 0.7})).value();
        b = world.add_body(free_body({1, 0.2, 0.1}, 1, {0.1, 0.2, 0.25})).value();
        world.set_angular_velocity(a, {0.3, 1, -0.2});
        world.set_velocity(b, {0.1, 0, 0.4});
        world.add_joint({.a = a, .b = b, .anchor = {0.5, 0, 0}, .kind = kind}).value();
        run_for(world, 1);
    }
    double distance(const Pair& o) const {
        return length(world.state(b).position - o.world.state(o.b).position) +
               length(world.state(a).position - o.world.state(o.a).position) +
               length(world.state(b).angular_velocity - o.world.state(o.b).angular_velocity);
    }
};

constexpr Range kLocked{0, 0};

TEST(FaithfulJoints, SixDofAndConeTwistHaveTheOthersAsSpecialCases) {
    const Vec3d axis{1, 0, 0};
    const Pair ball(BallJoint{}), hinge(HingeJoint{.axis = axis}), fixed(FixedJoint{}),
        slider(SliderJoint{.axis = axis});
    const auto six = [](Range tx, Range ty, Range tz, Range rx, Range ry, Range rz) {
        return Pair(SixDofJoint{.axes = {tx, ty, tz, rx, ry, rz}});
    };
    EXPECT_LT(six(kLocked, kLocked, kLocked, {}, {}, {}).distance(ball), 1e-10);
    EXPECT_LT(six(kLocked, kLocked, kLocked, {}, kLocked, kLocked).distance(hinge), 1e-10);
    EXPECT_LT(six({}, kLocked, kLocked, kLocked, kLocked, kLocked).distance(slider), 1e-10);
    EXPECT_LT(six(kLocked, kLocked, kLocked, kLocked, kLocked, kLocked).distance(fixed), 1e-10);
    EXPECT_LT(Pair(ConeTwistJoint{.axis = axis, .cone = kPi, .twist = {}}).distance(ball), 1e-10);
    EXPECT_LT(Pair(ConeTwistJoint{.axis = axis, .cone = 0, .twist = {}}).distance(hinge), 1e-10);
    EXPECT_LT(Pair(ConeTwistJoint{.axis = axis, .cone = 0, .twist = kLocked}).distance(fixed),
              1e-10);
    EXPECT_GT(hinge.distance(ball), 1e-3); // the cases do differ
}

// An axis that leaves its cone slides along it: a pendulum that was let go inside.
TEST(FaithfulJoints, AConeHoldsItsAxisInside) {
    World world(faithful());
    const BodyId b = world.add_body(rod()).value();
    world.add_joint({.b = b, .kind = ConeTwistJoint{.axis = {1, 0, 0}, .cone = 0.4, .twist = {}}})
        .value();
    world.set_angular_velocity(b, {0, 0, 1});
    double widest = 0;
    for (int i = 0; i < 120; ++i) {
        world.step(1.0 / 60);
        const Vec3d axis = rotate(world.state(b).orientation, Vec3d{1, 0, 0});
        widest = std::max(widest, std::acos(std::min(axis.x, 1.0)));
    }
    EXPECT_NEAR(widest, 0.4, 1e-9);
}

TEST(FaithfulJoints, BoundedRotationsStopAtTheRotationVector) {
    World world(faithful({}));
    const BodyId b = world.add_body(free_body({}, 1, {1, 2, 1.5})).value();
    world
        .add_joint({.b = b,
                    .kind = SixDofJoint{.axes = {kLocked, kLocked, kLocked, Range{-0.5, 0.5},
                                                 Range{-0.6, 0.6}, Range{-0.7, 0.7}}}})
        .value();
    world.set_angular_velocity(b, {1, 0.7, -0.8});
    for (int i = 0; i < 240; ++i) {
        world.step(1.0 / 60);
        const Vec3d turned = to_rotation_vector(world.state(b).orientation);
        ASSERT_LT(std::abs(turned.x), 0.5 + 1e-9);
        ASSERT_LT(std::abs(turned.y), 0.6 + 1e-9);
        ASSERT_LT(std::abs(turned.z), 0.7 + 1e-9);
    }
    EXPECT_LT(length(world.state(b).angular_velocity), 1);
}

TEST(FaithfulJoints, AJointBreaksWhenItsForceReachesTheBound) {
    World world(faithful());
    const BodyId b = world.add_body(free_body({1, 0, 0}, 1, {1e-6, 1e-6, 1e-6})).value();
    // A pendulum let go level: m g (1 + 2) at the lowest point; 2 m g at sin = 2/3 of the way down.
    const JointId joint =
        world.add_joint({.b = b, .kind = BallJoint{}, .break_force = 2 * kG}).value();
    bool broken = false;
    for (int i = 0; i < 120 && !broken; ++i) {
        world.step(1.0 / 600);
        broken = !world.events().broken.empty();
    }
    for (int i = 0; i < 600 && !broken; ++i) {
        world.step(1.0 / 600);
        broken = !world.events().broken.empty();
    }
    ASSERT_TRUE(broken);
    EXPECT_FALSE(world.is_valid(joint));
    EXPECT_NEAR(world.state(b).position.z, -2.0 / 3, 5e-3);
}

TEST(FaithfulJoints, APositionMotorReachesItsTarget) {
    auto [world, b, hinge] = HingedRod({.motor = MotorDef{.target_position = -0.5}});
    run_for(world, 3);
    EXPECT_NEAR(angle(world, hinge), -0.5, 2e-3);
    EXPECT_NEAR(length(world.state(b).angular_velocity), 0, 1e-9);
}

} // namespace
} // namespace rigor
