// Energy under `fast`: it never grows without work; and stacks with large mass ratios stand.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fast_settings.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor {
namespace {

using test::fast_settings;
using test::kStep;
using test::Random;

BodyDef box(const Vec3d& size, const Vec3d& at, double mass) {
    BodyDef def = test::with_material(test::body(BoxDef{size}, at), 0.6);
    def.mass = mass;
    return def;
}

BodyId add_mass(World& world, const Vec3d& at, double mass, const Vec3d& inertia) {
    BodyDef def;
    def.position = at;
    def.mass_properties = MassProperties{mass, {}, Sym3d::diagonal(inertia)};
    return world.add_body(def).value();
}

/// Where the highest of ten boxes is after a minute, from where it was; mass(i) from below.
template <class Mass>
Vec3d shift_of_ten(const Mass& mass) {
    World world(fast_settings());
    BodyDef floor = box({40, 40, 2}, {0, 0, -1}, 1);
    floor.type = BodyType::static_body;
    floor.mass.reset();
    world.add_body(floor).value();
    BodyId top;
    for (int i = 0; i < 10; ++i)
        top = world.add_body(box({1, 1, 1}, {0, 0, 0.5 + i}, mass(i))).value();
    for (int i = 0; i < 3600; ++i) world.step(kStep);
    return world.state(top).position - Vec3d{0, 0, 9.5};
}

void expect_standing(const Vec3d& shift) {
    EXPECT_LT(std::hypot(shift.x, shift.y), 0.005);
    EXPECT_GT(shift.z, -0.1); // ten soft contacts give way by less than a centimeter each
}

// Each contact must carry far more than what lies next to it weighs.
TEST(Energy, TenBoxesStandWhenTheTopIsTenTimesAsHeavy) {
    expect_standing(shift_of_ten([](int i) { return i == 9 ? 1000.0 : 100.0; }));
    expect_standing(shift_of_ten([](int i) { return 100 * std::pow(10, i / 9.0); }));
    expect_standing(shift_of_ten([](int i) { return i % 2 == 0 ? 100.0 : 1000.0; }));
}

/// The highest total energy of a world over its first, in parts of what may swing.
double gain(World& world, double dt, int steps, double scale) {
    const double start = world.energy().total();
    double most = start;
    for (int i = 0; i < steps; ++i) {
        world.step(dt);
        most = std::max(most, world.energy().total());
    }
    return (most - start) / scale;
}

// Twenty links that swing from the horizontal, in steps so short that rounding and softness count.
TEST(Energy, AChainOfHingesGainsNone) {
    World world(fast_settings());
    BodyId last;
    for (int i = 0; i < 20; ++i) {
        const BodyId link = add_mass(world, {0.2 * i + 0.1, 0, 0}, 0.5, {5e-4, 2e-3, 2e-3});
        const HingeJoint hinge{{0, 1, 0}};
        world.add_joint({.a = last, .b = link, .anchor = {0.2 * i, 0, 0}, .kind = hinge}).value();
        last = link;
    }
    const double swing = 20 * 0.5 * 9.81 * 2; // J, down to where it hangs
    EXPECT_LT(gain(world, 1.0 / 240, 2400, swing), 2e-3);
}

// Rods that fall from the horizontal and crack like a whip, with the load of a thousand rods at the
// end or without. From eight hinges on they exploded.
TEST(Energy, ChainsOfThinRodsGainNoneAtAnyLength) {
    for (const int links : {2, 4, 8, 16, 32}) {
        for (const double load : {1.0, 1000.0}) {
            SCOPED_TRACE(test::message("links ", links, ", load ", load));
            World world(fast_settings());
            BodyId last;
            for (int i = 0; i < links; ++i) {
                const double mass = i == links - 1 ? load : 1;
                const BodyId rod =
                    add_mass(world, {i + 0.5, 0, 0}, mass, Vec3d{0.01, 1, 1} * (mass / 12));
                const HingeJoint hinge{{0, 1, 0}};
                world.add_joint({.a = last, .b = rod, .anchor = {double(i), 0, 0}, .kind = hinge})
                    .value();
                last = rod;
            }
            const double swing = 9.81 * (links * (load + 0.5 * (links - 1)));
            EXPECT_LT(gain(world, 1.0 / 60, 240, swing), 1e-3);
        }
    }
}

// Two thin rods in planes beside each other: their moments differ by a hundred times, and hinges
// must carry a torque across their axes all the time. It flew apart, at 240 Hz sooner than at 60.
TEST(Energy, ADoublePendulumOfHingesGainsNone) {
    for (const double hz : {60.0, 240.0, 1000.0}) {
        SCOPED_TRACE(hz);
        World world(fast_settings());
        const BodyId upper = world.add_body(box({1, 0.06, 0.06}, {0.5, 0, 0}, 28)).value();
        const BodyId lower = world.add_body(box({1, 0.06, 0.06}, {1.5, 0.08, 0}, 28)).value();
        const HingeJoint hinge{{0, 1, 0}};
        world.add_joint({.b = upper, .anchor = {0, 0, 0}, .kind = hinge}).value();
        world.add_joint({.a = upper, .b = lower, .anchor = {1, 0.04, 0}, .kind = hinge}).value();
        const double swing = 28 * 9.81 * 2;
        EXPECT_LT(gain(world, 1 / hz, static_cast<int>(5 * hz), swing), 2e-2);
    }
}

// Anchors far from both bodies: small turns make large motions, which the rows must not feed.
TEST(Energy, SlidersAndWheelsWithLongLeversGainNone) {
    Random random(5);
    for (const bool is_wheel : {false, true}) {
        for (int i = 0; i < 100; ++i) {
            World world(fast_settings());
            WorldSettings settings = world.settings();
            settings.gravity = {};
            world.set_settings(settings);
            const auto moments = [&] {
                return Vec3d{random.uniform(0.8, 1), random.uniform(0.8, 1),
                             random.uniform(0.8, 1)};
            };
            const BodyId a = add_mass(world, {}, random.uniform(0.5, 5), moments());
            const BodyId b = add_mass(world, random.vec(), random.uniform(0.5, 5), moments());
            JointDef def{.a = a, .b = b, .anchor = random.direction() * 30.0};
            const Vec3d axis = random.direction();
            const Vec3d steer_axis = normalize(cross(axis, random.direction()));
            def.kind = SliderJoint{axis};
            if (is_wheel) {
                def.kind = WheelJoint{axis, steer_axis};
                def.spring = SpringDef{2, 0.5};
            }
            world.add_joint(def).value();
            world.set_angular_velocity(a, random.vec(-3, 3));
            world.set_velocity(b, random.vec(-3, 3));
            world.step(kStep); // what the joint forbids is taken away
            const double start = world.energy().kinetic;
            EXPECT_LT(gain(world, kStep, 600, start), 0.02)
                << (is_wheel ? "wheel " : "slider ") << i;
        }
    }
}

} // namespace
} // namespace rigor
