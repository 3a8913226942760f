// Joints of the fast pipeline, against what a textbook says of them. All at 60 Hz with 4 substeps.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fast_settings.h"
#include "rigor/rotation.h"
#include "rigor/world.h"

namespace rigor {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kDt = test::kStep;
constexpr double kG = 9.81;

class Joints : public testing::Test {
  protected:
    /// A ball without a shape: only its mass counts.
    BodyId add_mass(const Vec3d& at, double mass = 1, double inertia = 0.1) {
        return add_mass(at, mass, Vec3d{inertia, inertia, inertia});
    }
    BodyId add_mass(const Vec3d& at, double mass, const Vec3d& inertia) {
        BodyDef def;
        def.type = BodyType::dynamic_body;
        def.position = at;
        def.mass_properties = MassProperties{mass, {}, Sym3d::diagonal(inertia)};
        return world.add_body(def).value();
    }
    JointId join(const JointKind& kind, BodyId a, BodyId b, const Vec3d& anchor) {
        return add({.a = a, .b = b, .anchor = anchor, .kind = kind});
    }
    JointId add(const JointDef& def) { return world.add_joint(def).value(); }
    /// A kind that locks all six degrees of freedom.
    static SixDofJoint locked() {
        SixDofJoint kind;
        kind.axes.fill(Range{0, 0});
        return kind;
    }
    void run(double seconds) {
        for (int i = 0; i < std::lround(seconds / kDt); ++i) world.step(kDt);
    }
    void no_gravity() {
        WorldSettings settings = world.settings();
        settings.gravity = {};
        world.set_settings(settings);
    }

    World world{test::fast_settings()};
};

TEST_F(Joints, APendulumSwingsThroughNinetyDegreesInItsOwnTime) {
    // A physical pendulum: T0 = 2 pi sqrt(I/(m g d)), longer by the complete elliptic integral.
    const BodyId bob = add_mass({1, 0, 0});
    const JointId pin = join(HingeJoint{{0, 1, 0}}, {}, bob, {0, 0, 0});
    const double start = world.energy().total();
    double first = 0, last = 0, before = -kPi / 2;
    int crossings = 0;
    for (int i = 0; i < 60 * 30; ++i) {
        world.step(kDt);
        const double now = world.joint_state(pin).coordinate - kPi / 2;
        if ((now > 0) != (before > 0)) {
            last = world.time() - kDt * now / (now - before);
            if (crossings++ == 0) first = last;
        }
        before = now;
    }
    const double period = 2 * (last - first) / (crossings - 1);
    EXPECT_NEAR(period / (2 * kPi * std::sqrt(1.1 / kG)), 1.18034059902, 5e-4);
    EXPECT_NEAR(world.energy().total(), start, 0.005 * kG);
    EXPECT_LT(world.joint_state(pin).error, 2e-4);
}

TEST_F(Joints, ADoublePendulumIsWhereItMustBeAfterASecond) {
    const BodyId upper = add_mass({1, 0, 0}, 1, 1e-4), lower = add_mass({2, 0, 0}, 1, 1e-4);
    join(HingeJoint{{0, 1, 0}}, {}, upper, {0, 0, 0});
    join(HingeJoint{{0, 1, 0}}, upper, lower, {1, 0, 0});
    run(1);
    const Vec3d p = world.state(upper).position, q = world.state(lower).position - p;
    EXPECT_NEAR(std::atan2(p.x, -p.z), -0.625087699806, 2e-3);
    EXPECT_NEAR(std::atan2(q.x, -q.z), -1.034585085680, 2e-3);
}

TEST_F(Joints, AHeavyTopNutates) {
    // From rest at 30 degrees it sinks to 33.635 degrees and comes back in 0.2318 s.
    const Quatd q = from_axis_angle(Vec3d{0, 1, 0}, kPi / 6);
    BodyDef def;
    def.type = BodyType::dynamic_body;
    def.orientation = q;
    def.position = rotate(q, Vec3d{0, 0, 0.1});
    def.angular_velocity = rotate(q, Vec3d{0, 0, 150});
    def.mass_properties = MassProperties{1, {}, Sym3d::diagonal({.01, .01, .004})};
    const BodyId top = world.add_body(def).value();
    join(BallJoint{}, {}, top, {0, 0, 0});
    const double start = world.energy().total();
    double largest = 0;
    for (int i = 0; i < 240; ++i) {
        world.step(kDt);
        const Vec3d p = world.state(top).position;
        largest = std::max(largest, std::acos(p.z / length(p)));
    }
    EXPECT_NEAR(largest * 180 / kPi, 33.63492819, 0.3);
    EXPECT_NEAR(world.energy().total(), start, 2e-3 * start);
}

TEST_F(Joints, AFreeChainKeepsItsMomentum) {
    no_gravity();
    BodyId last;
    for (int i = 0; i < 6; ++i) {
        const BodyId body = add_mass({0.5 * i, 0, 0}, 1, {0.02, 0.05, 0.04});
        if (i > 0) join(BallJoint{}, last, body, {0.5 * i - 0.25, 0, 0});
        last = body;
    }
    world.set_velocity(last, {1, 2, 3});
    world.set_angular_velocity(last, {3, -1, 2});
    world.step(kDt);
    const Momentum start = world.momentum();
    const double energy = world.energy().kinetic;
    run(5);
    EXPECT_LT(length(world.momentum().linear - start.linear), 1e-4);
    EXPECT_LT(length(world.momentum().angular - start.angular), 2e-3 * length(start.angular));
    EXPECT_NEAR(world.energy().kinetic, energy, 0.02 * energy);
    for (const JointId joint : world.joints()) EXPECT_LT(world.joint_state(joint).error, 2e-4);
}

TEST_F(Joints, ASpringSwingsAtItsFrequency) {
    // A slider with a spring of 2 Hz and a fifth of critical damping: the swing falls by
    // exp(-zeta w t) and turns round every half period of w sqrt(1 - zeta²).
    no_gravity();
    const BodyId body = add_mass({0, 0, 0});
    const JointId slider =
        add({.b = body, .kind = SliderJoint{{1, 0, 0}}, .spring = SpringDef{2, 0.2}});
    world.set_pose(body, {{0.1, 0, 0}, {}});
    const double omega = 4 * kPi, damped = omega * std::sqrt(1 - 0.04);
    double least = 0, when = 0;
    for (int i = 0; i < 30; ++i) {
        world.step(kDt);
        const double x = world.joint_state(slider).coordinate;
        if (x < least) least = x, when = world.time();
    }
    EXPECT_NEAR(when, kPi / damped, 1.5 * kDt);
    EXPECT_NEAR(least, -0.1 * std::exp(-0.2 * omega * kPi / damped), 0.008);
    EXPECT_LT(world.joint_state(slider).error, 1e-6);
}

TEST_F(Joints, AMotorPushesNoHarderThanItMay) {
    no_gravity();
    const BodyId body = add_mass({0, 0, 0}, 2);
    const MotorDef motor{.target_velocity = 3, .max_force = 4};
    const JointId slider = join(SliderJoint{.axis = {0, 1, 0}, .motor = motor}, {}, body, {});
    run(1); // 4 N on 2 kg: 2 m/s after a second
    EXPECT_NEAR(world.state(body).velocity.y, 2, 1e-3);
    EXPECT_NEAR(length(world.joint_state(slider).force), 4, 1e-3);
    run(1); // 3 m/s and no faster
    EXPECT_NEAR(world.state(body).velocity.y, 3, 1e-3);
    EXPECT_NEAR(length(world.joint_state(slider).force), 0, 1e-3);
}

TEST_F(Joints, AMotorGoesToItsPlaceAgainstGravity) {
    const BodyId arm = add_mass({1, 0, 0});
    const MotorDef motor{.target_position = 0.5, .max_force = 1000};
    const JointId hinge = add({.b = arm,
                               .kind = HingeJoint{.axis = {0, -1, 0}, .motor = motor},
                               .spring = SpringDef{5, 1}});
    run(3);
    // A spring gives way: by the torque over the stiffness, m g d cos / (I w²).
    const double sag = kG * std::cos(0.5) / (1.1 * std::pow(10 * kPi, 2));
    EXPECT_NEAR(world.joint_state(hinge).coordinate, 0.5 - sag, 2e-3);
    EXPECT_LT(length(world.state(arm).velocity), 1e-3);
}

TEST_F(Joints, AHingeTurnsAsOftenAsItsMotorSays) {
    no_gravity();
    const BodyId wheel = add_mass({0, 0, 0});
    const JointId hinge =
        join(HingeJoint{.motor = MotorDef{.target_velocity = 4 * kPi}}, {}, wheel, {});
    run(5);
    EXPECT_NEAR(world.joint_state(hinge).coordinate, 20 * kPi, 0.1); // ten turns
}

TEST_F(Joints, LimitsStopAHinge) {
    const BodyId door = add_mass({1, 0, 0});
    const Vec3d axis{0, 1, 0}; // falling turns it the positive way
    const JointId hinge = join(HingeJoint{.axis = axis, .limits = Range{-0.2, 0.6}}, {}, door, {});
    run(3);
    EXPECT_NEAR(world.joint_state(hinge).coordinate, 0.6, 2e-3);
    EXPECT_LT(length(world.state(door).angular_velocity), 1e-3);
    world.set_limits(hinge, {-0.2, 0.2});
    run(3);
    EXPECT_NEAR(world.joint_state(hinge).coordinate, 0.2, 2e-3);
}

TEST_F(Joints, DryFrictionHoldsASliderUntilItIsPushedHarder) {
    no_gravity();
    const BodyId body = add_mass({0, 0, 0});
    add({.b = body, .kind = SliderJoint{{1, 0, 0}}, .friction = 2});
    for (int i = 0; i < 60; ++i) world.apply_force(body, {1.9, 5, 0}), world.step(kDt);
    EXPECT_LT(length(world.state(body).velocity), 1e-5);
    for (int i = 0; i < 60; ++i) world.apply_force(body, {3, 5, 0}), world.step(kDt);
    EXPECT_NEAR(world.state(body).velocity.x, 1, 1e-3); // 3 - 2 newtons on a kilogram
}

TEST_F(Joints, ACantileverCarriesItsWeight) {
    const BodyId beam = add_mass({1.5, 0, 0}, 2, {0.1, 1, 1});
    const JointId wall = join(FixedJoint{}, {}, beam, {0, 0, 0});
    run(2);
    const JointState state = world.joint_state(wall);
    EXPECT_NEAR(state.force.z, 2 * kG, 1e-2);         // up, on the beam
    EXPECT_NEAR(state.torque.y, -2 * kG * 1.5, 5e-2); // about -y: against the fall
    EXPECT_LT(state.error, 1e-4);
}

TEST_F(Joints, ABreakingJointBreaksAtItsForce) {
    const BodyId light = add_mass({0, 0, -1}, 1), heavy = add_mass({5, 0, -1}, 3);
    JointDef def{.name = "hook", .b = light, .kind = BallJoint{}, .break_force = 2 * kG};
    const JointId holds = add(def);
    def.b = heavy;
    def.anchor = {5, 0, 0};
    const JointId breaks = add(def);
    std::vector<JointId> broken;
    for (int i = 0; i < 30; ++i) {
        const StepReport report = world.step(kDt);
        broken.insert(broken.end(), report.broken.begin(), report.broken.end());
    }
    EXPECT_TRUE(world.is_valid(holds));
    EXPECT_FALSE(world.is_valid(breaks));
    EXPECT_EQ(broken, std::vector{breaks});
    EXPECT_LT(world.state(heavy).position.z, -1.5); // it falls
}

TEST_F(Joints, ARopeIsTautOrSlack) {
    const BodyId ball = add_mass({0, 0, -0.5});
    const JointId rope =
        join(DistanceJoint{.anchor_b = {0, 0, -0.5}, .range = Range{0, 1}}, {}, ball, {0, 0, 0});
    run(0.25); // free fall by 0.31 m
    EXPECT_NEAR(world.state(ball).position.z, -0.5 - 0.5 * kG * 0.25 * 0.25, 0.02);
    EXPECT_EQ(length(world.joint_state(rope).force), 0);
    run(3);
    EXPECT_NEAR(world.state(ball).position.z, -1, 1e-3);
    EXPECT_NEAR(world.joint_state(rope).force.z, kG, 0.02);
}

TEST_F(Joints, ARodKeepsItsLengthWhileItSwings) {
    const BodyId ball = add_mass({1, 0, 0}, 1, 1e-3);
    const JointId rod = join(DistanceJoint{.anchor_b = {1, 0, 0}}, {}, ball, {0, 0, 0});
    const double start = world.energy().total();
    double worst = 0;
    for (int i = 0; i < 600; ++i) {
        world.step(kDt);
        worst = std::max(worst, world.joint_state(rod).error);
    }
    EXPECT_LT(worst, 5e-4);
    EXPECT_NEAR(world.energy().total(), start, 0.01 * kG);
}

TEST_F(Joints, AShoulderStaysInItsCone) {
    const BodyId arm = add_mass({0, 0, 1}, 1, 0.05);
    join(ConeTwistJoint{.cone = 0.5, .twist = {-0.3, 0.3}}, {}, arm, {0, 0, 0});
    world.set_velocity(arm, {0.3, 0.1, 0});
    world.set_angular_velocity(arm, {-0.1, 0.3, 4});
    double swing = 0, twist = 0;
    for (int i = 0; i < 300; ++i) {
        world.step(kDt);
        const Quatd q = world.state(arm).orientation;
        const Vec3d axis = rotate(q, Vec3d{0, 0, 1});
        swing = std::max(swing, std::acos(std::min(1.0, axis.z)));
        twist = std::max(twist, std::abs(2 * std::atan2(q.z, q.w)));
    }
    EXPECT_NEAR(swing, 0.5, 0.02); // it falls against the cone
    EXPECT_LT(twist, 0.32);
}

TEST_F(Joints, SixFreedomsMakeOtherJoints) {
    // Locked but for one turn it is a hinge: same pendulum as above.
    const BodyId bob = add_mass({1, 0, 0}), other = add_mass({6, 0, 0});
    join(HingeJoint{{0, 1, 0}}, {}, bob, {0, 0, 0});
    SixDofJoint kind = locked();
    kind.axes[4] = Range{};
    join(kind, {}, other, {5, 0, 0});
    run(2);
    EXPECT_LT(length(world.state(other).position - world.state(bob).position - Vec3d{5, 0, 0}),
              1e-3);
}

TEST_F(Joints, SixFreedomsKeepTheirBounds) {
    const BodyId body = add_mass({0, 0, 0});
    SixDofJoint kind = locked();
    kind.axes[2] = Range{-0.5, 0.5};
    kind.axes[0] = Range{};
    join(kind, {}, body, {});
    world.set_velocity(body, {1, 0, 0});
    run(2);
    EXPECT_NEAR(world.state(body).position.x, 2, 1e-3);    // free
    EXPECT_NEAR(world.state(body).position.y, 0, 1e-5);    // locked
    EXPECT_NEAR(world.state(body).position.z, -0.5, 2e-3); // at its end
}

TEST_F(Joints, AUniversalJointPassesTurningOn) {
    // rx of b is locked to a's about crossing axes: a shaft bent by 30 degrees turns as often.
    no_gravity();
    const BodyId in = add_mass({0, 0, 0}), out = add_mass({1, 0, 0});
    const MotorDef motor{.target_velocity = 2 * kPi};
    join(HingeJoint{.axis = {1, 0, 0}, .motor = motor}, {}, in, {0, 0, 0});
    SixDofJoint universal = locked();
    universal.axes[4] = universal.axes[5] = Range{};
    join(universal, in, out, {0.5, 0, 0});
    const JointId outgoing =
        join(HingeJoint{{std::cos(kPi / 6), std::sin(kPi / 6), 0}}, {}, out, {0.5, 0, 0});
    run(3);
    EXPECT_NEAR(world.joint_state(outgoing).coordinate, 6 * kPi, 0.15);
}

TEST_F(Joints, AWheelRollsSteersAndSprings) {
    const BodyId car = add_mass({0, 0, 1}, 1e4, 1e4), wheel = add_mass({0, 1, 0.5}, 1, 0.1);
    join(FixedJoint{}, {}, car, {0, 0, 1});
    const WheelJoint kind{
        .axis = {0, 1, 0}, .steer_axis = {0, 0, 1}, .motor = MotorDef{.target_velocity = 10}};
    const JointId joint = add(
        {.a = car, .b = wheel, .anchor = {0, 1, 0.5}, .kind = kind, .spring = SpringDef{1, 0.7}});
    run(5);
    // It hangs from its spring: by g/w².
    EXPECT_NEAR(world.joint_state(joint).coordinate, -kG / (4 * kPi * kPi), 5e-3);
    EXPECT_NEAR(dot(world.state(wheel).angular_velocity, Vec3d{0, 1, 0}), 10, 1e-2);
    world.set_steer(joint, 0.4);
    run(1);
    EXPECT_NEAR(dot(world.state(wheel).angular_velocity, Vec3d{-std::sin(0.4), std::cos(0.4), 0}),
                10, 1e-2);
}

TEST_F(Joints, AGearTurnsTheOtherWheel) {
    no_gravity();
    const BodyId small = add_mass({0, 0, 0}, 1, 0.1), large = add_mass({3, 0, 0}, 1, 0.4);
    const JointId first = join(HingeJoint{}, {}, small, {0, 0, 0});
    const JointId second = join(HingeJoint{}, {}, large, {3, 0, 0});
    add({.kind = GearJoint{.a = first, .b = second, .ratio = -0.5}});
    world.set_angular_velocity(small, {0, 0, 6});
    run(3);
    // 0.1 w - 0.5 J/.. : the impulse J at the small one is shared: w = 6 I1/(I1 + r² I2).
    const double w = 6 * 0.1 / (0.1 + 0.25 * 0.4);
    EXPECT_NEAR(world.state(small).angular_velocity.z, w, 1e-3);
    EXPECT_NEAR(world.state(large).angular_velocity.z, -0.5 * w, 1e-3);
    EXPECT_NEAR(world.joint_state(second).coordinate, -0.5 * world.joint_state(first).coordinate,
                1e-3);
    world.remove_joint(first);
    EXPECT_EQ(world.joint_count(), 1u); // the gear went with it
}

TEST(JointsOf, TheJoinedDoNotCollideUnlessAsked) {
    const auto depth_after = [](bool collide) {
        World world(test::fast_settings());
        BodyDef def;
        def.type = BodyType::dynamic_body;
        ShapeDef box;
        box.geometry = BoxDef{{1, 1, 1}};
        def.shapes = {box};
        const BodyId a = world.add_body(def).value();
        def.position = {0.9, 0, 0};
        const BodyId b = world.add_body(def).value();
        const SliderJoint slider{{1, 0, 0}};
        const JointId id =
            world.add_joint({.a = a, .b = b, .kind = slider, .collide = collide}).value();
        for (int i = 0; i < 30; ++i) world.step(kDt);
        const double kept = world.joint_state(id).coordinate;
        world.remove_joint(id);
        for (int i = 0; i < 30; ++i) world.step(kDt);
        return std::pair(kept, world.state(b).position.x - world.state(a).position.x);
    };
    const auto [kept, parted] = depth_after(false);
    EXPECT_NEAR(kept, 0, 1e-6);
    EXPECT_GT(parted, 0.98); // without the joint they meet, and part
    EXPECT_GT(depth_after(true).first, 0.08);
}

TEST(JointsOf, AnyThreadsAndLanesAreTheSame) {
    const auto hash_with = [](int threads, int lanes) {
        WorldSettings settings = test::fast_settings();
        settings.threads = threads;
        settings.lanes = lanes;
        World world(settings);
        for (int chain = 0; chain < 12; ++chain) {
            BodyId last;
            for (int i = 0; i < 9; ++i) {
                BodyDef def;
                def.type = BodyType::dynamic_body;
                def.position = {0.5 + i, 2.0 * chain, 0};
                ShapeDef box;
                box.geometry = BoxDef{{0.8, 0.3, 0.2}};
                def.shapes = {box};
                const BodyId body = world.add_body(def).value();
                const Vec3d anchor{1.0 * i, 2.0 * chain, 0}, axis{0, 1, 0};
                const JointKind kinds[] = {BallJoint{},
                                           HingeJoint{axis},
                                           SliderJoint{axis},
                                           FixedJoint{},
                                           DistanceJoint{.anchor_b = {i + 0.3, 2.0 * chain, 0}},
                                           ConeTwistJoint{axis, 0.4, {-0.2, 0.2}}};
                const JointKind& kind = kinds[(chain + i) % 6];
                EXPECT_TRUE(
                    world.add_joint({.a = last, .b = body, .anchor = anchor, .kind = kind}));
                last = body;
            }
        }
        for (int i = 0; i < 120; ++i) world.step(kDt);
        return world.state_hash();
    };
    const std::uint64_t reference = hash_with(1, 1);
    for (const int threads : {1, 2, 3, 8})
        for (const int lanes : {1, 4, 8}) EXPECT_EQ(hash_with(threads, lanes), reference);
}

TEST_F(Joints, GoOnFromASnapshotExactly) {
    const BodyId a = add_mass({1, 0, 0}), b = add_mass({2, 0, 0});
    join(BallJoint{}, {}, a, {0, 0, 0});
    join(HingeJoint{{0, 1, 0}}, a, b, {1.5, 0, 0});
    run(1);
    const Snapshot then = world.snapshot();
    run(1);
    const std::uint64_t hash = world.state_hash();
    world.restore(then);
    run(1);
    EXPECT_EQ(world.state_hash(), hash);
}

TEST_F(Joints, GoWithTheirBodies) {
    const BodyId a = add_mass({1, 0, 0}), b = add_mass({2, 0, 0});
    join(BallJoint{}, {}, a, {0, 0, 0});
    const JointId between = join(BallJoint{}, a, b, {1.5, 0, 0});
    EXPECT_EQ(world.joints(a).size(), 2u);
    world.remove_body(b);
    EXPECT_FALSE(world.is_valid(between));
    EXPECT_EQ(world.joint_count(), 1u);
    EXPECT_THROW(world.joint_state(between), UsageError);
    run(0.1);
}

TEST_F(Joints, SayWhatIsWrongWithThem) {
    const BodyId a = add_mass({1, 0, 0});
    const auto message = [&](const JointDef& def) {
        const Result<JointId> result = world.add_joint(def);
        return result ? std::string("made") : result.error().where + " " + result.error().message;
    };
    JointDef def;
    def.a = a;
    def.b = a;
    EXPECT_EQ(message(def), "b must be another body than a");
    def.b = {};
    const auto message_of = [&](const JointKind& kind) {
        def.kind = kind;
        return message(def);
    };
    EXPECT_EQ(message_of(HingeJoint{{0, 0, 2}}),
              "axis must be a unit vector within 1e-3, got length 2");
    EXPECT_EQ(message_of(HingeJoint{.limits = Range{1, -1}}), "limits must ascend, got [1, -1]");
    EXPECT_EQ(message_of(SliderJoint{.motor = MotorDef{}}),
              "motor must have either a target velocity or a target position");
    EXPECT_EQ(message_of(DistanceJoint{.range = Range{2, 1}}), "range must ascend, got [2, 1]");
    EXPECT_EQ(message_of(DistanceJoint{.range = Range{-1, 1}}),
              "range must not be negative, got -1");
    EXPECT_EQ(message_of(ConeTwistJoint{.cone = 4}), "cone must be in [0, pi], got 4");
    EXPECT_EQ(message_of(SixDofJoint{.frame = {2, 0, 0, 0}}),
              "frame must be a unit quaternion within 1e-3, got length 2");
    EXPECT_EQ(message_of(WheelJoint{}), "axis must not be parallel to steer_axis");
    EXPECT_EQ(message_of(GearJoint{.a = {0, 1}}), "gear.a must be a joint of this world");
    EXPECT_EQ(message_of(GearJoint{}), "gear.b must be another joint than gear.a");
    EXPECT_EQ(message_of(TrackJoint{}), "curve must have at least 2 points, got 0");
    EXPECT_EQ(message_of(TrackJoint{.curve = {{0, 0, 0}, {1, 0, 0}}, .limits = Range{2, 3}}),
              "limits must lie on the track, from 0 to 1 m, got [2, 3]");
    def.kind = HingeJoint{};
    def.spring = SpringDef{-1, 0};
    EXPECT_EQ(message(def), "spring.frequency_hz must be positive and finite, got -1");
    EXPECT_EQ(world.joint_count(), 0u);
}

} // namespace
} // namespace rigor
