// kavan2003 never lets two bodies overlap: depths are measured from the poses after each step.

#include <gtest/gtest.h>

#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kAllowed = 1e-6;

void expect_no_overlap(World& world, double seconds, double dt = kStep) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds / dt)); ++i) {
        const StepReport report = world.step(dt);
        ASSERT_TRUE(report.finished) << world.time() << " s";
        ASSERT_LE(deepest(world), kAllowed) << world.time() << " s";
    }
}

BodyDef thrown(BodyDef def, const Vec3d& velocity, const Vec3d& angular_velocity,
               const Quatd& orientation = {1, 0, 0, 0}) {
    def.velocity = velocity;
    def.angular_velocity = angular_velocity;
    def.orientation = orientation;
    return def;
}

World kavan_world(const ContactLaws& laws = {}) {
    WorldSettings settings = settings_of(Method::kavan2003);
    settings.laws = laws;
    return World(settings);
}

// A box on its corner has several contacts of one pair, one after the other: a pair that touches
// already has to be searched like others. It once sank by 32 mm.
TEST(Overlap, OfATumblingBox) {
    for (const double dt : {1.0 / 60, 1.0 / 240, 0.05})
        for (const double e : {0.0, 0.5, 1.0}) {
            SCOPED_TRACE(message("dt ", dt, ", e ", e));
            World world = kavan_world();
            add_ground(world, 0.5, e);
            BodyDef box = with_material(body(BoxDef{{1, 0.6, 0.3}}, {0, 0, 0.8}), 0.5, e);
            world.add_body(thrown(box, {1, 0, -3}, {3, 5, 1})).value();
            expect_no_overlap(world, 1, dt);
        }
}

TEST(Overlap, OfEachTimeOfContact) {
    for (const Detection detection : {Detection::substep, Detection::bisection,
                                      Detection::advancement, Detection::regula_falsi})
        for (const Integrator integrator :
             {Integrator::euler, Integrator::symplectic, Integrator::rk4, Integrator::exact}) {
            SCOPED_TRACE(message(name(detection), " ", name(integrator)));
            ContactLaws laws;
            laws.detection = detection;
            laws.integrator = integrator;
            World world = kavan_world(laws);
            add_ground(world);
            world.add_body(thrown(body(BoxDef{{1, 0.6, 0.3}}, {0, 0, 0.6}), {}, {0, 2, 0})).value();
            expect_no_overlap(world, 0.5);
        }
}

// All touch exactly at the start, where a rounding error decides who overlaps.
TEST(Overlap, OfAStackThatTouches) {
    World world = kavan_world();
    add_ground(world);
    BodyId top;
    for (int i = 0; i < 6; ++i)
        top = world.add_body(body(BoxDef{{0.3, 0.3, 0.1}}, {0, 0, 0.05 + 0.1 * i})).value();
    expect_no_overlap(world, 0.5);
    EXPECT_NEAR(world.state(top).position.z, 0.55, 0.05) << "it stands";
}

TEST(Overlap, OfAHeapOfManyShapes) {
    Random random(3);
    World world = kavan_world();
    add_ground(world, 0.5, 0.3);
    const ShapeGeometry shapes[] = {SphereDef{0.12}, BoxDef{{0.3, 0.2, 0.1}}, CapsuleDef{0.08, 0.2},
                                    CylinderDef{0.1, 0.2}, ConeDef{0.12, 0.25}};
    for (int i = 0; i < 10; ++i) {
        const BodyDef def = body(shapes[i % 5], {0.05 * (i % 2), 0.04 * (i % 3), 0.3 + 0.35 * i});
        world
            .add_body(thrown(with_material(def, 0.5, 0.3), {0, 0, -4}, random.vec(-3, 3),
                             random.rotation()))
            .value();
    }
    expect_no_overlap(world, 0.6);
}

// A separation in one direction must not push into what is on the other side.
TEST(Overlap, BetweenWalls) {
    World world = kavan_world();
    add_ground(world);
    for (const double side : {-1.0, 1.0})
        world.add_body(body(BoxDef{{0.2, 1, 1}}, {side * 0.3502, 0, 0.5}, BodyType::static_body))
            .value();
    world.add_body(body(BoxDef{{0.5, 0.5, 0.5}}, {0, 0, 0.3})).value();
    expect_no_overlap(world, 0.5);
}

// The joint takes back what the separation gives: both have to hold.
TEST(Overlap, OfABodyOnAHinge) {
    World world = kavan_world();
    add_ground(world);
    const BodyId plank = world.add_body(body(BoxDef{{2, 0.3, 0.05}}, {0, 0, 0.3})).value();
    JointDef hinge;
    hinge.a = plank;
    hinge.anchor = {0, 0, 0.3};
    hinge.kind = HingeJoint{.axis = {0, 1, 0}};
    const JointId joint = world.add_joint(hinge).value();
    world.add_body(body(BoxDef{{0.2, 0.2, 0.2}}, {0.8, 0, 0.43})).value();
    expect_no_overlap(world, 0.7);
    EXPECT_LT(world.joint_state(joint).error, 1e-6);
}

// What falls beside others that are separated falls freely: waiting for them is short.
TEST(Overlap, SeparationHoldsUpNoOthers) {
    World world = kavan_world();
    add_ground(world);
    world.add_body(body(BoxDef{{1, 1, 1}}, {0, 0, 0.5})).value();
    const BodyId ball = world.add_body(body(SphereDef{0.1}, {3, 0, 5})).value();
    run(world, 0.5);
    EXPECT_NEAR(5 - world.state(ball).position.z, 0.5 * 9.81 * 0.25, 0.1 * 0.5 * 9.81 * 0.25);
}

// A step that has more collisions than its budget allows ends early, and says so.
TEST(Overlap, EndsWithTheBudgetBeforeItOverlaps) {
    ContactLaws laws;
    laws.max_events = 5;
    World world = kavan_world(laws);
    add_ground(world, 0, 1);
    const BodyDef lid = body(BoxDef{{2, 2, 1}}, {0, 0, 0.5 + 0.2005}, BodyType::static_body);
    world.add_body(with_material(lid, 0, 1)).value();
    BodyDef ball = with_material(body(SphereDef{0.1}, {0, 0, 0.1002}), 0, 1);
    ball.velocity = {0, 0, 3};
    world.add_body(ball).value();
    const StepReport report = world.step(kStep);
    EXPECT_FALSE(report.finished);
    EXPECT_LT(report.time, kStep);
    EXPECT_LE(deepest(world), kAllowed);
}

} // namespace
} // namespace rigor::test
