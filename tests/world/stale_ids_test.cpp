// Ids that name nothing: of removed objects whose slot is taken again, of another world, and null.
// Every function of World that takes an id throws one sentence, and nothing changes.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "rigor/rigor.h"
#include "support/worlds.h"

namespace rigor::test {
namespace {

struct Ids {
    BodyId body;
    ShapeId shape;
    JointId joint;
};

using CallWithIds = std::function<void(World&, const Ids&)>;

std::vector<std::pair<const char*, CallWithIds>> body_calls() {
    const Vec3d v{1, 0, 0};
    return {
        {"remove_body", [](World& w, const Ids& i) { w.remove_body(i.body); }},
        {"joints", [](World& w, const Ids& i) { static_cast<void>(w.joints(i.body)); }},
        {"name", [](World& w, const Ids& i) { static_cast<void>(w.name(i.body)); }},
        {"type", [](World& w, const Ids& i) { static_cast<void>(w.type(i.body)); }},
        {"is_awake", [](World& w, const Ids& i) { static_cast<void>(w.is_awake(i.body)); }},
        {"wake", [](World& w, const Ids& i) { w.wake(i.body); }},
        {"is_quarantined",
         [](World& w, const Ids& i) { static_cast<void>(w.is_quarantined(i.body)); }},
        {"shapes", [](World& w, const Ids& i) { static_cast<void>(w.shapes(i.body)); }},
        {"mass_properties",
         [](World& w, const Ids& i) { static_cast<void>(w.mass_properties(i.body)); }},
        {"state", [](World& w, const Ids& i) { static_cast<void>(w.state(i.body)); }},
        {"pose", [](World& w, const Ids& i) { static_cast<void>(w.pose(i.body)); }},
        {"velocity_at",
         [](World& w, const Ids& i) { static_cast<void>(w.velocity_at(i.body, {})); }},
        {"set_pose", [](World& w, const Ids& i) { w.set_pose(i.body, {}); }},
        {"set_velocity", [v](World& w, const Ids& i) { w.set_velocity(i.body, v); }},
        {"set_angular_velocity",
         [v](World& w, const Ids& i) { w.set_angular_velocity(i.body, v); }},
        {"set_mass", [](World& w, const Ids& i) { w.set_mass(i.body, 2); }},
        {"set_frozen", [](World& w, const Ids& i) { w.set_frozen(i.body, true); }},
        {"apply_force", [v](World& w, const Ids& i) { w.apply_force(i.body, v); }},
        {"apply_force_at", [v](World& w, const Ids& i) { w.apply_force_at(i.body, v, {}); }},
        {"apply_torque", [v](World& w, const Ids& i) { w.apply_torque(i.body, v); }},
        {"apply_impulse_at", [v](World& w, const Ids& i) { w.apply_impulse_at(i.body, v, {}); }},
        {"contacts", [](World& w, const Ids& i) { static_cast<void>(w.contacts(i.body)); }},
        {"distance",
         [](World& w, const Ids& i) { static_cast<void>(w.distance(w.bodies()[0], i.body)); }},
        {"contact_points",
         [](World& w, const Ids& i) {
             static_cast<void>(w.contact_points(i.body, w.bodies()[0]));
         }},
        {"time_of_impact",
         [](World& w, const Ids& i) {
             static_cast<void>(w.time_of_impact(i.body, {}, w.bodies()[0], {}));
         }},
        {"bounds", [](World& w, const Ids& i) { static_cast<void>(w.bounds(i.body)); }},
        {"island_ledger",
         [](World& w, const Ids& i) { static_cast<void>(w.island_ledger(i.body)); }},
    };
}

std::vector<std::pair<const char*, CallWithIds>> shape_calls() {
    return {
        {"material", [](World& w, const Ids& i) { static_cast<void>(w.material(i.shape)); }},
        {"set_material", [](World& w, const Ids& i) { w.set_material(i.shape, {}); }},
        {"mesh_vertices",
         [](World& w, const Ids& i) { static_cast<void>(w.mesh_vertices(i.shape)); }},
        {"is_deformed", [](World& w, const Ids& i) { static_cast<void>(w.is_deformed(i.shape)); }},
        {"local_pose", [](World& w, const Ids& i) { static_cast<void>(w.local_pose(i.shape)); }},
        {"set_mesh_vertices", [](World& w, const Ids& i) { w.set_mesh_vertices(i.shape, {}); }},
    };
}

std::vector<std::pair<const char*, CallWithIds>> joint_calls() {
    return {
        {"remove_joint", [](World& w, const Ids& i) { w.remove_joint(i.joint); }},
        {"name", [](World& w, const Ids& i) { static_cast<void>(w.name(i.joint)); }},
        {"joint_state", [](World& w, const Ids& i) { static_cast<void>(w.joint_state(i.joint)); }},
        {"track_points",
         [](World& w, const Ids& i) { static_cast<void>(w.track_points(i.joint, 9)); }},
        {"set_motor", [](World& w, const Ids& i) { w.set_motor(i.joint, {}); }},
        {"set_spring", [](World& w, const Ids& i) { w.set_spring(i.joint, {}); }},
        {"set_limits",
         [](World& w, const Ids& i) {
             w.set_limits(i.joint, {-1, 1});
         }},
        {"set_steer", [](World& w, const Ids& i) { w.set_steer(i.joint, 0.1); }},
    };
}

Ids add_hung_box(World& world) {
    const BodyId box = world.add_body(body(BoxDef{{1, 1, 1}}, {0, 0, 0.5})).value();
    const JointId joint =
        world.add_joint({.b = box, .anchor = {0, 0, 0.5}, .kind = HingeJoint{}}).value();
    return {box, world.shapes(box).front(), joint};
}

/// Each call throws a sentence that begins with `start` and the kind of the object.
void expect_refused(World& world, const Ids& ids, const std::string& start = "no such ") {
    const std::uint64_t before = world.state_hash();
    const auto expect_sentence = [&](const auto& calls, const std::string& kind) {
        for (const auto& [name, call] : calls) {
            try {
                call(world, ids);
                ADD_FAILURE() << name << " takes an id that names nothing";
            } catch (const UsageError& error) {
                const std::string said = error.what();
                EXPECT_EQ(said.find(start + kind), 0u) << name << ": " << said;
                EXPECT_EQ(said.find('\n'), std::string::npos) << name << ": " << said;
            }
        }
    };
    expect_sentence(body_calls(), "body");
    expect_sentence(shape_calls(), "shape");
    expect_sentence(joint_calls(), "joint");
    EXPECT_FALSE(world.is_valid(ids.body));
    EXPECT_FALSE(world.is_valid(ids.joint));
    EXPECT_EQ(world.state_hash(), before);
}

TEST(StaleIds, OfWhatWasRemovedAreRefusedThoughTheirSlotsAreTakenAgain) {
    World world;
    add_ground(world);
    const Ids removed = add_hung_box(world);
    world.remove_body(removed.body);
    expect_refused(world, removed);
    const Ids next = add_hung_box(world);
    ASSERT_EQ(next.body.index, removed.body.index);
    ASSERT_EQ(next.joint.index, removed.joint.index);
    expect_refused(world, removed);
}

TEST(StaleIds, OfAnotherWorldAndNullIdsAreRefused) {
    World world, other;
    add_ground(world);
    for (int i = 0; i < 5; ++i) add_hung_box(other);
    expect_refused(world, add_hung_box(other));
    add_hung_box(world);
    expect_refused(world, {}, "null ");
}

TEST(StaleIds, OfWhatCameAfterASnapshotAreRefusedAfterItsReturn) {
    World world;
    add_ground(world);
    const Ids old = add_hung_box(world);
    const Snapshot snapshot = world.snapshot();
    const Ids young = add_hung_box(world);
    world.restore(snapshot);
    expect_refused(world, young);
    EXPECT_TRUE(world.is_valid(old.body));
    EXPECT_TRUE(world.is_valid(old.joint));
}

TEST(StaleIds, InDefinitionsOfJointsAreRefused) {
    World world;
    const Ids removed = add_hung_box(world);
    world.remove_body(removed.body);
    const BodyId box = world.add_body(body(BoxDef{{1, 1, 1}}, {0, 0, 0.5})).value();
    const std::uint64_t before = world.state_hash();
    for (const JointDef& def : {JointDef{.a = removed.body, .b = box, .kind = BallJoint{}},
                                JointDef{.a = box, .b = removed.body, .kind = BallJoint{}},
                                JointDef{.kind = GearJoint{removed.joint, removed.joint, 2}}}) {
        try {
            const Result<JointId> made = world.add_joint(def);
            EXPECT_FALSE(made.ok());
        } catch (const UsageError& error) {
            EXPECT_EQ(std::string(error.what()).find("no such "), 0u) << error.what();
        }
    }
    EXPECT_EQ(world.joint_count(), 0u);
    EXPECT_EQ(world.state_hash(), before);
}

} // namespace
} // namespace rigor::test
