// Springs of joints: of second order in the step, calm at any stiffness, and without energy of
// their own.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "fast_settings.h"
#include "rigor/rotation.h"
#include "rigor/world.h"

namespace rigor::springs_test {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kG = 9.81;

BodyId add_mass(World& world, const Vec3d& at, double mass, const Vec3d& moments) {
    BodyDef def;
    def.type = BodyType::dynamic_body;
    def.position = at;
    def.mass_properties = MassProperties{mass, {}, Sym3d::diagonal(moments)};
    return world.add_body(def).value();
}
BodyId add_rod(World& world, double begin) {
    return add_mass(world, {begin + 0.5, 0, 0}, 1, {0.01, 0.08, 0.08});
}

World world_of(int substeps, const Vec3d& gravity) {
    WorldSettings settings = test::fast_settings();
    settings.substeps = substeps;
    settings.gravity = gravity;
    return World(settings);
}

double stiffness(double mass, double hertz) {
    return mass * std::pow(2 * kPi * hertz, 2);
}

/// x'' + 2 zeta w x' + w² x = 0.
double oscillator(double x, double v, double w, double zeta, double t) {
    const double decay = zeta * w, s = w * std::sqrt(std::abs(1 - zeta * zeta));
    const double c = zeta < 1 ? std::cos(s * t) : std::cosh(s * t);
    const double d = zeta < 1 ? std::sin(s * t) : std::sinh(s * t);
    return std::exp(-decay * t) * (x * c + (v + decay * x) / s * d);
}

struct Start {
    double x, v;
};

/// The largest distance from the oscillator in a second, / its amplitude.
double oscillator_error(const SpringDef& spring, const Start& start, double dt, int substeps) {
    World world = world_of(substeps, {});
    const BodyId body = add_mass(world, {}, 2, {0.1, 0.1, 0.1});
    const JointId slider =
        world.add_joint({.b = body, .kind = SliderJoint{{1, 0, 0}}, .spring = spring}).value();
    world.set_pose(body, {{start.x, 0, 0}, {}});
    world.set_velocity(body, {start.v, 0, 0});
    const double w = 2 * kPi * spring.frequency_hz, size = std::hypot(start.x, start.v / w);
    double worst = 0;
    for (int i = 1; i <= std::lround(1 / dt); ++i) {
        world.step(dt);
        const double x = oscillator(start.x, start.v, w, spring.damping_ratio, i * dt);
        worst = std::max(worst, std::abs(world.joint_state(slider).coordinate - x));
    }
    return worst / size;
}

TEST(Springs, FollowADampedOscillatorToSecondOrder) {
    for (const double zeta : {0.0, 0.1, 0.5, 1.5}) {
        for (const Start start : {Start{0.1, 0}, {0, 1}}) {
            SCOPED_TRACE(testing::Message() << "zeta " << zeta << ", v " << start.v);
            const SpringDef spring{2, zeta};
            const double at_60 = oscillator_error(spring, start, 1.0 / 60, 4);
            EXPECT_LT(at_60, 5e-3);
            EXPECT_NEAR(at_60 / oscillator_error(spring, start, 1.0 / 120, 4), 4, 0.3);
            EXPECT_NEAR(at_60 / oscillator_error(spring, start, 1.0 / 60, 8), 4, 0.3);
        }
    }
}

using Scene = std::function<BodyId(World&)>;

Vec3d place_after(const Scene& scene, double seconds, double dt) {
    World world = world_of(4, {0, 0, -kG});
    const BodyId body = scene(world);
    for (int i = 0; i < std::lround(seconds / dt); ++i) world.step(dt);
    return world.state(body).position;
}

/// A body beside the origin, on a joint there.
Scene on_joint(const JointKind& kind, const SpringDef& spring) {
    return [=](World& world) {
        const BodyId body = add_mass(world, {0.5, 0, 0}, 1, {0.05, 0.08, 0.06});
        world.add_joint({.b = body, .kind = kind, .spring = spring}).value();
        return body;
    };
}

// Of joints whose effective mass changes as they turn, too.
TEST(Springs, OfAllJointsAreOfSecondOrder) {
    SixDofJoint six;
    six.axes = {Range{0, 0}, Range{-5, 5}, Range{0, 0}, Range{-3, 3}, Range{0, 0}, Range{-3, 3}};
    const MotorDef motor{.target_position = 0.5, .max_force = 1000};
    const std::pair<const char*, Scene> scenes[] = {
        {"hinge", on_joint(HingeJoint{{0, 1, 0}}, {1.5, 0.1})},
        {"position motor", on_joint(HingeJoint{.axis = {0, 1, 0}, .motor = motor}, {3, 0.3})},
        {"ball", on_joint(BallJoint{}, {3, 0.05})},
        {"fixed", on_joint(FixedJoint{}, {3, 0.05})},
        {"six dof", on_joint(six, {3, 0.05})},
        {"distance", on_joint(DistanceJoint{{0.5, 0.1, 0}}, {2, 0.05})},
        {"two springs",
         [](World& world) {
             const BodyId body = add_mass(world, {0.5, 0, 0}, 1, {0.05, 0.08, 0.06});
             const auto add = [&](const Vec3d& a, const Vec3d& b, const SpringDef& spring) {
                 world
                     .add_joint(
                         {.b = body, .anchor = a, .kind = DistanceJoint{b}, .spring = spring})
                     .value();
             };
             add({0, 0.3, 0}, {0.5, 0.3, 0}, {2, 0.05});
             add({1, -0.3, 0.4}, {0.5, -0.2, 0}, {3, 0.02});
             return body;
         }},
        {"soft end of two rods",
         [](World& world) {
             const BodyId a = add_rod(world, 0), b = add_rod(world, 1), c = add_rod(world, 2);
             const HingeJoint hinge{{0, 1, 0}};
             world.add_joint({.b = a, .kind = hinge}).value();
             world.add_joint({.a = a, .b = b, .anchor = {1, 0, 0}, .kind = hinge}).value();
             world
                 .add_joint({.a = b,
                             .b = c,
                             .anchor = {2, 0, 0},
                             .kind = BallJoint{},
                             .spring = SpringDef{3, 0.1}})
                 .value();
             return c;
         }},
    };
    for (const auto& [name, scene] : scenes) {
        SCOPED_TRACE(name);
        const Vec3d exact = place_after(scene, 0.8, 1.0 / 480);
        const double coarse = length(place_after(scene, 0.8, 1.0 / 30) - exact);
        const double fine = length(place_after(scene, 0.8, 1.0 / 60) - exact);
        EXPECT_LT(coarse, 3e-3);
        EXPECT_GT(coarse / fine, 3);
    }
}

// A spring of 1,000 Hz turns by 25 rad in a substep of 240 Hz.
TEST(Springs, StiffOnesComeToRestAndNeverGain) {
    for (const double hertz : {5.0, 20.0, 60.0, 120.0, 240.0, 1000.0}) {
        for (const double zeta : {0.0, 0.1, 1.0, 10.0}) {
            for (const double dt : {1.0 / 30, 1.0 / 60, 1.0 / 240}) {
                SCOPED_TRACE(testing::Message() << hertz << " Hz, zeta " << zeta << ", dt " << dt);
                World world = world_of(4, {0, 0, -kG});
                const BodyId body = add_mass(world, {}, 2, {0.1, 0.1, 0.1});
                const SpringDef spring{hertz, zeta};
                world.add_joint({.b = body, .kind = SliderJoint{{0, 0, 1}}, .spring = spring})
                    .value();
                world.set_velocity(body, {0, 0, 1});
                const double k = stiffness(2, hertz), start = world.energy().total();
                double least = start, gain = 0;
                for (int i = 0; i < std::lround(5 / dt); ++i) {
                    world.step(dt);
                    const double x = world.state(body).position.z;
                    const double now = world.energy().total() + 0.5 * k * x * x;
                    least = std::min(least, now);
                    gain = std::max(gain, now - least);
                }
                EXPECT_LT(gain, 1e-3 * start);
                if (zeta != 0.1 && zeta != 1) continue;
                EXPECT_NEAR(world.state(body).velocity.z, 0, 1e-4);
                EXPECT_NEAR(world.state(body).position.z, -2 * kG / k, 2e-3 * kG / k + 1e-6);
            }
        }
    }
}

// Springs of one body are solved one after the other. With what the others did in the last substep
// they fed each other: two of 15 Hz had four times their energy after 20 s.
TEST(Springs, OfOneBodyGainNoneTogether) {
    for (const double hertz : {2.0, 8.0, 15.0, 25.0}) {
        for (const int count : {2, 3, 6, 12, 24}) {
            SCOPED_TRACE(testing::Message() << count << " of " << hertz << " Hz");
            World world = world_of(4, {0, 0, -kG});
            const BodyId body = add_mass(world, {}, 2, {0.1, 0.1, 0.1});
            const auto anchor = [&](int i) {
                const double angle = 2 * kPi * i / count;
                return Vec3d{std::cos(angle), std::sin(angle), 0.4 + 0.1 * i};
            };
            for (int i = 0; i < count; ++i)
                world
                    .add_joint({.b = body,
                                .anchor = anchor(i),
                                .kind = DistanceJoint{},
                                .spring = SpringDef{hertz, 0}})
                    .value();
            world.set_velocity(body, {0.5, 0.2, 1});
            const auto energy = [&] {
                double sum = world.energy().total();
                for (int i = 0; i < count; ++i) {
                    const double x =
                        length(world.state(body).position - anchor(i)) - length(anchor(i));
                    sum += 0.5 * stiffness(2, hertz) * x * x;
                }
                return sum;
            };
            const double start = energy();
            double least = start, gain = 0;
            for (int i = 0; i < 1200; ++i) {
                world.step(test::kStep);
                least = std::min(least, energy());
                gain = std::max(gain, energy() - least);
            }
            EXPECT_LT(gain, 5e-3 * start);
        }
    }
}

// The same where rigid joints connect them.
TEST(Springs, OfAChainGainNoneTogether) {
    for (const double hertz : {2.0, 5.0, 10.0}) {
        SCOPED_TRACE(hertz);
        World world = world_of(4, {});
        BodyId last;
        for (int i = 0; i < 2; ++i) {
            const BodyId rod = add_rod(world, i);
            world
                .add_joint({.a = last,
                            .b = rod,
                            .anchor = {1.0 * i, 0, 0},
                            .kind = HingeJoint{{0, 1, 0}},
                            .spring = SpringDef{hertz, 0}})
                .value();
            last = rod;
        }
        world.set_velocity(last, {0, 0, 0.3});
        double first = 0, largest = 0;
        for (int i = 0; i < 1800; ++i) {
            world.step(test::kStep);
            if (i == 0) continue; // what the joints forbid is taken away
            (i < 600 ? first : largest) =
                std::max(i < 600 ? first : largest, world.energy().kinetic);
        }
        EXPECT_LT(largest, 1.01 * first);
        EXPECT_GT(largest, 0.98 * first);
    }
}

/// How far a load on a spring comes from the end of two rods that swing, m.
double farthest_load(double dt) {
    World world = world_of(4, {0, 0, -kG});
    const HingeJoint hinge{{0, 1, 0}};
    const BodyId a = add_rod(world, 0), b = add_rod(world, 1);
    world.add_joint({.b = a, .kind = hinge}).value();
    world.add_joint({.a = a, .b = b, .anchor = {1, 0, 0}, .kind = hinge}).value();
    const BodyId load = add_mass(world, {2, 0, -1}, 1, {0.1, 0.1, 0.1});
    world
        .add_joint({.a = b,
                    .b = load,
                    .anchor = {2, 0, 0},
                    .kind = DistanceJoint{{2, 0, -1}},
                    .spring = SpringDef{5, 0.2}})
        .value();
    double farthest = 0;
    for (int i = 0; i < std::lround(1 / dt); ++i) {
        world.step(dt);
        const Quatd q = world.state(b).orientation;
        const Vec3d end = world.state(b).position + rotate(q, Vec3d{0.5, 0, 0});
        farthest = std::max(farthest, length(world.state(load).position - end));
    }
    return farthest;
}

// Whose springs are no part of the system of its rigid joints: they were not solved at all.
TEST(Springs, AtTheEndOfRigidLinksHold) {
    const double exact = farthest_load(1.0 / 480);
    EXPECT_GT(exact, 1.01);
    EXPECT_LT(exact, 1.5);
    EXPECT_NEAR(farthest_load(1.0 / 60), exact, 4e-3); // 6e-3 when the second halves acted alone
}

} // namespace
} // namespace rigor::springs_test
