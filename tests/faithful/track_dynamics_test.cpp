// Track joints under `faithful`, against closed forms and the equation of a bead by arc length.
#include <gtest/gtest.h>

#include <cmath>

#include "faithful/moreau_step.h"
#include "faithful/step_fixture.h"
#include "model/joint_builder.h"
#include "rigor/rotation.h"
#include "support/tracks.h"
#include "support/worlds.h"

namespace rigor {
namespace {

using test::bead;
using test::settings_of;

constexpr double kPi = 3.14159265358979323846;
constexpr Vec3d kGravity{0, 0, -9.81};

World faithful(const Vec3d& gravity = kGravity) {
    WorldSettings settings = settings_of(Method::faithful);
    settings.gravity = gravity;
    return World(settings);
}

void run_for(World& world, double seconds, double dt = 1.0 / 60) {
    const int steps = static_cast<int>(std::ceil(seconds / dt - 1e-9));
    for (int i = 0; i < steps; ++i) world.step(seconds / steps);
}

/// A bead on a curve fixed to the world.
struct BeadOnTrack {
    World world;
    TrackCurve curve;
    BodyId body;
    JointId joint;
    double start = 0;

    BeadOnTrack(const std::vector<Vec3d>& points, bool closed, double s, double speed,
                JointDef def = {}, const Vec3d& gravity = kGravity)
        : world(faithful(gravity)), curve(TrackCurve::make(points, closed).value()), start(s) {
        const TrackCurve::Place place = curve.at(s);
        body = world.add_body(bead(place.position, place.tangent * speed)).value();
        def.a = body;
        def.anchor = place.position;
        def.kind = TrackJoint{points, closed};
        joint = world.add_joint(def).value();
    }
    JointState now() const { return world.joint_state(joint); }
};

void expect_motion(BeadOnTrack& track, double speed, double seconds, double tolerance) {
    const auto [s, v] = test::bead_after(track.curve, kGravity, track.start, speed, seconds);
    run_for(track.world, seconds);
    EXPECT_NEAR(track.now().coordinate, s, tolerance);
    EXPECT_NEAR(track.now().speed, v, tolerance);
    EXPECT_NEAR(track.now().error, 0, 1e-9);
    EXPECT_NEAR(length(track.world.state(track.body).velocity), std::abs(v), tolerance);
}

TEST(FaithfulTracks, ABeadFollowsTheEquationOfItsArcLength) {
    BeadOnTrack circle(test::vertical_circle(48, 2), true, 3, 0);
    expect_motion(circle, 0, 2, 1e-8);
    BeadOnTrack over(test::vertical_circle(48, 2), true, 0, 10); // around and around
    expect_motion(over, 10, 2, 1e-8);
    BeadOnTrack parabola(test::parabola(60, 2), false, 0.5, 0);
    expect_motion(parabola, 0, 2, 1e-8);
    BeadOnTrack helix(test::falling_helix(120, 5, 1, 0.5), false, 2, 1);
    expect_motion(helix, 1, 1.5, 1e-8);
    BeadOnTrack course(test::course(40), true, 5, 3);
    expect_motion(course, 3, 5, 1e-7);
}

// Many turns within a step: the place is taken along.
TEST(FaithfulTracks, ALongStepStaysOnItsStrand) {
    BeadOnTrack helix(test::falling_helix(800, 40, 0.5, 0.05), false, 1, 8, {}, {});
    helix.world.step(2);
    EXPECT_NEAR(helix.now().coordinate, 17, 1e-7);
    BeadOnTrack circle(test::level_circle(32, 0.5), true, 0, 30, {}, {});
    circle.world.step(1);
    EXPECT_NEAR(circle.now().coordinate, 30, 1e-7);
}

TEST(FaithfulTracks, AHundredLapsAreCounted) {
    BeadOnTrack track(test::level_circle(10, 1), true, 0, 20, {}, {});
    const double laps = 100 * track.curve.length();
    run_for(track.world, laps / 20, 0.1);
    EXPECT_NEAR(track.now().coordinate / laps, 1, 1e-7);
    EXPECT_NEAR(track.now().speed, 20, 2e-6);
}

// On a level circle the rail carries m v² / r and the weight.
TEST(FaithfulTracks, TheForceOfTheRailIsRead) {
    BeadOnTrack track(test::level_circle(400, 2), true, 0, 3);
    run_for(track.world, 0.7);
    const Vec3d out = normalize(track.world.state(track.body).position);
    const Vec3d force = track.now().force; // on the rail
    EXPECT_NEAR(dot(force, out), 2 * 9.0 / 2, 1e-3);
    EXPECT_NEAR(force.z, -2 * 9.81, 1e-9);
    EXPECT_LT(length(track.now().torque), 1e-9);
}

// A straight rail on a disc that rotates evenly: r'' = w² r, so r = r0 cosh(w t).
TEST(FaithfulTracks, ARotatingRailThrowsTheBeadOut) {
    World world = faithful({});
    BodyDef disc;
    disc.type = BodyType::kinematic_body;
    disc.angular_velocity = {0, 0, 1.5};
    const BodyId carrier = world.add_body(disc).value();
    const BodyId body = world.add_body(bead({0.2, 0, 0}, {0, 0.3, 0})).value();
    const JointId joint =
        world
            .add_joint({.a = body,
                        .b = carrier,
                        .anchor = {0.2, 0, 0},
                        .kind = TrackJoint{{{0, 0, 0}, {1, 0, 0}, {10, 0, 0}}, false}})
            .value();
    run_for(world, 1.5);
    EXPECT_NEAR(world.joint_state(joint).coordinate, 0.2 * std::cosh(1.5 * 1.5), 1e-8);
    EXPECT_NEAR(world.joint_state(joint).speed, 0.3 * std::sinh(1.5 * 1.5), 1e-8);
}

// A free body that carries its track: momentum and energy stay.
TEST(FaithfulTracks, ADynamicCarrierIsPushedBack) {
    World world = faithful({});
    BodyDef def = bead({0, 0, 0}, {}, 5);
    def.mass_properties->inertia = Sym3d::diagonal({3, 4, 5});
    def.angular_velocity = {0.2, -0.4, 0.3};
    const BodyId carrier = world.add_body(def).value();
    const std::vector<Vec3d> points = test::course(40);
    const BodyId car = world.add_body(bead(points[3], {})).value();
    world
        .add_joint({.a = car,
                    .b = carrier,
                    .anchor = points[3] + Vec3d{0.0, 0, 0},
                    .kind = TrackJoint{points, true}})
        .value();
    world.step(1e-9); // velocities that the joint allows
    const double energy = world.energy().kinetic;
    const Vec3d momentum = world.momentum().linear, angular = world.momentum().angular;
    run_for(world, 3);
    EXPECT_NEAR(world.energy().kinetic / energy, 1, 1e-8);
    EXPECT_LT(length(world.momentum().linear - momentum), 1e-8);
    EXPECT_LT(length(world.momentum().angular - angular), 1e-7);
}

TEST(FaithfulTracks, EnergyStaysForAMinute) {
    BeadOnTrack track(test::course(40), true, 5, 4);
    const auto energy = [&] {
        return track.world.energy().kinetic + track.world.energy().potential;
    };
    const double start = energy();
    run_for(track.world, 60);
    EXPECT_NEAR(energy(), start, 1e-6 * 2 * 9.81 * 4);
    EXPECT_LT(track.now().error, 1e-9);
}

TEST(FaithfulTracks, DryFrictionStopsAndHolds) {
    JointDef def;
    def.friction = 3;
    BeadOnTrack track({{0, 0, 0}, {10, 0, 0}}, false, 1, 2, def); // 1.5 m/s² for 4/3 s
    run_for(track.world, 1);
    EXPECT_NEAR(track.now().speed, 0.5, 1e-9);
    run_for(track.world, 2);
    EXPECT_NEAR(track.now().coordinate, 1 + 4.0 / 3, 1e-8);
    EXPECT_NEAR(track.now().speed, 0, 1e-10);
    // On a slope that friction does not hold: g sin a - F/m.
    BeadOnTrack slope({{0, 0, 0}, {8, 0, -6}}, false, 1, 0, def);
    run_for(slope.world, 1);
    EXPECT_NEAR(slope.now().coordinate, 1 + 0.5 * (9.81 * 0.6 - 1.5), 1e-9);
}

TEST(FaithfulTracks, AMotorKeepsItsSpeed) {
    BeadOnTrack track(test::course(40), true, 2, 1.5);
    track.world.set_motor(track.joint, MotorDef{.target_velocity = 1.5});
    run_for(track.world, 10);
    EXPECT_NEAR(track.now().coordinate, 17, 1e-8);
    track.world.set_motor(track.joint, MotorDef{.target_velocity = 1.5, .max_force = 1});
    run_for(track.world, 3);
    EXPECT_GT(std::abs(track.now().speed - 1.5), 0.1) << "a weak motor does not";
}

TEST(FaithfulTracks, TheEndsOfAnOpenTrackStop) {
    BeadOnTrack track({{0, 0, 0}, {8, 0, -6}}, false, 9, 0);
    run_for(track.world, 2);
    EXPECT_NEAR(track.now().coordinate, 10, 1e-9);
    EXPECT_NEAR(length(track.world.state(track.body).velocity), 0, 1e-9);
    track.world.set_limits(track.joint, {2, 30}); // beyond the end there is no track
    EXPECT_THROW(track.world.set_limits(track.joint, {11, 30}), UsageError);
    track.world.set_velocity(track.body, {-16, 0, 12});
    run_for(track.world, 0.45);
    EXPECT_NEAR(track.now().coordinate, 2, 1.0);
    EXPECT_GE(track.now().coordinate, 2 - 1e-9);
}

// From the side of a circle the rail carries 3 m g cos a, a from below: 2 m g at cos a = 2/3.
TEST(FaithfulTracks, BreaksAtItsForceAndFliesOnAlongTheTangent) {
    const double r = 2, g = 9.81;
    JointDef def;
    def.break_force = 2 * 2 * g;
    BeadOnTrack track(test::vertical_circle(400, r), true, 1.5 * kPi * r, 0, def);
    bool broken = false;
    double energy = track.world.energy().kinetic + track.world.energy().potential;
    while (track.world.time() < 2 && !broken) {
        track.world.step(1e-3);
        broken = !track.world.is_valid(track.joint);
    }
    ASSERT_TRUE(broken);
    const BodyState state = track.world.state(track.body);
    EXPECT_NEAR(state.position.z, -r * 2 / 3, r * 6e-3);
    EXPECT_NEAR(track.world.energy().kinetic + track.world.energy().potential, energy, 1e-7);
    const Vec3d radius = normalize(state.position);
    EXPECT_LT(std::abs(dot(radius, normalize(state.velocity))), 0.01);
    run_for(track.world, 0.1);
    EXPECT_NEAR(track.world.state(track.body).velocity.x, state.velocity.x, 1e-9) << "free flight";
}

// Two joints on the same straight rail, and on a curve, hold the attitude of a car.
TEST(FaithfulTracks, TwoHoldACar) {
    World world = faithful();
    const std::vector<Vec3d> points = test::course(40);
    const TrackCurve curve = TrackCurve::make(points, true).value();
    const Vec3d front = curve.at(6.2).position, rear = curve.at(5.8).position;
    BodyDef def = bead((front + rear) * 0.5);
    const BodyId car = world.add_body(def).value();
    std::vector<JointId> joints;
    for (const Vec3d& anchor : {front, rear})
        joints.push_back(
            world.add_joint({.a = car, .anchor = anchor, .kind = TrackJoint{points, true}})
                .value());
    const auto energy = [&] { return world.energy().kinetic + world.energy().potential; };
    const double start = energy();
    run_for(world, 4);
    EXPECT_NEAR(energy(), start, 1e-6);
    const JointState a = world.joint_state(joints[0]), b = world.joint_state(joints[1]);
    EXPECT_LT(a.error + b.error, 1e-8);
    EXPECT_NEAR(a.coordinate - b.coordinate, 0.4, 0.02) << "front stays before rear";
    EXPECT_GT(std::abs(a.coordinate - 6.2), 1);
}

// A stiff spring is the constraint but for terms of the square of its period.
TEST(FaithfulTracks, SpringsApproachTheConstraint) {
    const std::vector<Vec3d> points = test::course(40);
    BeadOnTrack rigid(points, true, 5, 3);
    run_for(rigid.world, 2);
    double last = 1e9;
    for (const double hz : {8.0, 16.0, 32.0}) {
        JointDef def;
        def.spring = SpringDef{hz, 1};
        BeadOnTrack soft(points, true, 5, 3, def);
        run_for(soft.world, 2);
        const double apart = std::abs(soft.now().coordinate - rigid.now().coordinate);
        EXPECT_LT(apart, last / 2.5) << hz;
        last = apart;
    }
    EXPECT_LT(last, 0.05);
}

// Moreau's scheme is of first order, in substeps of its own.
TEST(FaithfulTracks, FixedSubstepsFollowTheCurve) {
    faithful::StepFixture fixture;
    fixture.state.gravity = kGravity;
    const std::vector<Vec3d> points = test::course(40);
    const TrackCurve curve = TrackCurve::make(points, true).value();
    const TrackCurve::Place place = curve.at(5);
    const BodyId id = fixture.add(bead(place.position, place.tangent * 3.0)).id;
    JointDef def;
    def.a = id;
    def.anchor = place.position;
    def.kind = TrackJoint{points, true};
    fixture.state.joints.add(build_joint(fixture.state, def).value(), "track");
    std::vector<double> ways(1);
    for (int i = 0; i < 120; ++i) {
        fixture.context.joint_angles = ways;
        ways[0] = faithful::moreau_step(fixture.context, 1.0 / 60).joints.at(0).angle;
    }
    const Vec3d reached = fixture.state.bodies.motion[id.index].x;
    EXPECT_LT(length(curve.at(5 + ways[0]).position - reached), 2e-4);
    EXPECT_NEAR(5 + ways[0], test::bead_after(curve, kGravity, 5, 3, 2)[0], 0.15);
}

} // namespace
} // namespace rigor
