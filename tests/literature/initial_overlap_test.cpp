// Bodies that begin in each other are moved apart without speed, under every method.
#include <gtest/gtest.h>

#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

class InitialOverlap : public testing::TestWithParam<Method> {};

World weightless(Method method) {
    WorldSettings settings = settings_of(method);
    settings.gravity = {};
    return World(settings);
}

/// Without gravity and velocities there is nothing that bodies could have energy from.
void expect_gentle(World& world) {
    double mass = 0;
    for (const BodyId id : world.bodies()) mass += world.mass_properties(id).mass;
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(world.step(kStep).finished) << i;
    // As bodies that left at a centimeter per second, of springs that are a millimeter deep.
    EXPECT_LT(world.energy().kinetic, 0.5 * mass * 0.01 * 0.01);
    EXPECT_LT(deepest(world), 2.1e-3);
    EXPECT_LT(length(world.momentum().linear), 1e-9 * mass);
}

TEST_P(InitialOverlap, OfBallsAtOnePosition) {
    World world = weightless(GetParam());
    for (int i = 0; i < 12; ++i) world.add_body(body(SphereDef{0.5}, {0, 0, 1})).value();
    expect_gentle(world);
}

TEST_P(InitialOverlap, OfMixedShapes) {
    World world = weightless(GetParam());
    const ShapeGeometry shapes[] = {SphereDef{0.3}, BoxDef{{0.5, 0.4, 0.3}}, CapsuleDef{0.2, 0.4},
                                    CylinderDef{0.3, 0.4}, ConeDef{0.3, 0.5}};
    for (int i = 0; i < 5; ++i) world.add_body(body(shapes[i], {0.02 * i, 0.01 * i, 1})).value();
    expect_gentle(world);
}

TEST_P(InitialOverlap, OfABodyInAnImmovableOne) {
    World world = weightless(GetParam());
    world.add_body(body(BoxDef{{4, 4, 1}}, {}, BodyType::static_body)).value();
    const BodyId box = world.add_body(body(BoxDef{{1, 1, 1}}, {0, 0, 0.7})).value();
    expect_gentle(world);
    EXPECT_NEAR(world.state(box).position.z, 1, 3e-3);
}

// A link can only be moved with those that it is joined to.
TEST_P(InitialOverlap, OfLinkedBodies) {
    World world = weightless(GetParam());
    const BodyId left = world.add_body(body(BoxDef{{1, 0.2, 0.2}}, {-0.5, 0, 0})).value();
    const BodyId right = world.add_body(body(BoxDef{{1, 0.2, 0.2}}, {0.5, 0, 0})).value();
    JointDef ball;
    ball.a = left, ball.b = right;
    const JointId joint = world.add_joint(ball).value();
    world.add_body(body(SphereDef{0.3}, {0.7, 0, 0.2})).value();
    expect_gentle(world);
    EXPECT_LT(world.joint_state(joint).error, 1e-6);
}

// Later on a body may be put into others.
TEST_P(InitialOverlap, OfABodyThatIsMoved) {
    World world = weightless(GetParam());
    world.add_body(body(BoxDef{{1, 1, 1}}, {})).value();
    const BodyId moved = world.add_body(body(BoxDef{{1, 1, 1}}, {3, 0, 0})).value();
    world.step(kStep);
    world.set_pose(moved, {{0.6, 0, 0}, {1, 0, 0, 0}});
    expect_gentle(world);
}

INSTANTIATE_TEST_SUITE_P(Methods, InitialOverlap,
                         testing::Values(Method::faithful, Method::baber2006, Method::kavan2003,
                                         Method::baber2011, Method::kenwright, Method::galoppo2007,
                                         Method::penalty),
                         method_name);

} // namespace
} // namespace rigor::test
