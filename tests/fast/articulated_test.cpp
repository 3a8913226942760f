// Articulated bodies make no energy: with contacts, on tracks, in loops, at limits, on kinematic
// bodies. At 60 Hz with 4 substeps.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fast_settings.h"
#include "rigor/rotation.h"
#include "rigor/world.h"

namespace rigor {
namespace {

/// A world, and what came of it.
class Articulated : public testing::Test {
  protected:
    static constexpr double kG = 9.81;
    static constexpr Vec3d kAxle{0, 1, 0};

    BodyId add_box(const Vec3d& at, const Vec3d& size, double mass) {
        BodyDef def = test::body(BoxDef{size}, at);
        def.mass = mass;
        return world_.add_body(def).value();
    }
    BodyId add_mass(const Vec3d& at, double mass, const Vec3d& moments, const Vec3d& velocity = {},
                    const Vec3d& angular_velocity = {}) {
        BodyDef def;
        def.position = at;
        def.mass_properties = MassProperties{mass, {}, Sym3d::diagonal(moments)};
        def.velocity = velocity;
        def.angular_velocity = angular_velocity;
        return world_.add_body(def).value();
    }
    void add_floor() {
        BodyDef def = test::body(PlaneDef{{0, 0, 1}, 0}, {});
        def.type = BodyType::static_body;
        world_.add_body(def).value();
    }
    void join(const JointKind& kind, BodyId a, BodyId b, const Vec3d& anchor) {
        joints_.push_back(
            world_.add_joint({.a = a, .b = b, .anchor = anchor, .kind = kind}).value());
    }
    /// Into `rise_` and `fall_` the largest changes of energy, into `error_` that of all joints.
    void run(double seconds) {
        const double start = world_.energy().total();
        rise_ = fall_ = error_ = 0;
        for (long i = std::lround(seconds / test::kStep); i > 0; --i) {
            world_.step(test::kStep);
            const double now = world_.energy().total() - start;
            ASSERT_TRUE(std::isfinite(now));
            rise_ = std::max(rise_, now);
            fall_ = std::max(fall_, -now);
            for (const JointId id : joints_)
                error_ = std::max(error_, world_.joint_state(id).error);
        }
    }
    void start_anew() {
        world_ = World{test::fast_settings()};
        joints_.clear();
    }

    World world_{test::fast_settings()};
    std::vector<JointId> joints_;
    double rise_ = 0, fall_ = 0, error_ = 0;
};

TEST_F(Articulated, LinksThatHitEachOtherMakeNoEnergy) {
    for (const double last : {10.0, 100.0, 1000.0}) {
        start_anew();
        BodyId link;
        double scale = 0;
        for (int i = 0; i < 3; ++i) {
            const double mass = i == 2 ? last : 1;
            const BodyId next = add_box({i + 0.5, 0, 0}, {0.9, 0.3, 0.3}, mass);
            join(HingeJoint{kAxle}, link, next, {double(i), 0, 0});
            link = next;
            scale += mass * kG * (i + 1);
        }
        run(10);
        EXPECT_LT(rise_, 1e-3 * scale) << last;
        EXPECT_LT(error_, 1e-4) << last;
    }
}

TEST_F(Articulated, ATableOnFixedLegsStands) {
    add_floor();
    const BodyId top = add_box({0, 0, 1.05}, {1.4, 1, 0.1}, 50);
    for (const double x : {-0.6, 0.6})
        for (const double y : {-0.4, 0.4}) {
            const BodyId leg = add_box({x, y, 0.5}, {0.08, 0.08, 0.999}, 1);
            join(FixedJoint{}, top, leg, {x, y, 1});
        }
    run(10);
    EXPECT_LT(rise_, 1e-3 * 54 * kG);
    EXPECT_LT(error_, 1e-4);
    EXPECT_NEAR(world_.state(top).position.z, 1.05, 2e-3);
}

TEST_F(Articulated, AChainFallsOnTheFloorInOnePiece) {
    add_floor();
    BodyId link;
    for (int i = 0; i < 10; ++i) {
        const BodyId next =
            add_box({0.5 * i, 0, 2 + 0.1 * i}, {0.45, 0.1, 0.1}, i % 3 == 2 ? 10 : 1);
        if (i > 0) join(BallJoint{}, link, next, {0.5 * i - 0.25, 0, 1.95 + 0.1 * i});
        link = next;
    }
    run(5);
    EXPECT_LT(rise_, 1e-3 * 37 * kG * 2);
    EXPECT_LT(error_, 0.03);
    EXPECT_LT(world_.energy().kinetic, 0.1);
}

TEST_F(Articulated, ABodyBelowItsTrackKeepsItsEnergy) {
    TrackJoint track;
    track.closed = true;
    for (int i = 0; i < 12; ++i) {
        const double a = 2 * std::numbers::pi * i / 12;
        track.curve.push_back({3 * std::cos(a), 2 * std::sin(a), 1.5 * std::sin(a)});
    }
    const BodyId body = add_mass({3, 0, -0.3}, 1, {0.01, 0.02, 0.025}, {0, 1, 0.5});
    join(track, body, {}, {3, 0, 0});
    world_.step(test::kStep); // the velocity was not along the track
    run(40);
    EXPECT_LT(rise_, 2e-3 * kG * 3);
    EXPECT_LT(fall_, 2e-3 * kG * 3);
    EXPECT_LT(error_, 1e-5);
}

TEST_F(Articulated, AnAsymmetricBodyKeepsItsEnergyAtTwoHundredRadiansASecond) {
    BodyDef def;
    ShapeDef flat, upright;
    flat.geometry = BoxDef{{0.4, 0.1, 0.1}};
    upright.geometry = BoxDef{{0.1, 0.1, 0.4}};
    upright.position = {0.2, 0, 0.2};
    def.shapes = {flat, upright};
    def.angular_velocity = Vec3d{0.2, 0.3, 0.93} * 200.0;
    const BodyId body = world_.add_body(def).value();
    const Vec3d pivot{-0.2, 0, 0};
    world_.set_velocity(body, cross(def.angular_velocity, world_.state(body).position - pivot));
    join(BallJoint{}, {}, body, pivot);
    const double start = world_.energy().kinetic;
    run(5);
    EXPECT_LT(rise_, 0.03 * start);
    EXPECT_LT(fall_, 0.03 * start);
}

TEST_F(Articulated, AHingePendulumOfACentimeterKeepsItsEnergy) {
    const double l = 0.01;
    const BodyId bob = add_mass({l, 0, 0}, 1, Vec3d{0.1, 0.1, 0.1} * (l * l));
    join(HingeJoint{kAxle}, {}, bob, {});
    run(10);
    EXPECT_LT(rise_, 1e-3 * kG * l);
    EXPECT_LT(fall_, 1e-2 * kG * l);
}

TEST_F(Articulated, AChainOfHingesThatIsHeldAtBothEndsKeepsItsEnergy) {
    constexpr int kLinks = 10;
    BodyId link;
    Vec3d from;
    for (int i = 0; i < kLinks; ++i) {
        const double a = std::numbers::pi * (i + 1) / kLinks;
        const Vec3d to{2 - 2 * std::cos(a), 0, -std::sin(a) * (i % 2 == 0 ? 1 : 1.4)};
        const double moment = length_squared(to - from) / 12;
        const BodyId next = add_mass((from + to) * 0.5, 1, {moment, moment, moment});
        join(HingeJoint{kAxle}, link, next, from);
        link = next;
        from = to;
    }
    join(HingeJoint{kAxle}, link, {}, from);
    run(4);
    EXPECT_LT(rise_, 1e-3 * kLinks * kG);
    EXPECT_LT(fall_, 3e-3 * kLinks * kG);
    EXPECT_LT(error_, 1e-4);
}

TEST_F(Articulated, AFourBarLinkageWithAHeavyCouplerKeepsItsEnergy) {
    const Vec3d at[] = {{0, 0, 0}, {0.1, 0, 0.5}, {1.4, 0, 0.9}, {1.2, 0, 0}};
    BodyId bar;
    for (int i = 0; i < 3; ++i) {
        const double mass = i == 1 ? 100 : 1, l2 = length_squared(at[i + 1] - at[i]);
        const BodyId next =
            add_mass((at[i] + at[i + 1]) * 0.5, mass, Vec3d{l2 / 12, l2 / 12, l2 / 100} * mass);
        join(HingeJoint{kAxle}, bar, next, at[i]);
        bar = next;
    }
    join(HingeJoint{kAxle}, bar, {}, at[3]);
    run(10);
    EXPECT_LT(rise_, 1e-3 * 100 * kG * 0.5);
    EXPECT_LT(fall_, 1e-2 * 100 * kG * 0.5);
}

TEST_F(Articulated, ADoublePendulumOnAKinematicBodyKeepsItsEnergy) {
    BodyDef def;
    def.type = BodyType::kinematic_body;
    const BodyId hook = world_.add_body(def).value();
    const BodyId upper = add_mass({0.35, 0, 0}, 1, {0.01, 0.04, 0.04}),
                 lower = add_mass({1.05, 0, 0}, 1, {0.01, 0.04, 0.04});
    join(HingeJoint{kAxle}, hook, upper, {});
    join(HingeJoint{kAxle}, upper, lower, {0.7, 0, 0});
    run(30);
    EXPECT_LT(rise_, 1e-3 * kG * 2.1);
    EXPECT_LT(fall_, 5e-3 * kG * 2.1);
}

// The carriage of one kilogram meets its limits with a load of a thousand.
TEST_F(Articulated, ALightCarriageStopsAHeavyLoadAtItsLimit) {
    const BodyId carriage = add_mass({0, 0, 0}, 1, {0.01, 0.01, 0.01}),
                 load = add_mass({0.3, 0, -0.5}, 1000, {50, 60, 70});
    SliderJoint slider{{0, 0, 1}};
    slider.limits = Range{-0.5, 0.2};
    join(slider, {}, carriage, {});
    join(FixedJoint{}, carriage, load, {0.1, 0, -0.2});
    run(5);
    EXPECT_LT(rise_, 1e-3 * 1000 * kG * 0.5);
    EXPECT_LT(world_.energy().kinetic, 1e-3 * 1000 * kG * 0.5);
    EXPECT_NEAR(world_.state(load).position.z, -1, 0.02);
}

} // namespace
} // namespace rigor
