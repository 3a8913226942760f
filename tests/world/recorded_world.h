// A world to which everything is done that can be done, recorded.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "support/worlds.h"
#include "test_support.h"
#include "world/recorder.h"

namespace rigor::test {

inline std::shared_ptr<const TriangleSoup> tetrahedron() {
    return std::make_shared<TriangleSoup>(
        TriangleSoup{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                     {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
}

inline BodyDef body(const std::string& name, const ShapeGeometry& geometry, const Vec3d& position) {
    BodyDef def = body(geometry, position);
    def.name = name;
    return def;
}

inline BodyDef hill() {
    HeightFieldDef field{10, 10, 5, 4, {}};
    for (int i = 0; i < 20; ++i) field.heights.push_back(0.01 * (i % 3));
    BodyDef def = body("hill", field, {20, 0, 0});
    def.type = BodyType::static_body;
    return def;
}

/// One of each kind that may move.
inline std::vector<BodyDef> movers() {
    const auto soup = tetrahedron();
    ShapeDef left{BoxDef{{0.5, 0.5, 0.5}}}, right{SphereDef{0.3}};
    left.position.x = -0.3;
    right.position.x = 0.3;
    right.material.density = 7800;
    const ShapeDef inner{CompoundDef{{left, right}}};
    std::vector<BodyDef> all{
        body("sphere", SphereDef{}, {0, 0, 1}),
        body("box", BoxDef{}, {2, 0, 1}),
        body("capsule", CapsuleDef{0.3, 0.6}, {4, 0, 1}),
        body("cylinder", CylinderDef{}, {6, 0, 1}),
        body("cone", ConeDef{}, {8, 0, 1}),
        body("hull", HullDef{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}}, {0, 3, 1}),
        body("mesh", MeshDef{soup}, {2, 3, 1}),
        body("same mesh", MeshDef{soup}, {4, 3, 1}),
        body("pieces", MeshDef{soup, 0.2}, {6, 3, 1}),
        body("compound", CompoundDef{{inner, left}}, {8, 3, 1}),
    };
    all[1].shapes[0].rounding = 0.05;
    all[1].angular_velocity = {1, 2, 3};
    all[2].mass = 5;
    all[3].mass_properties = MassProperties{2, {0, 0, 0.1}, Sym3d::diagonal({1, 1, 1.5})};
    all[4].lock = lock_rx | lock_ry;
    all[5].linear_damping = 0.1;
    all[6].shapes[0].material.surface_velocity = {0.1, 0, 0};
    return all;
}

/// A row of balls, each joined to the one before in another way; a gear between two hinges.
inline std::vector<JointId> join_balls(World& world) {
    const Vec3d axis{0, 1, 0};
    const HingeJoint hinge{.axis = axis, .motor = MotorDef{2.0, {}, 5}};
    const JointKind kinds[] = {BallJoint{},
                               hinge,
                               SliderJoint{.axis = axis, .limits = Range{-0.1, 0.1}},
                               FixedJoint{},
                               DistanceJoint{.anchor_b = {2.25, 10, 5.5}},
                               ConeTwistJoint{.axis = axis, .cone = 0.5},
                               SixDofJoint{},
                               WheelJoint{.axis = axis},
                               hinge};
    std::vector<JointId> joints;
    BodyId last = world.add_body(body("ball 0", SphereDef{0.2}, {0, 10, 5})).value();
    for (const JointKind& kind : kinds) {
        const double x = 0.5 * static_cast<double>(joints.size() + 1);
        const std::string name = "ball " + std::to_string(joints.size() + 1);
        const BodyId next = world.add_body(body(name, SphereDef{0.2}, {x, 10, 5})).value();
        JointDef def{
            .name = "joint", .a = last, .b = next, .anchor = {x - 0.25, 10, 5}, .kind = kind};
        if (joints.empty()) def.spring = SpringDef{5, 0.5};
        joints.push_back(world.add_joint(def).value());
        last = next;
    }
    const GearJoint gear{.a = joints[1], .b = joints[8], .ratio = 2};
    joints.push_back(world.add_joint({.kind = gear}).value());
    return joints;
}

/// Everything that can be done to a world, over some seconds.
inline void live(World& world, int steps) {
    world.set_material_pair({0, 1, 0.3, {}, 0.5});
    const BodyId floor = add_ground(world);
    world.add_body(hill()).value();
    std::vector<BodyId> ids;
    for (const BodyDef& def : movers()) ids.push_back(world.add_body(def).value());
    BodyDef platform = body("platform", BoxDef{}, {-5, 0, 1});
    platform.type = BodyType::kinematic_body;
    const BodyId lift = world.add_body(platform).value();
    const std::vector<JointId> joints = join_balls(world);
    for (int i = 0; i < steps; ++i) {
        if (i % 7 == 0) world.apply_force(ids[0], {10.5, 0, 1});
        if (i % 11 == 0) world.apply_torque(ids[1], {0, 0.25, 100});
        if (i % 13 == 0) world.apply_force_at(ids[2], {0, 1, 3}, {4, 0, 1.1});
        if (i == 20) world.apply_impulse_at(ids[3], {0, 0, 7}, {6, 0.1, 1});
        if (i == 25) world.set_pose(ids[4], {{8, 1, 2}, normalize(Quatd{1, 0.1, 0, 0})});
        if (i == 30) world.set_velocity(ids[5], {0, 0, 3});
        if (i == 31) world.set_angular_velocity(ids[5], {3, 0, 3});
        if (i == 32) world.set_velocity(lift, {0, 0, 0.1});
        if (i == 40) world.set_motor(joints[1], MotorDef{{}, 1.0, 5});
        if (i == 41) world.set_spring(joints[2], SpringDef{3, 1});
        if (i == 42) world.set_limits(joints[2], {-0.2, 0.2});
        if (i == 43) world.set_steer(joints[7], 0.2);
        if (i == 44) world.set_mass(ids[1], 3.5);
        if (i == 45 || i == 65) world.set_frozen(ids[2], i == 45);
        if (i == 46) {
            Material ice;
            ice.static_friction = ice.kinetic_friction = 0.05;
            world.set_material(world.shapes(ids[3])[0], ice);
        }
        if (i == 50) world.remove_joint(joints[3]);
        if (i == 55) world.remove_body(ids[9]);
        if (i == 56) world.add_body(body("late", BoxDef{}, {8, 3, 3})).value();
        if (i == 60) {
            WorldSettings settings = world.settings();
            settings.gravity.z = -5;
            world.set_settings(settings);
        }
        if (i == 150) world.wake(ids[1]);
        if (i == 170) world.remove_body(floor);
        world.step(i % 2 == 0 ? kStep : 1.0 / 50);
    }
}

inline Recording record(int steps, const WorldSettings& settings = settings_of(Method::fast)) {
    World world(settings);
    world.start_recording();
    live(world, steps);
    return world.recording();
}

inline std::vector<std::uint8_t> content_of(const Recording& recording) {
    return {recording.bytes().begin() + kRecordingContent, recording.bytes().end()};
}

inline Result<Recording> from_content(const std::vector<std::uint8_t>& content) {
    return Recording::parse(recording_file(content));
}

} // namespace rigor::test
