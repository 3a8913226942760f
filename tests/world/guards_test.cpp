// A world guards itself: against changes during its step, against use after a move, and against
// hooks that throw.

#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "rigor/rigor.h"
#include "support/worlds.h"

namespace rigor::test {
namespace {

/// A box on the ground, in contact and joined to the world.
struct Scene {
    World world;
    BodyId ground = add_ground(world);
    BodyId box = world.add_body(body(BoxDef{{1, 1, 1}}, {0, 0, 0.5})).value();
    ShapeId shape = world.shapes(box).front();
    JointId joint =
        world.add_joint({.b = box, .anchor = {0, 0, 0.5}, .kind = HingeJoint{}}).value();
};

using Call = std::function<void(Scene&)>;

/// Every function of World that changes it.
std::vector<std::pair<const char*, Call>> changes(const Snapshot& snapshot) {
    return {
        {"set_settings", [](Scene& s) { s.world.set_settings({}); }},
        {"set_task_system", [](Scene& s) { s.world.set_task_system({}); }},
        {"add_body", [](Scene& s) { static_cast<void>(s.world.add_body({})); }},
        {"remove_body", [](Scene& s) { s.world.remove_body(s.box); }},
        {"reserve_bodies", [](Scene& s) { s.world.reserve_bodies(100); }},
        {"set_material_pair", [](Scene& s) { s.world.set_material_pair({}); }},
        {"add_joint", [](Scene& s) { static_cast<void>(s.world.add_joint({.b = s.box})); }},
        {"remove_joint", [](Scene& s) { s.world.remove_joint(s.joint); }},
        {"set_motor", [](Scene& s) { s.world.set_motor(s.joint, {}); }},
        {"set_spring", [](Scene& s) { s.world.set_spring(s.joint, {}); }},
        {"set_limits",
         [](Scene& s) {
             s.world.set_limits(s.joint, {-1, 1});
         }},
        {"set_steer", [](Scene& s) { s.world.set_steer(s.joint, 0.1); }},
        {"set_mesh_vertices", [](Scene& s) { s.world.set_mesh_vertices(s.shape, {}); }},
        {"wake", [](Scene& s) { s.world.wake(s.box); }},
        {"set_pose", [](Scene& s) { s.world.set_pose(s.box, {}); }},
        {"set_velocity",
         [](Scene& s) {
             s.world.set_velocity(s.box, {1, 0, 0});
         }},
        {"set_angular_velocity",
         [](Scene& s) {
             s.world.set_angular_velocity(s.box, {1, 0, 0});
         }},
        {"set_mass", [](Scene& s) { s.world.set_mass(s.box, 2); }},
        {"set_frozen", [](Scene& s) { s.world.set_frozen(s.box, true); }},
        {"set_material", [](Scene& s) { s.world.set_material(s.shape, {}); }},
        {"apply_force",
         [](Scene& s) {
             s.world.apply_force(s.box, {1, 0, 0});
         }},
        {"apply_force_at",
         [](Scene& s) {
             s.world.apply_force_at(s.box, {1, 0, 0}, {});
         }},
        {"apply_torque",
         [](Scene& s) {
             s.world.apply_torque(s.box, {1, 0, 0});
         }},
        {"apply_impulse_at",
         [](Scene& s) {
             s.world.apply_impulse_at(s.box, {1, 0, 0}, {});
         }},
        {"step", [](Scene& s) { s.world.step(kStep); }},
        {"set_contact_hooks", [](Scene& s) { s.world.set_contact_hooks({}); }},
        {"keep_island_ledgers", [](Scene& s) { s.world.keep_island_ledgers(true); }},
        {"keep_motion_records", [](Scene& s) { s.world.keep_motion_records(true); }},
        {"restore", [snapshot](Scene& s) { s.world.restore(snapshot); }},
        {"start_recording", [](Scene& s) { s.world.start_recording(); }},
        {"snapshot", [](Scene& s) { static_cast<void>(s.world.snapshot()); }},
    };
}

TEST(WorldGuards, NothingChangesAWorldFromAHook) {
    Scene scene;
    const Snapshot start = scene.world.snapshot();
    int refused = 0, calls = 0;
    const auto all = changes(start);
    ContactHooks hooks;
    hooks.modify = [&](const ContactView&, ContactChoice&) {
        ++calls;
        for (const auto& [name, change] : all) {
            try {
                change(scene);
                ADD_FAILURE() << name << " is accepted during a step";
            } catch (const UsageError& error) {
                EXPECT_NE(std::string(error.what()).find("during its step"), std::string::npos)
                    << name << ": " << error.what();
                ++refused;
            }
        }
        EXPECT_NEAR(scene.world.state(scene.box).position.z, 0.5, 1e-4) << "reading is allowed";
    };
    scene.world.set_contact_hooks(hooks);
    scene.world.step(kStep);
    scene.world.step(kStep);
    EXPECT_GE(calls, 1);
    EXPECT_EQ(refused, calls * static_cast<int>(all.size()));

    // And it is stepped as if nobody had tried.
    Scene other;
    other.world.step(kStep);
    other.world.step(kStep);
    EXPECT_EQ(scene.world.state_hash(), other.world.state_hash());
}

TEST(WorldGuards, AnotherThreadCannotChangeAWorldDuringItsStep) {
    Scene scene;
    bool was_refused = false;
    ContactHooks hooks;
    hooks.modify = [&](const ContactView&, ContactChoice&) {
        std::thread([&] {
            try {
                scene.world.set_velocity(scene.box, {9, 9, 9});
            } catch (const UsageError&) {
                was_refused = true;
            }
        }).join();
    };
    scene.world.set_contact_hooks(hooks);
    scene.world.step(kStep);
    scene.world.step(kStep);
    EXPECT_TRUE(was_refused);
}

TEST(WorldGuards, AHookThatThrowsLeavesTheWorldAsItWas) {
    for (const bool from_filter : {true, false}) {
        SCOPED_TRACE(from_filter ? "filter" : "modify");
        Scene scene, other;
        for (Scene* s : {&scene, &other}) {
            run_steps(s->world, 5);
            s->world.add_body(body(SphereDef{0.5}, {3, 0, 0.55})).value(); // a new pair
        }
        ContactHooks hooks;
        const auto fail = [] { throw std::runtime_error("not today"); };
        if (from_filter)
            hooks.filter = [&](const ContactSide&, const ContactSide&) { return fail(), true; };
        else
            hooks.modify = [&](const ContactView&, ContactChoice&) { fail(); };
        scene.world.set_contact_hooks(hooks);
        const std::uint64_t before = scene.world.state_hash();
        for (int i = 0; i < 3; ++i) EXPECT_THROW(scene.world.step(kStep), std::runtime_error);
        EXPECT_EQ(scene.world.state_hash(), before);
        EXPECT_EQ(scene.world.step_count(), other.world.step_count());

        scene.world.set_contact_hooks({}); // and goes on as if there had been none
        run_steps(scene.world, 30);
        run_steps(other.world, 30);
        EXPECT_EQ(scene.world.state_hash(), other.world.state_hash());
    }
}

TEST(WorldGuards, AWorldThatWasMovedFromSaysSo) {
    Scene scene;
    const Snapshot start = scene.world.snapshot();
    World moved = std::move(scene.world);
    for (const auto& [name, change] : changes(start)) {
        try {
            change(scene);
            ADD_FAILURE() << name << " is accepted by a world that was moved from";
        } catch (const UsageError& error) {
            EXPECT_STREQ(error.what(), "this world was moved from") << name;
        }
    }
    EXPECT_THROW(static_cast<void>(scene.world.bodies()), UsageError);
    EXPECT_THROW(static_cast<void>(scene.world.cast_ray({})), UsageError);
    EXPECT_THROW(static_cast<void>(scene.world.energy()), UsageError);
    scene.world = std::move(moved);
    scene.world.step(kStep);
    EXPECT_EQ(scene.world.step_count(), 1u);
}

} // namespace
} // namespace rigor::test
