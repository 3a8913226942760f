// Limits of joints make no energy and are kept where bodies swing on them: ropes, cones, ranges of
// several degrees of freedom at once, in trees.
#include <gtest/gtest.h>

#include <cmath>

#include "fast_settings.h"
#include "rigor/world.h"

namespace rigor {
namespace {

class Limits : public testing::Test {
  protected:
    static constexpr double kG = 9.81;

    static BodyId add_mass(World& world, const Vec3d& at, double mass, double radius) {
        const double i = 0.4 * mass * radius * radius;
        BodyDef def;
        def.position = at;
        def.mass_properties = MassProperties{mass, {}, Sym3d::diagonal({i, 1.5 * i, 2 * i})};
        return world.add_body(def).value();
    }
    static JointId join(World& world, const JointKind& kind, BodyId a, BodyId b,
                        const Vec3d& anchor) {
        return world.add_joint({.a = a, .b = b, .anchor = anchor, .kind = kind}).value();
    }
    static JointId add_rope(World& world, BodyId a, BodyId b, const Vec3d& at, const Vec3d& to,
                            double length) {
        return join(world, DistanceJoint{to, Range{0, length}}, a, b, at);
    }
    /// The largest rise of energy, and into `fall` its fall.
    static double run(World& world, double seconds, double hz, double* fall = nullptr) {
        const double start = world.energy().total();
        double rise = 0;
        for (long i = std::lround(seconds * hz); i > 0; --i) {
            world.step(1 / hz);
            const double now = world.energy().total() - start;
            EXPECT_TRUE(std::isfinite(now));
            rise = std::max(rise, now);
            if (fall != nullptr) *fall = std::max(*fall, -now);
        }
        return rise;
    }
};

// A rope that is taut at the start is a pendulum, though nothing but a limit holds it.
TEST_F(Limits, ATautRopeIsAPendulum) {
    for (const double hz : {30.0, 60.0, 240.0}) {
        World world{test::fast_settings()};
        const BodyId bob = add_mass(world, {0.8, 0, -0.6}, 1, 0.1);
        const JointId rope = add_rope(world, {}, bob, {}, {0.8, 0, -0.6}, 1);
        double fall = 0, longest = 0;
        for (int i = 0; i < 10; ++i) {
            EXPECT_LT(run(world, 1, hz, &fall), 1e-3 * kG) << hz;
            longest = std::max(longest, world.joint_state(rope).coordinate);
        }
        EXPECT_LT(fall, 1e-3 * kG) << hz;
        EXPECT_LT(longest, 1 + 1e-5) << hz;
    }
}

// Slack ropes of bodies of different masses become taut, and nobody gets higher than before.
TEST_F(Limits, ChainsOfRopesMakeNoEnergy) {
    for (const double hz : {30.0, 60.0, 240.0})
        for (const double last : {1.0, 1000.0}) {
            World world{test::fast_settings()};
            BodyId body;
            Vec3d from;
            for (int i = 0; i < 5; ++i) {
                const double mass = i == 4 ? last : 1 + i;
                const Vec3d at{0.6 * (i + 1), 0.2 * (i % 2), 0.3 * (i % 3)};
                const BodyId next = add_mass(world, at, mass, 0.15);
                add_rope(world, body, next, from, at + Vec3d{0, 0, 0.1}, 0.8);
                body = next;
                from = at - Vec3d{0, 0, 0.1};
            }
            EXPECT_LT(run(world, 8, hz), 1e-3 * (10 + last) * kG * 3) << hz << " " << last;
        }
}

// Rods between ropes, in a tree, on both ends of a range.
TEST_F(Limits, RangesInATreeMakeNoEnergy) {
    for (const double hz : {60.0, 240.0}) {
        World world{test::fast_settings()};
        const BodyId hub = add_mass(world, {0.5, 0, 0}, 2, 0.3);
        join(world, HingeJoint{{0, 1, 0}}, {}, hub, {});
        for (int i = 0; i < 4; ++i) {
            const Vec3d at{1.0 + 0.2 * i, 0.4 * (i - 1.5), 0.3};
            const BodyId body = add_mass(world, at, i == 1 ? 30 : 1, 0.2);
            const Vec3d on_hub{0.6, 0.1 * (i - 1.5), 0}, on_body = at - Vec3d{0.1, 0.05, 0};
            const double d = length(on_body - on_hub);
            const Range range = i == 3 ? Range{d, d} : Range{0.8 * d, 1.1 * d};
            join(world, DistanceJoint{on_body, range}, hub, body, on_hub);
            const BodyId end = add_mass(world, at + Vec3d{0.5, 0, 0}, 1, 0.1);
            join(world, BallJoint{}, body, end, at + Vec3d{0.2, 0, 0.1});
        }
        EXPECT_LT(run(world, 8, hz), 1e-3 * 40 * kG * 1.5) << hz;
    }
}

// A cone and a twist, and a box of translations and rotations: several limits of one joint at once.
TEST_F(Limits, SeveralLimitsOfAJointMakeNoEnergy) {
    for (const double hz : {30.0, 60.0, 240.0}) {
        World world{test::fast_settings()};
        const BodyId arm = add_mass(world, {0.4, 0, 0.1}, 1, 0.3),
                     hand = add_mass(world, {0.8, 0.1, 0.2}, 5, 0.2),
                     load = add_mass(world, {1.1, 0.3, 0.1}, 20, 0.2);
        join(world, ConeTwistJoint{{1, 0, 0}, 0.7, {-0.3, 0.4}}, {}, arm, {});
        SixDofJoint wrist;
        wrist.axes = {Range{-0.1, 0.1}, {0, 0},      {-0.05, 0.2},
                      {-0.5, 0.5},      {-0.4, 0.6}, {-0.3, 0.3}};
        join(world, wrist, arm, hand, {0.6, 0.05, 0.1});
        HingeJoint hinge{{0, 0.6, 0.8}};
        hinge.limits = Range{-1, 0.5};
        join(world, hinge, hand, load, {0.9, 0.2, 0.2});
        EXPECT_LT(run(world, 8, hz), 1e-3 * 26 * kG) << hz;
    }
}

// Those of a group must not depend on the groups that are solved beside it.
TEST_F(Limits, GiveTheSameBitsForAnyLanesAndThreads) {
    const auto hash = [&](int threads, int lanes) {
        WorldSettings settings = test::fast_settings();
        settings.threads = threads;
        settings.lanes = lanes;
        World world(settings);
        for (int k = 0; k < 11; ++k) { // alike, and at their limits at different times
            BodyId last;
            Vec3d from{0, 3.0 * k, 0};
            for (int i = 0; i < 3; ++i) {
                const Vec3d at = from + Vec3d{0.5, 0.02 * k, 0.03 * k * i};
                const BodyId body = add_mass(world, at, 1 + i, 0.2);
                HingeJoint hinge{{0, 1, 0}};
                hinge.limits = Range{-0.1 * k, 1};
                if (i == 1)
                    join(world, hinge, last, body, from);
                else
                    add_rope(world, last, body, from, at, 0.7);
                last = body;
                from = at + Vec3d{0.1, 0, 0};
            }
        }
        run(world, 1.5, 60);
        return world.state_hash();
    };
    const std::uint64_t expected = hash(1, 8);
    for (const int threads : {1, 3})
        for (const int lanes : {1, 4, 8})
            EXPECT_EQ(hash(threads, lanes), expected) << threads << " " << lanes;
}

// The axis of a hinge is not quite normal to the plane that its bodies are kept in.
TEST_F(Limits, HingesALittleOffTheirPlaneSwingInIt) {
    for (const double tilt : {0.0, 1e-4, 1e-3, 1e-2, 0.05}) {
        World world{test::fast_settings()};
        BodyId link;
        for (int i = 0; i < 5; ++i) {
            BodyDef def;
            def.position = {i + 0.5, 0, 0};
            def.lock = lock_ty | lock_rx | lock_rz;
            def.mass_properties =
                MassProperties{1.0 + i, {}, Sym3d::diagonal({0.02, 0.08, 0.08}) * (1.0 + i)};
            const BodyId next = world.add_body(def).value();
            const Vec3d axis = normalize(Vec3d{tilt, 1, i % 2 == 0 ? -tilt : 0.5 * tilt});
            join(world, HingeJoint{axis}, link, next, {double(i), 0, 0});
            link = next;
        }
        double fall = 0;
        run(world, 1, 60, &fall);
        EXPECT_LT(world.state(link).position.z, -1) << tilt; // they do not hold each other
        EXPECT_LT(run(world, 7, 60, &fall), 1e-3 * 15 * kG * 3.7) << tilt;
        EXPECT_LT(fall, 2e-2 * 15 * kG * 3.7) << tilt;
        EXPECT_LT(world.state(link).position.z, 5) << tilt;
    }
}

} // namespace
} // namespace rigor
