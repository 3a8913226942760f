// Energy that the methods must not create, and resting bodies that must not sink.

#include <gtest/gtest.h>

#include <cmath>

#include "literature/micro_collisions.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

/// A closed room of 2 m without gravity.
World room(Method method, double restitution) {
    WorldSettings settings = settings_of(method);
    settings.gravity = {};
    World world(settings);
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0}) {
            Vec3d normal;
            normal[axis] = side;
            const BodyDef wall = body(PlaneDef{normal, -1}, {}, BodyType::static_body);
            world.add_body(with_material(wall, 0, restitution)).value();
        }
    return world;
}

// With restitution 1 the bias velocity was added to a full bounce, and a box rotated at the rate of
// the start of each step: 889 J became 4.8e147.
TEST(MethodEnergy, DoesNotGrowInAClosedRoomUnderKenwright) {
    for (const double e : {0.5, 1.0}) {
        World world = room(Method::kenwright, e);
        BodyDef ball = with_material(body(SphereDef{0.2}, {0.1, 0.2, 0.3}), 0, e);
        BodyDef box = with_material(body(BoxDef{{0.3, 0.2, 0.4}}, {-0.4, -0.3, -0.4}), 0, e);
        ball.velocity = {5, 3, 2};
        box.velocity = {-2, 1, 4};
        world.add_body(ball).value();
        world.add_body(box).value();
        const double before = world.energy().total();
        for (int second = 0; second < 60; ++second) {
            run(world, 1);
            ASSERT_LT(world.energy().total(), 1.1 * before) << second << " s, e = " << e;
        }
    }
}

// A free body that spins fast: at a constant rate within a step its energy would change at constant
// angular momentum, here by 8 % in a second.
TEST(MethodEnergy, OfAFreeRotationIsKeptByTheSymplecticMethods) {
    for (const Method method : {Method::kenwright, Method::kavan2003, Method::penalty}) {
        WorldSettings settings = settings_of(method);
        settings.gravity = {};
        World world(settings);
        BodyDef box = body(BoxDef{{0.3, 0.2, 0.4}});
        box.angular_velocity = {3, 4, 0.5};
        world.add_body(box).value();
        const double before = world.energy().total();
        for (int i = 0; i < 10; ++i) {
            run(world, 1);
            ASSERT_NEAR(world.energy().total(), before, 0.01 * before) << name(method);
        }
    }
}

// Impulses at two corners stopped the other two dead: a box sank by 12 mm in a second.
TEST(MicroCollisions, CarryABodyWithSeveralContactsWithoutOverlap) {
    const std::pair<ShapeGeometry, double> shapes[] = {
        {SphereDef{0.3}, 0.3}, {BoxDef{{1, 0.8, 0.4}}, 0.2}, {CylinderDef{0.3, 0.5}, 0.25}};
    for (const auto& [shape, height] : shapes) {
        World world(settings_of(Method::baber2011));
        add_ground(world);
        const BodyDef def = body(shape, {0, 0, height + 1e-3});
        const BodyId id = world.add_body(def).value();
        const double before = world.energy().total();
        for (int i = 0; i < 60; ++i) {
            world.step(kStep);
            ASSERT_LE(deepest(world), 1e-6) << shape.index() << " at " << world.time() << " s";
        }
        EXPECT_NEAR(world.state(id).position.z, def.position.z, 1.5e-3) << shape.index();
        EXPECT_LT(world.energy().total(), before) << shape.index();
    }
}

// A pair that collided before its next test was taken to be apart until then, when another pair was
// seen apart in between: boxes overlapped by 0.5 mm.
TEST(MicroCollisions, CarryAStackWithoutOverlap) {
    for (const auto& [count, gap] : {std::pair(2, 1e-3), {3, 0.0}, {4, 1e-4}}) {
        World world(settings_of(Method::baber2011));
        add_ground(world);
        BodyId top;
        double z = -0.05;
        for (int i = 0; i < count; ++i) {
            z += 0.1 + gap;
            top = world.add_body(body(BoxDef{{0.3, 0.3, 0.1}}, {0, 0, z})).value();
        }
        for (int i = 0; i < 60; ++i) {
            world.step(kStep);
            ASSERT_LE(deepest(world), 1e-6) << count << " boxes, " << world.time() << " s";
        }
        EXPECT_NEAR(world.state(top).position.z, z, 4e-3);
    }
}

// Two contacts of one unit of inverse mass that do not know of each other, stopped by an impact.
TEST(MicroCollisions, RaiseWhatAnImpactStopped) {
    contact_dynamics::ImpactProblem problem;
    const std::vector<BlockEntry> first{{0, Mat3d::identity()}}, second{{1, Mat3d::identity()}};
    problem.w.add_row(first);
    problem.w.add_row(second);
    problem.u = {{0, 0, -0.1}, {0, 0, -5}};
    problem.friction = problem.restitution = {0, 0};
    problem.slow_restitution = {0.8, 0.8};
    problem.slow_speed = 0.15;
    contact_dynamics::ImpactsOutcome outcome;
    outcome.u = {{}, {}};
    outcome.r = {{0, 0, 0.1}, {0, 0, 5}};
    literature::prevent_sinking(problem, 0.01, outcome);
    EXPECT_NEAR(outcome.u[0].z, 0.08, 1e-3) << "e times its approach";
    EXPECT_NEAR(outcome.r[0].z, 0.18, 1e-3);
    EXPECT_EQ(outcome.u[1].z, 0) << "an impact, not a micro-collision";
}

// What had passed a limit by a long interval was brought back within the next one, however short:
// at 1e7 rad/s.
TEST(JointLimits, ThrowNobodyInShortIntervals) {
    for (const Method method : {Method::baber2006, Method::kavan2003, Method::baber2011,
                                Method::kenwright, Method::galoppo2007, Method::penalty}) {
        World world(settings_of(method));
        BodyDef arm = body(BoxDef{{1, 0.5, 0.25}}, {1, 0, 0});
        arm.angular_velocity = {0.5, 0.4, 0.3};
        BodyDef carrier = body(BoxDef{{1, 0.5, 0.25}}, {2.5, 0, 0}, BodyType::kinematic_body);
        carrier.velocity = {0, 0.3, 0.5};
        const BodyId id = world.add_body(arm).value();
        const BodyId other = world.add_body(carrier).value();
        JointDef joint{.a = id, .b = other, .anchor = {1.75, 0, 0}};
        joint.kind = HingeJoint{.axis = {0, 1, 0}, .limits = Range{-0.01, 0.01}};
        const JointId hinge = world.add_joint(joint).value();
        for (int i = 0; i < 8; ++i) {
            world.step(kStep);
            ASSERT_LT(length(world.state(id).angular_velocity), 3)
                << name(method) << ", step " << i;
            ASSERT_LT(std::abs(world.joint_state(hinge).coordinate), 0.04) << name(method);
        }
    }
}

// All bodies of a stack fall together: the impact of the lowest has to reach the uppermost, though
// they hover. It once fell at eight times the resting speed, held up by separation alone.
TEST(Separation, AStackGainsLittleEnergy) {
    World world(settings_of(Method::kavan2003));
    add_ground(world);
    double mass = 0;
    for (int i = 0; i < 8; ++i) {
        const BodyId id =
            world.add_body(body(BoxDef{{0.3, 0.3, 0.1}}, {0, 0, 0.05 + 0.1 * i})).value();
        mass += world.mass_properties(id).mass;
    }
    const double before = world.energy().total();
    double fastest = 0;
    for (int i = 0; i < 60; ++i) {
        world.step(kStep);
        ASSERT_LE(deepest(world), 1e-6);
        fastest = std::max(fastest, world.energy().kinetic / (0.5 * mass));
    }
    EXPECT_LT(std::sqrt(fastest), 1.0) << "m/s; the resting speed is 0.2";
    EXPECT_LT(world.energy().total() - before, mass * 9.81 * 0.05);
}

} // namespace
} // namespace rigor::test
