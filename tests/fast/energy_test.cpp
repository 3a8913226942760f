// Energy under `fast`: it never grows without work; and stacks with large mass ratios stand.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

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

/// Six walls, and one solid between them that bounces without loss.
World room_with(const ShapeGeometry& solid, double gravity) {
    WorldSettings settings = fast_settings();
    settings.gravity = {0, 0, -gravity};
    World world(settings);
    for (const Vec3d& n : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
        for (const double sign : {1.0, -1.0}) {
            const BodyDef wall = test::body(PlaneDef{n * sign, -2}, {}, BodyType::static_body);
            world.add_body(test::with_material(wall, 0, 1)).value();
        }
    BodyDef def = test::with_material(test::body(solid, {0.1, 0.2, 0.1}), 0, 1);
    def.velocity = {5, 3, 1};
    def.angular_velocity = {3, -2, 5};
    world.add_body(def).value();
    return world;
}

// The speeds at which its points met were those before any of them acted, so restitution alone gave
// a body back more than it had: a rod had 10 million times its energy after 13 s. And a rod that
// turns slowly spins about its axis once a wall has hit its edge: its inertia must follow at once.
TEST(Energy, SolidsThatBounceBetweenWallsGainNone) {
    const std::vector<ShapeGeometry> solids{
        BoxDef{{0.5, 0.3, 0.2}},
        BoxDef{{0.03, 0.03, 1}},
        BoxDef{{1, 0.7, 0.02}},
        CylinderDef{0.2, 0.6},
        CapsuleDef{0.1, 0.5},
        HullDef{{{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0.1}, {0.3, 0.2, 1.1}, {0.9, 0.8, 0.3}}}};
    for (std::size_t i = 0; i < solids.size(); ++i)
        for (const double gravity : {0.0, 9.81})
            for (const double hz : {60.0, 240.0}) {
                SCOPED_TRACE(test::message("solid ", i, ", gravity ", gravity, ", Hz ", hz));
                World world = room_with(solids[i], gravity);
                const double scale = world.energy().kinetic;
                EXPECT_LT(gain(world, 1 / hz, static_cast<int>(20 * hz), scale), 2e-3);
            }
}

// A bounce gives back what it took, also where a body turns between the two: a cube kept 4 % of its
// energy after a minute.
TEST(Energy, SolidsThatBounceBetweenWallsLoseLittle) {
    const std::vector<std::pair<ShapeGeometry, double>> solids{{BoxDef{{0.4, 0.4, 0.4}}, 0.8},
                                                               {BoxDef{{0.5, 0.3, 0.2}}, 0.6},
                                                               {CylinderDef{0.2, 0.4}, 0.7}};
    for (const auto& [solid, least] : solids) {
        World world = room_with(solid, 0);
        const double start = world.energy().kinetic;
        for (int i = 0; i < 1200; ++i) world.step(kStep);
        EXPECT_GT(world.energy().kinetic, least * start);
    }
}

// Capsules, boxes and balls that bounce off each other: the tensor of those that others push was
// that of the beginning of the step, and they had five times their energy after 2 s.
TEST(Energy, ManyBodiesThatBounceOffEachOtherGainNone) {
    const std::array<ShapeGeometry, 3> shapes{BoxDef{{0.5, 0.3, 0.4}}, SphereDef{0.2},
                                              CapsuleDef{0.1, 0.4}};
    for (const double hz : {60.0, 240.0}) {
        SCOPED_TRACE(hz);
        World world = room_with(shapes[0], 0);
        Random random(7);
        for (int i = 0; i < 17; ++i) {
            const Vec3d at{i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 * 1.2 - 1.1};
            BodyDef def =
                test::with_material(test::body(shapes[static_cast<std::size_t>(i) % 3], at), 0, 1);
            def.velocity = random.vec(-5, 5);
            def.angular_velocity = random.vec(-9, 9);
            world.add_body(def).value();
        }
        const double start = world.energy().kinetic;
        EXPECT_LT(gain(world, 1 / hz, static_cast<int>(2 * hz), start), 0.01);
    }
}

/// Bodies of all kinds in nearly one place.
World heap_in_one_place(double gravity, double scatter) {
    WorldSettings settings = fast_settings();
    settings.gravity = {0, 0, -gravity};
    World world(settings);
    world.add_body(test::body(PlaneDef{{0, 0, 1}, -1}, {}, BodyType::static_body)).value();
    const std::array<ShapeGeometry, 4> shapes{
        BoxDef{{1, 1, 1}}, SphereDef{0.5}, CapsuleDef{0.3, 1},
        HullDef{{{0.5, 0, -0.4}, {-0.4, 0.4, -0.4}, {-0.4, -0.5, -0.3}, {0, 0.1, 0.6}}}};
    Random random(11);
    for (int i = 0; i < 16; ++i)
        world
            .add_body(
                test::body(shapes[static_cast<std::size_t>(i) % 4], random.vec(-scatter, scatter)))
            .value();
    return world;
}

// Soft contacts threw them apart: with 15 kJ from nothing where there is no gravity, and 40 boxes
// with five times what they had.
TEST(Energy, BodiesPlacedInEachOtherPartWithoutSpeed) {
    for (const double scatter : {0.0, 0.2}) {
        SCOPED_TRACE(scatter);
        World floating = heap_in_one_place(0, scatter);
        for (int i = 0; i < 180; ++i) floating.step(kStep);
        EXPECT_LT(floating.energy().kinetic, 50); // J, of 6 t: 13 cm/s
        EXPECT_LT(test::deepest(floating), 0.02);
        World falling = heap_in_one_place(9.81, scatter);
        const double weight = 9.81 * 16 * 500;           // N
        EXPECT_LT(gain(falling, kStep, 120, weight), 1); // m that they are lifted by
    }
}

// Joints on a body that others may use are swept over. Two hinges that corrected their errors as
// stiffly as one alone threw the links away within 3 s.
TEST(Energy, PendulumsOnAKinematicBodyGainNone) {
    for (const int links : {2, 3})
        for (const double hz : {60.0, 240.0}) {
            SCOPED_TRACE(test::message("links ", links, ", Hz ", hz));
            World world(fast_settings());
            BodyDef carrier = test::body(SphereDef{0.01}, {});
            carrier.type = BodyType::kinematic_body;
            carrier.mask = 0;
            BodyId last = world.add_body(carrier).value();
            for (int i = 0; i < links; ++i) {
                BodyDef link = box({1, 0.1, 0.1}, {i + 0.5, 0, 0}, 10);
                link.mask = 0;
                const BodyId id = world.add_body(link).value();
                const HingeJoint hinge{{0, 1, 0}};
                world.add_joint({.a = last, .b = id, .anchor = {double(i), 0, 0}, .kind = hinge})
                    .value();
                last = id;
            }
            const double swing = 10 * 9.81 * links * links / 2;
            EXPECT_LT(gain(world, 1 / hz, static_cast<int>(20 * hz), swing), 1e-3);
            EXPECT_LT(length(world.state(last).position), links);
        }
}

// Links that come near each other, or touch: while they were swept over for that, they gained up to
// a tenth of their energy.
TEST(Energy, LinksThatMeetEachOtherGainNone) {
    for (const int links : {3, 5}) {
        SCOPED_TRACE(links);
        World world(fast_settings());
        BodyId last;
        for (int i = 0; i < links; ++i) {
            const BodyId id = world.add_body(box({1, 0.1, 0.1}, {i + 0.5, 0, 0}, 1)).value();
            const HingeJoint hinge{{0, 1, 0}};
            world.add_joint({.a = last, .b = id, .anchor = {double(i), 0, 0}, .kind = hinge})
                .value();
            last = id;
        }
        EXPECT_LT(gain(world, test::kStep, 1800, 9.81 * links * links / 2), 0.02);
        EXPECT_LT(length(world.state(last).position), links);
    }
}

// The axis of a hinge and that of the rotation that a plane leaves free differ by rounding. Divided
// by its square, rounding held the body where it was.
TEST(Energy, AHingeAcrossItsPlaneLeavesAPendulumFree) {
    for (const int links : {1, 2, 3}) {
        SCOPED_TRACE(links);
        std::array<Vec3d, 2> ends;
        for (const bool is_locked : {false, true}) {
            World world(fast_settings());
            BodyId last;
            for (int i = 0; i < links; ++i) {
                BodyDef link = box({1, 0.1, 0.2}, {i + 0.5, 0, 0}, 10);
                link.mask = 0;
                if (is_locked) link.lock = lock_ty | lock_rx | lock_rz;
                const BodyId id = world.add_body(link).value();
                const HingeJoint hinge{{0, 1, 0}};
                world.add_joint({.a = last, .b = id, .anchor = {double(i), 0, 0}, .kind = hinge})
                    .value();
                last = id;
            }
            for (int i = 0; i < 30; ++i) world.step(kStep);
            ends[is_locked] = world.state(last).position;
        }
        EXPECT_LT(ends[0].z, -0.3);
        EXPECT_LT(length(ends[1] - ends[0]), 1e-3);
    }
}

} // namespace
} // namespace rigor
