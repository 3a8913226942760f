// Groups of joints that are solved directly: how they are eliminated, and mechanisms that sweeps
// over joints do not solve. At 60 Hz with 4 substeps unless a test says otherwise.

#include <gtest/gtest.h>

#include <cmath>

#include "fast/elimination_plan.h"
#include "fast_settings.h"
#include "rigor/rotation.h"
#include "rigor/world.h"

namespace rigor {
namespace {

using fast::EliminationPlan;
using fast::LinkedJoint;

EliminationPlan plan_of(const std::vector<std::pair<int, int>>& bodies, std::uint8_t rows = 3) {
    EliminationPlan plan;
    const auto body = [](int i) {
        return i < 0 ? LinkedJoint::kNoBody : static_cast<std::uint16_t>(i);
    };
    for (const auto& [a, b] : bodies) plan.joints.push_back({0, body(a), body(b), rows, false});
    make_plan(plan);
    return plan;
}

TEST(EliminationPlan, HasNoFillAlongAChainOrATree) {
    const EliminationPlan chain = plan_of({{-1, 0}, {0, 1}, {1, 2}, {2, 3}, {3, 4}});
    EXPECT_TRUE(chain.pays);
    EXPECT_FALSE(chain.has_loop);
    EXPECT_EQ(chain.blocks.size(), 4u);
    const EliminationPlan tree = plan_of({{-1, 0}, {0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}});
    EXPECT_TRUE(tree.pays);
    EXPECT_FALSE(tree.has_loop);
    // Joints at one body are all coupled: {01 02 -10} and {01 13 14} are triangles, 02-25 an edge.
    EXPECT_EQ(tree.blocks.size(), 3u + 3u + 1u);
    EXPECT_TRUE(plan_of({{-1, 0}, {0, 1}, {1, -1}}).has_loop);
}

TEST(EliminationPlan, LeavesToSweepsWhatWouldFillUp) {
    std::vector<std::pair<int, int>> net;
    for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 7; ++j) {
            if (i < 6) net.push_back({7 * i + j, 7 * i + j + 7});
            if (j < 6) net.push_back({7 * i + j, 7 * i + j + 1});
        }
    EXPECT_FALSE(plan_of(net).pays);
    EXPECT_FALSE(plan_of({{-1, 0}}).pays); // a single joint is solved exactly anyway
    EXPECT_FALSE(plan_of({{-1, 0}, {0, 1}}, 0).pays);
}

class JointSystems : public testing::Test {
  protected:
    static constexpr double kG = 9.81;
    static constexpr Vec3d kAxle{0, 1, 0};

    BodyId add_mass(World& world, const Vec3d& at, double mass, const Vec3d& inertia) {
        BodyDef def;
        def.type = BodyType::dynamic_body;
        def.position = at;
        def.mass_properties = MassProperties{mass, {}, Sym3d::diagonal(inertia)};
        return world.add_body(def).value();
    }
    BodyId add_ball(World& world, const Vec3d& at, double mass) {
        const double inertia = 0.01 * mass;
        return add_mass(world, at, mass, {inertia, inertia, inertia});
    }
    static JointId join(World& world, const JointKind& kind, BodyId a, BodyId b,
                        const Vec3d& anchor) {
        return world.add_joint({.a = a, .b = b, .anchor = anchor, .kind = kind}).value();
    }
    static void run(World& world, double seconds, double step = test::kStep) {
        for (int i = 0; i < std::lround(seconds / step); ++i) world.step(step);
    }
    static double largest_error(const World& world, const std::vector<JointId>& joints) {
        double largest = 0;
        for (const JointId id : joints) largest = std::max(largest, world.joint_state(id).error);
        return largest;
    }
    static World without_gravity() {
        WorldSettings settings = test::fast_settings();
        settings.gravity = {};
        return World(settings);
    }
    /// A chain of equal links along x that swings down, with a load at its end.
    std::vector<JointId> add_rope(World& world, int links, double load) {
        std::vector<JointId> joints;
        BodyId last;
        for (int i = 0; i <= links; ++i) {
            const bool is_load = i == links;
            const BodyId body = is_load ? add_ball(world, {double(i), 0, 0}, load)
                                        : add_mass(world, {i + 0.5, 0, 0}, 1, {0.02, 0.08, 0.08});
            joints.push_back(join(world, BallJoint{}, last, body, {double(i), 0, 0}));
            last = body;
        }
        last_ = last;
        return joints;
    }

    BodyId last_; ///< of the last rope: its load
};

TEST_F(JointSystems, ARopeHoldsAThousandTimesTheMassOfALink) {
    for (const double load : {1.0, 30.0, 1000.0}) {
        World world{test::fast_settings()};
        const std::vector<JointId> rope = add_rope(world, 10, load);
        double error = 0;
        const double start = world.energy().total();
        for (int i = 0; i < 1200; ++i) {
            world.step(test::kStep / 4);
            error = std::max(error, largest_error(world, rope));
        }
        EXPECT_LT(error, 1e-3) << load;
        EXPECT_LT(std::abs(world.energy().total() - start), 0.02 * kG * 10 * (load + 5)) << load;
    }
}

// Under too great a load for the step the links swing faster than substeps can follow. The rope may
// give way, but must not make energy.
TEST_F(JointSystems, ARopeThatIsLoadedTooMuchMakesNoEnergy) {
    for (const double load : {1000.0, 30000.0}) {
        World world{test::fast_settings()};
        add_rope(world, 10, load);
        const double start = world.energy().total();
        for (int i = 0; i < 300; ++i) {
            world.step(test::kStep);
            ASSERT_LT(world.energy().total() - start, 0.05 * kG * 10 * load) << load << " " << i;
        }
    }
}

TEST_F(JointSystems, ADoublePendulumOfAnyMassesKeepsItsEnergyAsTheStepShrinks) {
    for (const double ratio : {1e-3, 1.0, 1e3}) {
        double change[2];
        for (const int half : {0, 1}) {
            World world{test::fast_settings()};
            const BodyId upper = add_ball(world, {1, 0, 0}, 1);
            const BodyId lower = add_ball(world, {2, 0, 0}, ratio);
            join(world, HingeJoint{kAxle}, {}, upper, {0, 0, 0});
            join(world, HingeJoint{kAxle}, upper, lower, {1, 0, 0});
            const double start = world.energy().total();
            change[half] = 0;
            const double step = test::kStep / (1 + 3 * half);
            for (int i = 0; i < std::lround(4 / step); ++i) {
                world.step(step);
                change[half] = std::max(change[half], std::abs(world.energy().total() - start));
            }
            change[half] /= kG * (1 + 2 * ratio);
        }
        EXPECT_LT(change[0], 0.02) << ratio;
        constexpr double kRoundoff = 2e-5; // of velocities in float
        EXPECT_LT(change[1], std::max(change[0] / 4, kRoundoff)) << ratio;
    }
}

// Two cranks, two rods: two degrees of freedom and three redundant rows.
TEST_F(JointSystems, AFiveBarLinkageKeepsItsEnergy) {
    World world = without_gravity();
    const Vec3d left{0, 0, 0}, right{2, 0, 0}, up_left{-0.3, 0, 0.8}, up_right{2.3, 0, 0.8},
        top{1, 0, 1.6};
    const auto bar = [&](const Vec3d& from, const Vec3d& to, const Vec3d& rate) {
        const Vec3d middle = (from + to) * 0.5;
        const double l2 = length_squared(to - from);
        BodyDef def;
        def.type = BodyType::dynamic_body;
        def.position = middle;
        def.mass_properties = MassProperties{1, {}, Sym3d::diagonal({l2 / 12, l2 / 12, l2 / 12})};
        def.angular_velocity = rate;
        def.velocity = cross(rate, middle - left);
        return world.add_body(def).value();
    };
    // All but the left crank turn about the left pivot together: the joints must make it fit.
    const Vec3d rate{0, 1, 0};
    const BodyId a = bar(left, up_left, rate), b = bar(up_left, top, {}),
                 c = bar(top, up_right, {}), d = bar(up_right, right, {});
    const std::vector<JointId> joints{
        join(world, HingeJoint{kAxle}, {}, a, left), join(world, HingeJoint{kAxle}, a, b, up_left),
        join(world, HingeJoint{kAxle}, b, c, top), join(world, HingeJoint{kAxle}, c, d, up_right),
        join(world, HingeJoint{kAxle}, d, {}, right)};
    world.step(test::kStep);
    const double start = world.energy().kinetic;
    EXPECT_GT(start, 0.01);
    double worst = 0, error = 0;
    for (int i = 0; i < 1200; ++i) {
        world.step(test::kStep);
        worst = std::max(worst, std::abs(world.energy().kinetic / start - 1));
        error = std::max(error, largest_error(world, joints));
    }
    EXPECT_LT(worst, 0.02);
    EXPECT_LT(error, 1e-3);
}

// The second hinge of a door is not in line with the first: the loop cannot close.
TEST_F(JointSystems, ALoopThatDoesNotFitNeitherExplodesNorFallsApart) {
    for (const double off : {1e-5, 1e-4, 1e-3, 1e-2, 0.1}) {
        World world{test::fast_settings()};
        const BodyId door = add_mass(world, {0.5, 0, 1}, 20, {6, 7, 2});
        const BodyId leaf = add_mass(world, {1.2, 0, 1}, 2, {0.3, 0.3, 0.1});
        join(world, HingeJoint{{0, 0, 1}}, {}, door, {0, 0, 0.2});
        JointDef second{
            .b = door, .anchor = {0, 0, 1.8}, .kind = HingeJoint{normalize(Vec3d{off, 0, 1})}};
        world.add_joint(second).value();
        join(world, HingeJoint{{0, 0, 1}}, door, leaf, {1, 0, 1});
        run(world, 10);
        EXPECT_LT(length(world.state(door).angular_velocity), 2) << off;
        EXPECT_LT(length(world.state(door).velocity), 1) << off;
        EXPECT_LT(std::abs(world.state(door).position.z - 1), 0.02 + 0.5 * off) << off;
    }
}

TEST_F(JointSystems, AMotorTurnsACrankThatDrivesAPiston) {
    World world{test::fast_settings()};
    const BodyId crank = add_mass(world, {0.25, 0, 0}, 3, {0.1, 0.1, 0.1});
    const BodyId rod = add_mass(world, {1.25, 0, 0}, 2, {0.02, 0.5, 0.5});
    const BodyId piston = add_mass(world, {2, 0, 0}, 10, {0.3, 0.3, 0.3});
    HingeJoint driven{kAxle};
    driven.motor = MotorDef{.target_velocity = 3, .max_force = 2000};
    const JointId axle = join(world, driven, {}, crank, {0, 0, 0});
    join(world, HingeJoint{kAxle}, crank, rod, {0.5, 0, 0});
    join(world, HingeJoint{kAxle}, rod, piston, {2, 0, 0});
    join(world, SliderJoint{{1, 0, 0}}, {}, piston, {2, 0, 0});
    run(world, 2);
    double off = 0, uneven = 0;
    for (int i = 0; i < 300; ++i) {
        world.step(test::kStep);
        const double a = world.joint_state(axle).coordinate, r = 0.5, l = 1.5;
        const double x = r * std::cos(a) + std::sqrt(l * l - r * r * std::sin(a) * std::sin(a));
        off = std::max(off, std::abs(world.state(piston).position.x - x));
        uneven = std::max(uneven, std::abs(world.state(crank).angular_velocity.y - 3));
    }
    EXPECT_LT(off, 1e-3);
    EXPECT_LT(uneven, 0.05);
}

TEST_F(JointSystems, ALimitOfOneJointIsFeltByTheOthers) {
    // A hanging arm of three links whose elbow is at its limit: statics gives its torque.
    World world{test::fast_settings()};
    const BodyId upper = add_ball(world, {0, 0, -0.5}, 2), lower = add_ball(world, {0.5, 0, -1}, 1),
                 hand = add_ball(world, {1, 0, -1.2}, 1);
    join(world, HingeJoint{kAxle}, {}, upper, {0, 0, 0});
    HingeJoint elbow{kAxle};
    elbow.limits = Range{-0.01, 0.01};
    const JointId held = join(world, elbow, upper, lower, {0, 0, -1});
    const JointId wrist = join(world, BallJoint{}, lower, hand, {1, 0, -1});
    run(world, 120);
    // It goes on swinging; on average the wrist carries the hand.
    Vec3d mean;
    for (int i = 0; i < 1200; ++i) {
        world.step(test::kStep);
        mean += world.joint_state(wrist).force / 1200.0;
    }
    EXPECT_LT(length(world.state(hand).velocity), 3.0);
    EXPECT_NEAR(mean.z, kG, 0.1 * kG);
    EXPECT_LT(world.joint_state(held).error, 1e-3);
}

TEST_F(JointSystems, ARotorSpinsInTwoGimbals) {
    World world = without_gravity();
    const BodyId outer = add_mass(world, {0, 0, 0}, 1, {0.1, 0.12, 0.15}),
                 inner = add_mass(world, {0, 0, 0}, 1, {0.06, 0.07, 0.08});
    BodyDef def;
    def.type = BodyType::dynamic_body;
    def.mass_properties = MassProperties{2, {}, Sym3d::diagonal({0.02, 0.02, 0.04})};
    def.angular_velocity = {0, 0.3, 60};
    const BodyId rotor = world.add_body(def).value();
    const std::vector<JointId> joints{join(world, HingeJoint{{1, 0, 0}}, {}, outer, {}),
                                      join(world, HingeJoint{{0, 1, 0}}, outer, inner, {}),
                                      join(world, HingeJoint{{0, 0, 1}}, inner, rotor, {})};
    world.step(test::kStep);
    const double start = world.energy().kinetic;
    double worst = 0;
    for (int i = 0; i < 1200; ++i) {
        world.step(test::kStep);
        worst = std::max(worst, std::abs(world.energy().kinetic / start - 1));
    }
    EXPECT_LT(worst, 2e-3);
    EXPECT_LT(largest_error(world, joints), 1e-3);
}

TEST_F(JointSystems, ASliderOnASliderMovesInAPlane) {
    World world{test::fast_settings()};
    const BodyId first = add_ball(world, {0, 0, 0}, 1000), second = add_ball(world, {0, 0, 0.5}, 1);
    join(world, SliderJoint{{1, 0, 0}}, {}, first, {});
    join(world, SliderJoint{{0, 0, 1}}, first, second, {});
    world.set_velocity(first, {2, 0, 0});
    world.set_velocity(second, {2, 0, 0});
    run(world, 1);
    EXPECT_NEAR(world.state(first).position.x, 2, 1e-4);
    EXPECT_NEAR(world.state(second).position.x, 2, 1e-4);
    EXPECT_NEAR(world.state(second).position.z, 0.5 - 0.5 * kG, 1e-3 * kG);
    EXPECT_NEAR(world.state(second).position.y, 0, 1e-5);
}

TEST_F(JointSystems, AJointThatBreaksInALoopFreesTheRest) {
    World world{test::fast_settings()};
    const std::vector<JointId> rope = add_rope(world, 6, 5);
    JointDef weak{.b = last_, .anchor = {6, 0, 0}, .kind = BallJoint{}};
    weak.break_force = 30;
    world.add_joint(weak).value();
    run(world, 1.2);
    EXPECT_EQ(world.joint_count(), rope.size());
    EXPECT_LT(world.state(last_).position.z, -1);
    EXPECT_LT(largest_error(world, rope), 1e-3);
}

TEST_F(JointSystems, GiveTheSameBitsForAnyLanesThreadsAndAfterASnapshot) {
    const auto build = [&](int threads, int lanes) {
        WorldSettings settings = test::fast_settings();
        settings.threads = threads;
        settings.lanes = lanes;
        World world(settings);
        for (int k = 0; k < 11; ++k) { // alike and not, more than lanes
            BodyId last;
            for (int i = 0; i < 4 + k % 3; ++i) {
                const BodyId body =
                    add_mass(world, {i + 0.5, 3.0 * k, 0}, 1 + i * i, {0.1, 0.2, 0.25});
                const JointKind kind = i % 2 == 0 ? JointKind(HingeJoint{kAxle}) : BallJoint{};
                join(world, kind, last, body, {double(i), 3.0 * k, 0});
                last = body;
            }
            if (k % 4 == 0) join(world, BallJoint{}, last, {}, {4.0 + k % 3, 3.0 * k, 0});
        }
        return world;
    };
    World reference = build(1, 8);
    run(reference, 0.5);
    const Snapshot middle = reference.snapshot();
    run(reference, 0.5);
    const std::uint64_t expected = reference.state_hash();
    reference.restore(middle);
    run(reference, 0.5);
    EXPECT_EQ(reference.state_hash(), expected);
    for (const int threads : {1, 2, 3})
        for (const int lanes : {1, 4, 8}) {
            World world = build(threads, lanes);
            run(world, 1);
            EXPECT_EQ(world.state_hash(), expected) << threads << " " << lanes;
        }
}

// b of a gear is the second body of its first joint: here the wheel that a torque of 5 N m tries to
// turn, while the other is held.
TEST_F(JointSystems, TheLoadOfAGearCanBeReadAndBreaksIt) {
    for (const double strength : {11.0, 9.0}) {
        World world = without_gravity();
        const BodyId first = add_ball(world, {0, 0, 0}, 1), second = add_ball(world, {1, 0, 0}, 1);
        const JointId driving = join(world, HingeJoint{kAxle}, {}, first, {0, 0, 0});
        HingeJoint held{kAxle};
        held.motor = MotorDef{.target_velocity = 0, .max_force = 1e6};
        const JointId driven = join(world, held, {}, second, {1, 0, 0});
        JointDef def{.kind = GearJoint{driving, driven, -2}};
        def.break_torque = strength;
        const JointId gear = world.add_joint(def).value();
        for (int i = 0; i < 60; ++i) {
            world.apply_torque(first, {0, 10, 0});
            world.step(test::kStep);
        }
        EXPECT_EQ(world.joint_count(), strength > 10 ? 3u : 2u);
        if (strength > 10) {
            EXPECT_NEAR(world.joint_state(gear).torque.y, -10, 0.01);
            EXPECT_NEAR(length(world.joint_state(gear).force), 0, 1e-3);
        }
    }
}

} // namespace
} // namespace rigor
