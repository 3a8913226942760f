// Track joints under every method: where they go, and what is remembered of them.
#include <gtest/gtest.h>

#include <cmath>

#include "support/tracks.h"
#include "support/worlds.h"

namespace rigor {
namespace {

using test::bead;

constexpr Vec3d kGravity{0, 0, -9.81};

constexpr Method kMethods[] = {Method::fast,        Method::faithful,  Method::baber2006,
                               Method::kavan2003,   Method::baber2011, Method::kenwright,
                               Method::galoppo2007, Method::penalty};

struct BeadOnTrack {
    World world;
    TrackCurve curve;
    BodyId body;
    JointId joint;

    BeadOnTrack(Method method, const std::vector<Vec3d>& points, bool closed, double s,
                double speed, JointDef def = {}, const Vec3d& gravity = kGravity, int threads = 1)
        : world(settings(method, gravity, threads)),
          curve(TrackCurve::make(points, closed).value()) {
        const TrackCurve::Place place = curve.at(s);
        BodyDef body_def = bead(place.position, place.tangent * speed);
        body_def.can_sleep = false;
        body = world.add_body(body_def).value();
        def.a = body;
        def.anchor = place.position;
        const auto* given = std::get_if<TrackJoint>(&def.kind);
        TrackJoint kind = given ? *given : TrackJoint{};
        kind.curve = points;
        kind.closed = closed;
        def.kind = kind;
        joint = world.add_joint(def).value();
    }
    static WorldSettings settings(Method method, const Vec3d& gravity, int threads) {
        WorldSettings settings = test::settings_of(method);
        settings.gravity = gravity;
        settings.threads = threads;
        return settings;
    }
    JointState now() const { return world.joint_state(joint); }
    double energy() const { return world.energy().kinetic + world.energy().potential; }
};

class Tracks : public testing::TestWithParam<Method> {};

/// The methods from the literature hold joints to second order in the step, those with kick and
/// drift to first order.
bool is_exact(Method method) {
    return method == Method::fast || method == Method::faithful;
}

/// Largest distance from the curve on the way, and the error of the coordinate at the end.
std::pair<double, double> errors(Method method, double dt) {
    const std::vector<Vec3d> points = test::course(40);
    BeadOnTrack track(method, points, true, 5, 3);
    const int steps = static_cast<int>(std::lround(2 / dt));
    double off = 0;
    for (int i = 0; i < steps; ++i) {
        track.world.step(dt);
        off = std::max(off, track.now().error);
    }
    const auto reference = test::bead_after(track.curve, kGravity, 5, 3, 2);
    return {off, std::abs(track.now().coordinate - reference[0])};
}

TEST_P(Tracks, HalfTheStepHalvesTheError) {
    const auto [off, error] = errors(GetParam(), 1.0 / 120);
    const auto [off_fine, error_fine] = errors(GetParam(), 1.0 / 480);
    EXPECT_LT(off, 1e-6);
    EXPECT_LT(off_fine, 1e-6);
    EXPECT_LT(error, 0.03);
    EXPECT_TRUE(error_fine < 0.4 * error || error_fine < 5e-5) << error << " " << error_fine;
}

TEST_P(Tracks, LapsAreCounted) {
    BeadOnTrack track(GetParam(), test::level_circle(40, 1), true, 0, 6, {}, {});
    double way = 0; // by the speed that is read
    for (int i = 0; i < 600; ++i) {
        const double before = track.now().speed;
        track.world.step(1.0 / 60);
        way += 0.5 * (before + track.now().speed) / 60;
    }
    EXPECT_NEAR(track.now().coordinate, way, 0.01 * way);
    EXPECT_GT(way, 3 * track.curve.length());
    EXPECT_LT(track.now().error, 0.02);
    if (is_exact(GetParam())) {
        EXPECT_NEAR(way, 60, 0.1); // 9.5 laps
    }
}

TEST_P(Tracks, FrictionMotorAndEndsActAlongTheCurve) {
    const std::vector<Vec3d> line{{0, 0, 0}, {10, 0, 0}};
    JointDef rubbing;
    rubbing.friction = 3; // 1.5 m/s² for 4/3 s
    BeadOnTrack stopped(GetParam(), line, false, 1, 2, rubbing);
    test::run(stopped.world, 2);
    EXPECT_NEAR(stopped.now().coordinate, 1 + 4.0 / 3, 0.03);
    EXPECT_NEAR(stopped.now().speed, 0, 1e-3);

    JointDef driven;
    driven.kind = TrackJoint{.motor = MotorDef{.target_velocity = 2}};
    BeadOnTrack motor(GetParam(), test::course(40), true, 3, 2, driven);
    test::run(motor.world, 2);
    EXPECT_NEAR(motor.now().coordinate, 7, is_exact(GetParam()) ? 0.02 : 0.2);

    JointDef servo;
    servo.kind = TrackJoint{.motor = MotorDef{.target_position = 4}};
    BeadOnTrack place(GetParam(), line, false, 1, 0, servo);
    test::run(place.world, 2);
    EXPECT_NEAR(place.now().coordinate, 4, 0.01);

    BeadOnTrack end(GetParam(), {{0, 0, 0}, {8, 0, -6}}, false, 9, 0);
    test::run(end.world, 2);
    EXPECT_NEAR(end.now().coordinate, 10, 0.01);
    EXPECT_NEAR(length(end.world.state(end.body).velocity), 0, is_exact(GetParam()) ? 1e-2 : 0.2);
}

TEST_P(Tracks, ACarrierInEvenMotionChangesNothing) {
    const std::vector<Vec3d> points = test::course(40);
    BeadOnTrack still(GetParam(), points, true, 5, 3);
    test::run(still.world, 1);
    World world(BeadOnTrack::settings(GetParam(), kGravity, 1));
    BodyDef carrier;
    carrier.type = BodyType::kinematic_body;
    carrier.velocity = {1, 0.5, 0};
    const BodyId b = world.add_body(carrier).value();
    const TrackCurve::Place place = still.curve.at(5);
    const BodyId a =
        world.add_body(bead(place.position, place.tangent * 3.0 + carrier.velocity)).value();
    const JointId joint =
        world
            .add_joint({.a = a, .b = b, .anchor = place.position, .kind = TrackJoint{points, true}})
            .value();
    test::run(world, 1);
    EXPECT_NEAR(world.joint_state(joint).coordinate, still.now().coordinate, 1e-3);
    EXPECT_NEAR(world.joint_state(joint).speed, still.now().speed, 1e-3);
}

// Restored in the middle of a lap: the same bits as without, and as with four threads.
TEST_P(Tracks, SnapshotsHoldThePlace) {
    BeadOnTrack track(GetParam(), test::course(40), true, 5, 9);
    test::run(track.world, 6); // more than a lap
    const Snapshot snapshot = track.world.snapshot();
    const double coordinate = track.now().coordinate;
    EXPECT_GT(coordinate, track.curve.length());
    test::run(track.world, 1);
    const std::uint64_t hash = track.world.state_hash();
    const double later = track.now().coordinate;
    track.world.restore(snapshot);
    EXPECT_EQ(track.now().coordinate, coordinate);
    test::run(track.world, 1);
    EXPECT_EQ(track.world.state_hash(), hash);
    EXPECT_EQ(track.now().coordinate, later);

    BeadOnTrack threads(GetParam(), test::course(40), true, 5, 9, {}, kGravity, 4);
    test::run(threads.world, 7);
    EXPECT_EQ(threads.world.state_hash(), hash);
}

TEST_P(Tracks, SpringsSoftenTheHold) {
    JointDef def;
    def.spring = SpringDef{5, 1};
    // It sags by g / w² and moves on.
    const double w = 2 * test::kTrackPi * 5;
    double last = 0;
    for (const double dt : {1.0 / 60, 1.0 / 240}) {
        BeadOnTrack track(GetParam(), {{0, 0, 0}, {10, 0, 0}}, false, 2, 1, def);
        for (int i = 0; i < std::lround(3 / dt); ++i) track.world.step(dt);
        const double error = std::abs(track.world.state(track.body).position.z + 9.81 / (w * w));
        EXPECT_LT(error, is_exact(GetParam()) ? 2e-4 : 0.02);
        EXPECT_NEAR(track.now().coordinate, 5, 0.01);
        if (last > 1e-6) {
            EXPECT_LT(error, 0.5 * last);
        }
        last = error;
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, Tracks, testing::ValuesIn(kMethods), test::method_name);

TEST(TrackWorlds, AChangeOfMethodKeepsTheLap) {
    BeadOnTrack track(Method::fast, test::course(40), true, 5, 6);
    test::run(track.world, 6);
    const double before = track.now().coordinate;
    WorldSettings settings = track.world.settings();
    settings.method = Method::faithful;
    track.world.set_settings(settings);
    EXPECT_NEAR(track.now().coordinate, before, 1e-9);
    test::run(track.world, 1);
    EXPECT_GT(track.now().coordinate, before + 1);
}

// No friction: what is lost or won in a minute under `fast`.
TEST(TrackWorlds, FastKeepsTheEnergyOfALoop) {
    BeadOnTrack track(Method::fast, test::course(40), true, 5, 6);
    const double start = track.energy();
    const double scale = 2 * 9.81 * 4; // of the height of the course
    double worst = 0;
    for (int i = 0; i < 3600; ++i) {
        track.world.step(1.0 / 60);
        worst = std::max(worst, std::abs(track.energy() - start));
    }
    EXPECT_LT(worst, 0.05 * scale);
}

TEST(TrackWorlds, FastBreaksNearTheForce) {
    const double r = 2;
    JointDef def;
    def.break_force = 2 * 2 * 9.81; // at cos a = 2/3
    BeadOnTrack track(Method::fast, test::vertical_circle(100, r), true, 1.5 * test::kTrackPi * r,
                      0, def);
    bool broken = false;
    while (!broken && track.world.time() < 2) {
        track.world.step(1.0 / 240);
        broken = !track.world.is_valid(track.joint);
    }
    ASSERT_TRUE(broken);
    EXPECT_NEAR(track.world.state(track.body).position.z, -r * 2 / 3, 0.1);
    const double vx = track.world.state(track.body).velocity.x;
    test::run(track.world, 0.2);
    EXPECT_NEAR(track.world.state(track.body).velocity.x, vx, 1e-5);
}

TEST(TrackWorlds, PointsOfACurveMoveWithItsBody) {
    World world(BeadOnTrack::settings(Method::fast, {}, 1));
    BodyDef platform = test::body(BoxDef{{1, 1, 1}}, {0, 0, -5});
    platform.type = BodyType::kinematic_body;
    const BodyId b = world.add_body(platform).value();
    const BodyId a = world.add_body(bead({0, 0, 0})).value();
    const JointId joint =
        world.add_joint({.a = a, .b = b, .kind = TrackJoint{{{0, 0, 0}, {1, 0, 1}, {3, 0, 0}}}})
            .value();
    const std::vector<Vec3d> before = world.track_points(joint, 101);
    ASSERT_EQ(before.size(), 101u);
    EXPECT_LT(length(before.front()), 1e-12);
    EXPECT_LT(length(before.back() - Vec3d{3, 0, 0}), 1e-12);
    const double spacing = length(before[1] - before[0]);
    for (std::size_t i = 2; i < before.size(); ++i)
        EXPECT_NEAR(length(before[i] - before[i - 1]), spacing, 1e-3 * spacing);
    world.set_pose(b, {{0, 7, -5}, {}});
    const std::vector<Vec3d> after = world.track_points(joint, 101);
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_LT(length(after[i] - before[i] - Vec3d{0, 7, 0}), 1e-12);
    EXPECT_THROW(static_cast<void>(world.track_points(joint, 1)), UsageError);
    const JointId ball = world.add_joint({.a = a, .kind = BallJoint{}}).value();
    EXPECT_THROW(static_cast<void>(world.track_points(ball, 9)), UsageError);
}

TEST(TrackWorlds, FastHoldsACarByTwoJoints) {
    const std::vector<Vec3d> points = test::course(40);
    const TrackCurve curve = TrackCurve::make(points, true).value();
    World world(BeadOnTrack::settings(Method::fast, kGravity, 1));
    const Vec3d front = curve.at(6.2).position, rear = curve.at(5.8).position;
    const BodyId car = world.add_body(bead((front + rear) * 0.5)).value();
    std::vector<JointId> joints;
    for (const Vec3d& anchor : {front, rear})
        joints.push_back(
            world.add_joint({.a = car, .anchor = anchor, .kind = TrackJoint{points, true}})
                .value());
    double off = 0, least = 1, most = 0;
    for (int i = 0; i < 300; ++i) {
        world.step(1.0 / 60);
        const JointState a = world.joint_state(joints[0]), b = world.joint_state(joints[1]);
        off = std::max({off, a.error, b.error});
        least = std::min(least, a.coordinate - b.coordinate);
        most = std::max(most, a.coordinate - b.coordinate);
    }
    EXPECT_LT(off, 0.01);
    EXPECT_GT(least, 0.38);
    EXPECT_LT(most, 0.42);
}

// An elastic cord of 1 m: free fall to its end, then half a swing of its spring about m g / k.
TEST(ElasticCords, PullBeyondTheirRangeAlone) {
    for (const Method method : {Method::fast, Method::faithful}) {
        World world(BeadOnTrack::settings(method, kGravity, 1));
        const BodyId body = world.add_body(bead({0, 0, -0.2})).value();
        world
            .add_joint({.b = body,
                        .anchor = {},
                        .kind = DistanceJoint{{0, 0, -0.2}, Range{0, 1}},
                        .spring = SpringDef{2, 0}})
            .value();
        const double w = 4 * test::kTrackPi, sag = 9.81 / (w * w);
        const double v = std::sqrt(2 * 9.81 * 0.8);
        const double lowest = -1 - sag - std::sqrt(sag * sag + v * v / (w * w));
        double low = 0, high = -10;
        for (int i = 0; i < 240; ++i) {
            world.step(1.0 / 240);
            const double z = world.state(body).position.z;
            if (world.time() < 0.35) {
                EXPECT_NEAR(z, -0.2 - 4.905 * world.time() * world.time(), 0.02);
            }
            low = std::min(low, z);
            if (world.time() > 0.7) high = std::max(high, z);
        }
        EXPECT_NEAR(low, lowest, method == Method::fast ? 0.02 : 1e-3);
        EXPECT_GT(high, -0.5) << "it comes up again";
    }
}

TEST(Gears, BreakUnderFast) {
    for (const double bound : {1.0, 1e3}) {
        World world(BeadOnTrack::settings(Method::fast, {}, 1));
        JointId hinges[2];
        for (int i = 0; i < 2; ++i) {
            const BodyId wheel = world.add_body(bead({1.0 * i, 0, 0})).value();
            hinges[i] = world
                            .add_joint({.b = wheel,
                                        .anchor = {1.0 * i, 0, 0},
                                        .kind = HingeJoint{.axis = {0, 0, 1}}})
                            .value();
        }
        const JointId gear =
            world.add_joint({.kind = GearJoint{hinges[0], hinges[1], -2}, .break_torque = bound})
                .value();
        world.set_motor(hinges[0], MotorDef{.target_velocity = 100, .max_force = 10});
        test::run(world, 0.2);
        // 10 N m turn I + 4 I, of which 8 N m go through the gear.
        EXPECT_EQ(world.is_valid(gear), bound > 8) << bound;
    }
    World world(BeadOnTrack::settings(Method::fast, {}, 1));
    const auto refused = world.add_joint({.kind = GearJoint{}, .friction = 1});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().where + " " + refused.error().message,
              "friction does not act on a gear: give it to the joints it couples");
}

} // namespace
} // namespace rigor
