// The ledger of `fast`: work is computed from impulses and velocities, so what the solver makes up
// is in the remainder. The kernels are compared with the change of energy in kernels_test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fast_settings.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor {
namespace {

using test::fast_settings;

/// The remainder after a time, in parts of the largest entry.
double remainder(World& world, double dt, double seconds) {
    for (int i = 0; i < std::lround(seconds / dt); ++i) world.step(dt);
    const Ledger l = world.ledger();
    const double largest =
        std::max({std::abs(l.gravity), std::abs(l.contact_normal), std::abs(l.contact_friction),
                  std::abs(l.impact), std::abs(l.joints), world.energy().kinetic});
    return std::abs(l.remainder) / largest;
}

BodyId add_ground(World& world) {
    BodyDef ground = test::with_material(test::body(BoxDef{{20, 20, 1}}, {0, 0, -0.5}), 0.6);
    ground.type = BodyType::static_body;
    return world.add_body(ground).value();
}

// The recovery of penetration lifts a box against gravity: that is work of its contacts. Without
// it the remainder would be all of it.
TEST(FastLedger, LiftingOutOfPenetrationIsWorkOfContacts) {
    World world(fast_settings());
    add_ground(world);
    const BodyId box = world.add_body(test::body(BoxDef{{1, 1, 1}}, {0, 0, 0.4})).value();
    for (int i = 0; i < 60; ++i) world.step(test::kStep);
    const double lift =
        world.mass_properties(box).mass * 9.81 * (world.state(box).position.z - 0.4);
    EXPECT_GT(lift, 500);
    EXPECT_NEAR(world.ledger().contact_normal, lift, 5e-3 * lift); // some is friction
    EXPECT_NEAR(world.ledger().remainder, 0, 1e-3 * lift);
}

// A lift that rises at 1 m/s works m g v t on what it carries.
TEST(FastLedger, ADrivenBodyWorksThroughItsContacts) {
    World world(fast_settings());
    BodyDef lift = test::body(BoxDef{{4, 4, 0.2}}, {0, 0, -0.1});
    lift.type = BodyType::kinematic_body;
    lift.velocity = {0, 0, 1};
    world.add_body(lift).value();
    BodyDef load = test::body(BoxDef{{1, 1, 1}}, {0, 0, 0.5});
    load.velocity = {0, 0, 1};
    const BodyId id = world.add_body(load).value();
    for (int i = 0; i < 120; ++i) world.step(test::kStep);
    const double work = world.mass_properties(id).mass * 9.81 * 2;
    EXPECT_NEAR(world.ledger().contact_normal, work, 2e-2 * work);
    EXPECT_NEAR(world.ledger().remainder, 0, 1e-2 * work);
}

/// A turntable at 3 rad/s, with what stands on it 1 m from its axis. Its material is that of both.
World turntable(const ShapeGeometry& shape, const Material& material, double height) {
    World world(fast_settings());
    const auto add = [&](const ShapeGeometry& geometry, const Vec3d& at, BodyType type) {
        BodyDef def = test::body(geometry, at);
        def.type = type;
        def.shapes[0].material = material;
        def.angular_velocity = {0, 0, 3};
        def.velocity = cross(def.angular_velocity, {at.x, at.y, 0});
        world.add_body(def).value();
    };
    add(BoxDef{{6, 6, 0.2}}, {0, 0, -0.1}, BodyType::kinematic_body);
    add(shape, {1, 0, height}, BodyType::dynamic_body);
    return world;
}

// What goes round changes its direction within a step, and the velocity of the table with it: the
// work of friction is that on the body, at the place where it is in each substep.
TEST(FastLedger, FrictionOfATurntableWorksByTheMotionOfTheBody) {
    Material grip;
    grip.static_friction = grip.kinetic_friction = 1;
    Material resisting = grip;
    resisting.rolling_resistance = 0.02;
    resisting.torsional_friction = 0.05;
    World box = turntable(BoxDef{{0.4, 0.3, 0.2}}, grip, 0.1);
    EXPECT_LT(remainder(box, test::kStep, 2), 1e-4);
    World ball = turntable(SphereDef{0.2}, grip, 0.2);
    ball.set_velocity(ball.bodies()[1], {});
    EXPECT_LT(remainder(ball, test::kStep, 2), 1e-3);
    World slowed = turntable(SphereDef{0.2}, resisting, 0.2);
    slowed.set_velocity(slowed.bodies()[1], {});
    EXPECT_LT(remainder(slowed, test::kStep, 2), 1e-3);
}

// Islands of large mass ratios have a solver of their own. Nothing moves, so contacts do no work.
TEST(FastLedger, AHeavyBodyOnALightOneDoesNoWorkAtRest) {
    for (const double ratio : {1e2, 1e3, 1e4}) {
        World world(fast_settings());
        add_ground(world);
        BodyDef light = test::body(BoxDef{{1, 1, 1}}, {0, 0, 0.5}),
                heavy = test::body(BoxDef{{1, 1, 1}}, {0, 0, 1.5});
        heavy.shapes[0].material.density = 1000 * ratio;
        world.add_body(light).value();
        world.add_body(heavy).value();
        const double start = world.energy().total();
        for (int i = 0; i < 120; ++i) world.step(test::kStep);
        EXPECT_NEAR(world.ledger().remainder, 0, 1e-5 * start) << ratio;
        EXPECT_NEAR(world.ledger().contact_normal, 0, 1e-3 * start) << ratio;
    }
}

// A joint that is assembled 10 cm apart draws its bodies together, up against gravity.
TEST(FastLedger, CorrectingAJointIsWorkOfTheJoint) {
    World world(fast_settings());
    BodyDef def = test::body(BoxDef{{1, 0.5, 0.25}}, {0, 0, 0});
    const BodyId box = world.add_body(def).value();
    JointDef joint;
    joint.kind = BallJoint{};
    joint.b = box;
    joint.anchor = {0, 0, 0};
    world.add_joint(joint).value();
    world.set_pose(box, {{0, 0, -0.1}, {}});
    const double start = world.energy().total();
    for (int i = 0; i < 120; ++i) world.step(test::kStep);
    const double gained = world.energy().total() - start;
    EXPECT_GT(gained, 50);
    EXPECT_NEAR(world.ledger().joints, gained, 0.02 * gained);
}

// A spinning disc on a pin, whose inertia turns while the pin holds it: an ideal joint does no
// work, though its impulses come half before the disc turns and half after.
TEST(FastLedger, AnIdealPinOfAGyroscopeDoesNoWork) {
    World world(fast_settings());
    BodyDef def;
    def.position = {0.3, 0, 0};
    def.mass_properties = MassProperties{1, {}, Sym3d::diagonal({0.02, 0.011, 0.011})};
    def.angular_velocity = {100, 0, 0};
    const BodyId disc = world.add_body(def).value();
    JointDef joint;
    joint.kind = BallJoint{};
    joint.b = disc;
    world.add_joint(joint).value();
    const double kinetic = world.energy().kinetic;
    for (int i = 0; i < 300; ++i) world.step(test::kStep);
    EXPECT_NEAR(world.ledger().joints, 0, 1e-3 * kinetic);
    EXPECT_NEAR(world.ledger().remainder, 0, 1e-3 * kinetic);
}

// What is left is of first order: a ball that falls and stays, at two steps.
TEST(FastLedger, TheRemainderFallsWithTheStep) {
    const auto fall = [](double dt) {
        World world(fast_settings());
        add_ground(world);
        world.add_body(test::body(SphereDef{0.5}, {0, 0, 1.5})).value();
        return remainder(world, dt, 1);
    };
    const double coarse = fall(1.0 / 60), fine = fall(1.0 / 480);
    EXPECT_LT(coarse, 0.02);
    EXPECT_LT(fine, 0.25 * coarse);
}

// Pressed to the ground by ten times its weight: what impulses displace a body against the force of
// the caller counted as work of that force.
TEST(FastLedger, ForcesWorkBesideImpulses) {
    World world(fast_settings());
    add_ground(world);
    const BodyId box = world.add_body(test::body(BoxDef{{1, 1, 1}}, {0, 0, 0.52})).value();
    const double weight = world.mass_properties(box).mass * 9.81;
    for (int i = 0; i < 120; ++i) {
        world.apply_force(box, {0.2 * weight, 0, -10 * weight});
        world.step(test::kStep);
    }
    const Ledger& ledger = world.ledger();
    const double moved = std::abs(ledger.forces) + std::abs(ledger.contact_normal);
    EXPECT_GT(moved, 0.01 * weight);
    EXPECT_LT(std::abs(ledger.remainder), 0.02 * moved);
}

// Gravity's entry is minus the change of potential energy, by the motion of the steps alone: a body
// that somebody moved up shows as the difference.
TEST(FastLedger, ABodyMovedByHandShows) {
    World world(fast_settings());
    add_ground(world);
    const BodyId box = world.add_body(test::body(BoxDef{{1, 1, 1}}, {0, 0, 2})).value();
    const double start = world.energy().potential;
    const auto missing = [&] { return world.energy().potential - start + world.ledger().gravity; };
    for (int i = 0; i < 60; ++i) world.step(test::kStep);
    EXPECT_NEAR(missing(), 0, 1e-6);
    Posed pose{world.state(box).position + Vec3d{0, 0, 0.001}, world.state(box).orientation};
    world.set_pose(box, pose);
    for (int i = 0; i < 60; ++i) world.step(test::kStep);
    EXPECT_NEAR(missing(), 9.81, 1e-3);
}

} // namespace
} // namespace rigor
