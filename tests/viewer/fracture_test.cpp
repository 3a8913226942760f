// Bodies that break in a session: the list of bodies, the history and the exported scene follow.
#include "viewer/describe.h"
#include "viewer/scene_export.h"
#include "viewer_support.h"

namespace rigor::viewer {
namespace {

std::string breaking_scene(const std::string& fracture) {
    return R"({"rigor": 1, "bodies": [
  {"name": "floor", "type": "static", "shapes": [{"type": "plane", "normal": [0, 0, 1]}]},
  {"name": "ball", "position": [-3, 0, 0.6], "velocity": [20, 0, 0],
   "shapes": [{"type": "sphere", "radius": 0.3, "density": 5000}]},
  {"name": "box", "tag": "hero", "position": [0, 0, 0.5], "look": {"color": "#ff0000"},
   "fracture": )" +
           fracture + R"(, "shapes": [{"type": "box", "size": [0.5, 1, 1]}]}]})";
}

/// Every body of the world is in the list, with its id and a definition, and no other.
void expect_listed(const Session& session) {
    std::size_t listed = 0;
    const std::vector<SessionBody>& bodies = *session.state().bodies;
    for (const SessionBody& body : bodies) listed += !body.id.is_null();
    EXPECT_EQ(listed, session.world().body_count());
    for (const BodyId id : session.world().bodies()) {
        ASSERT_LT(id.index, bodies.size());
        EXPECT_EQ(bodies[id.index].id, id);
        ASSERT_TRUE(bodies[id.index].definition);
        EXPECT_EQ(bodies[id.index].definition->def.name, session.world().name(id));
    }
}

TEST(FractureSession, PiecesAreListedSoughtAndExported) {
    Session session = make_session(breaking_scene(R"({"pieces": 6, "impulse": 300})"));
    bool is_told = false;
    for (int i = 0; i < 70; ++i) {
        session.step();
        for (const json& event : describe_events(session)) is_told |= event["kind"] == "fracture";
    }
    EXPECT_TRUE(is_told);
    EXPECT_GE(session.world().body_count(), 8u);
    expect_listed(session);
    const SessionBody& piece = (*session.state().bodies)[slot_of(session, "box.2")];
    EXPECT_EQ(piece.definition->tag, "hero");
    EXPECT_EQ(piece.definition->look->color, 0xff0000ffu);
    const std::uint64_t end = hash_of(session);
    ASSERT_TRUE(seek_to(session, 2));
    EXPECT_EQ(session.world().body_count(), 3u);
    expect_listed(session);
    ASSERT_TRUE(seek_to(session, 70));
    EXPECT_EQ(hash_of(session), end);
    expect_listed(session);
    const Result<Scene> exported = parse_scene(export_scene(session), "exported");
    ASSERT_TRUE(exported) << to_string(exported.error());
    EXPECT_EQ(exported->bodies.size(), session.world().body_count());
}

TEST(FractureSession, ADuplicateBreaksAsWell) {
    Session session = make_session(breaking_scene(R"({"pieces": 6, "impulse": 300})"));
    const std::uint32_t box = slot_of(session, "box");
    ASSERT_TRUE(session.act({1, Duplicate{box, Vec3d{1, 0, 0.5}}}, 1));
    bool is_broken = false;
    for (int i = 0; i < 60; ++i) {
        session.step();
        for (const FractureEvent& event : session.fractures())
            is_broken |= event.name == "box copy 1";
    }
    EXPECT_TRUE(is_broken);
    expect_listed(session);
}

TEST(FractureSession, BondsAreListedAndExported) {
    Session session = make_session(breaking_scene(R"({"pieces": 5, "bonds": 1e7})"));
    expect_listed(session);
    EXPECT_EQ(session.world().body_count(), 7u);
    const Result<Scene> exported = parse_scene(export_scene(session), "exported");
    ASSERT_TRUE(exported) << to_string(exported.error());
    EXPECT_EQ(exported->joints.size(), session.world().joint_count());
    ASSERT_FALSE(exported->joints.empty());
    EXPECT_EQ(exported->joints[0].def.break_force, 1e7);
}

} // namespace
} // namespace rigor::viewer
