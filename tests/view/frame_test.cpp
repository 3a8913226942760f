// Frames: what is packed comes out again, and only what changed is sent.

#include "view/frame.h"

#include <cstring>

#include "view/client_feed.h"
#include "view/picture.h"
#include "view_support.h"

namespace rigor::view {
namespace {

TEST(PackedPose, IsAsGoodAsItsGrid) {
    test::Random random;
    const Grid grid{{100, -200, 3}, 1e-4f};
    for (int i = 0; i < 10000; ++i) {
        const Posed pose{grid.middle + random.vec() * 100, random.rotation()};
        const PackedPose packed = pack(pose, i % 2 == 0, grid);
        EXPECT_EQ((packed.position & kAsleep) != 0, i % 2 == 0);
        const Posed back = unpack(packed, grid);
        EXPECT_LE(max_component(abs(back.p - pose.p)), 0.51e-4);
        // Three components of at most half a count of sqrt(2)/32767 each.
        EXPECT_LE(1 - std::abs(dot(back.q, pose.q)), 1e-8);
        EXPECT_EQ(packed.orientation >> 47, 0u);
    }
}

TEST(PackedPose, PutsWhatIsTooFarAtTheRim) {
    const Grid grid{{}, 1};
    const Posed far{{1e9, -1e9, 0}, {}};
    EXPECT_FALSE(fits(far.p, grid));
    EXPECT_EQ(unpack(pack(far, false, grid), grid).p, (Vec3d{Grid::kMost, -Grid::kMost, 0}));
}

struct Decoded {
    std::uint8_t world = 0, flags = 0;
    std::uint32_t sequence = 0;
    std::uint64_t step = 0;
    Grid grid;
    std::vector<std::pair<std::uint32_t, PackedPose>> bodies;
    std::vector<std::uint8_t> values;
};

/// As the page reads it.
Decoded decode(const std::string& message) {
    Decoded frame;
    const char* at = message.data();
    const auto read = [&](auto& value) {
        std::memcpy(&value, at, sizeof value), at += sizeof value;
    };
    std::uint8_t type = 0, reserved = 0;
    double time = 0;
    read(type), read(frame.world), read(frame.flags), read(reserved);
    EXPECT_EQ(type, 1);
    read(frame.sequence), read(frame.step), read(time);
    read(frame.grid.middle), read(frame.grid.unit);
    EXPECT_EQ(at - message.data(), 52);
    std::uint32_t runs = 0;
    read(runs);
    for (std::uint32_t i = 0; i < runs; ++i) {
        std::uint32_t first = 0, count = 0;
        read(first), read(count);
        for (std::uint32_t k = 0; k < count; ++k) frame.bodies.push_back({first + k, {}});
    }
    for (auto& [slot, packed] : frame.bodies) {
        read(packed.position);
        std::memcpy(&packed.orientation, at, 6), at += 6;
    }
    if ((frame.flags & 2) != 0)
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            frame.values.emplace_back();
            read(frame.values.back());
        }
    EXPECT_EQ(at, message.data() + message.size());
    return frame;
}

TEST(Frame, HoldsOnlyWhatChangedSinceTheClientsLast) {
    Stage stage = stage_of(kStackScene);
    Painter painter(stage);
    WorldPicture first = painter.paint(stage, 0, 1, {});
    Decoded all = decode(encode_frame(first.poses, nullptr, 0, 1, 0));
    EXPECT_EQ(all.bodies.size(), 12u);
    EXPECT_EQ(all.flags, 1);
    run(stage, 1);
    WorldPicture second = painter.paint(stage, 0, 2, {});
    const Decoded some = decode(encode_frame(second.poses, nullptr, 0, 2, 1));
    EXPECT_EQ(some.flags, 0);
    EXPECT_LT(some.bodies.size(), 12u); // the floor never
    EXPECT_GE(some.bodies.size(), 1u);
    // Nothing happened since: nothing is in it.
    EXPECT_TRUE(decode(encode_frame(second.poses, nullptr, 0, 3, 2)).bodies.empty());
}

// A page that is shown pictures with gaps knows every pose as well as one that saw them all.
TEST(Frame, AClientThatMissesFramesIsUpToDateAllTheSame) {
    Stage stage = stage_of(kStackScene);
    Painter painter(stage);
    std::map<std::uint32_t, PackedPose> seen;
    std::uint32_t last = 0;
    test::Random random;
    Grid grid;
    for (std::uint32_t sequence = 1; sequence < 300; ++sequence) {
        stage.step();
        const WorldPicture picture = painter.paint(stage, 0, sequence, {});
        if (random.integer(0, 4) != 0) continue;
        const Decoded frame = decode(encode_frame(picture.poses, nullptr, 0, sequence, last));
        if ((frame.flags & 1) != 0) seen.clear();
        grid = frame.grid;
        for (const auto& [slot, packed] : frame.bodies) seen[slot] = packed;
        last = sequence;
        for (const Member& member : *stage.state().members) {
            const Posed shown = unpack(seen.at(member.id.index), grid);
            const Posed real = stage.world().pose(member.id);
            const double unit = static_cast<double>(grid.unit);
            ASSERT_LE(max_component(abs(shown.p - real.p)), 0.51 * unit + 1e-12);
        }
    }
}

TEST(Frame, AllIsSentAnewWhenTheWorldOutgrowsItsGrid) {
    Stage stage =
        stage_of(R"({ "rigor": 1, "name": "two", "gravity": [0, 0, 0], "method": "free", "bodies": [
      { "name": "a", "shapes": [ { "type": "sphere", "radius": 1 } ] },
      { "name": "b", "position": [10, 0, 0], "velocity": [100, 0, 0], "shapes": [ { "type": "sphere", "radius": 1 } ] } ] })");
    Painter painter(stage);
    float unit = painter.paint(stage, 0, 1, {}).poses.grid.unit;
    EXPECT_NEAR(unit, 1.5 * 5 / (1 << 20), 1e-7);
    for (std::uint32_t i = 2; i < 100; ++i) {
        stage.step();
        const Poses poses = painter.paint(stage, 0, i, {}).poses;
        const Decoded frame = decode(encode_frame(poses, nullptr, 0, i, i - 1));
        EXPECT_EQ((frame.flags & 1) != 0, poses.grid.unit != unit);
        EXPECT_EQ(frame.bodies.size(), poses.grid.unit != unit ? 2u : 1u);
        EXPECT_TRUE(fits(stage.world().pose(body_at(stage.state(), 1)).p, poses.grid));
        unit = poses.grid.unit;
    }
}

TEST(Frame, WhatFliesAwayForEverDoesNotBlurTheRest) {
    Stage stage =
        stage_of(R"({ "rigor": 1, "name": "two", "gravity": [0, 0, 0], "method": "free", "bodies": [
      { "name": "a", "shapes": [ { "type": "sphere", "radius": 1 } ] },
      { "name": "b", "position": [10, 0, 0], "velocity": [1e6, 0, 0], "shapes": [ { "type": "sphere", "radius": 1 } ] } ] })");
    Painter painter(stage);
    for (std::uint32_t i = 1; i < 200; ++i) {
        stage.step();
        EXPECT_LE(painter.paint(stage, 0, i, {}).poses.grid.unit, 1e-3f);
    }
}

TEST(Frame, ColorsComeWithTheBodiesAndAlsoWhenOnlyTheyChange) {
    Stage stage = stage_of(kStackScene);
    Painter painter(stage);
    for (const Color color : kColors) {
        SCOPED_TRACE(std::string(name(color)));
        Wishes wishes;
        wishes.colors.add(color);
        stage.step();
        const auto sequence = static_cast<std::uint32_t>(stage.now());
        const WorldPicture picture = painter.paint(stage, 0, sequence, wishes);
        const ValueTrack& values = picture.values.at(color);
        const Decoded frame = decode(encode_frame(picture.poses, &values, 0, sequence, 0));
        EXPECT_EQ(frame.flags, 3);
        EXPECT_EQ(frame.values.size(), 12u);
        EXPECT_EQ(color_named(name(color)), color);
    }
    Wishes wishes;
    wishes.colors.add(Color::sleep);
    WorldPicture before = painter.paint(stage, 0, 100, wishes);
    ASSERT_TRUE(stage.act({1, Freeze{5, true}}, 1));
    WorldPicture after = painter.paint(stage, 0, 101, wishes);
    const Decoded frame =
        decode(encode_frame(after.poses, &after.values.at(Color::sleep), 0, 101, 100));
    ASSERT_EQ(frame.bodies.size(), 1u);
    EXPECT_EQ(frame.bodies[0].first, 5u);
    EXPECT_EQ(frame.values[0], 3);
}

TEST(Color, IslandsAreWhatTouches) {
    Stage stage = stage_of(kStackScene);
    run(stage, 3);
    ColorScale scale;
    const auto values = color_values(stage, Color::island, scale);
    const std::uint32_t ball = slot_of(stage, "ball"), low = slot_of(stage, "tower[0]");
    EXPECT_EQ(values[0], 0); // the floor is in none
    EXPECT_NE(values[ball], values[low]);
    for (int i = 1; i < 10; ++i)
        EXPECT_EQ(values[slot_of(stage, "tower[" + std::to_string(i) + "]")], values[low]);
}

// An impact raises the scale; some seconds of rest bring it down again.
TEST(Color, TheScaleForgetsAnImpact) {
    Stage stage = stage_of(R"({ "rigor": 1, "name": "fall", "method": "fast", "bodies": [
      { "name": "floor", "type": "static", "shapes": [ { "type": "plane", "normal": [0, 0, 1] } ] },
      { "name": "box", "position": [0, 0, 3], "can_sleep": false, "shapes": [ { "type": "box", "size": [1, 1, 1] } ] } ] })");
    ColorScale scale;
    double most = 0;
    for (int i = 0; i < 600; ++i) {
        run(stage, 1);
        color_values(stage, Color::stress, scale);
        most = std::max(most, scale.max);
    }
    const auto values = color_values(stage, Color::stress, scale);
    EXPECT_STREQ(scale.unit, "N");
    EXPECT_GE(most, 100e3); // 7.7 kN s in one step
    EXPECT_GE(scale.max, 9810);
    EXPECT_LE(scale.max, 3 * 9810);
    EXPECT_EQ(values[0], 0);
    EXPECT_NEAR(values[1] * scale.max / 255, 9810, 0.02 * 9810);
}

TEST(Overlay, EveryOneHasTheSizeItSays) {
    Stage stage = stage_of(R"({ "rigor": 1, "name": "all", "bodies": [
      { "name": "floor", "type": "static", "shapes": [ { "type": "plane", "normal": [0, 0, 1] } ] },
      { "name": "box", "position": [0, 0, 0.5], "velocity": [1, 0, 0], "shapes": [ { "type": "box", "size": [1, 2, 1] } ] },
      { "name": "arm", "position": [5, 0, 2], "shapes": [ { "type": "box", "size": [1, 1, 1] } ] } ],
      "joints": [ { "name": "pin", "type": "hinge", "a": "arm", "anchor": [4, 0, 2], "axis": [0, 1, 0], "limits": [-1, 1] } ] })");
    run(stage, 2);
    const std::size_t sizes[] = {64, 24, 24, 24, 24, 76};
    const std::size_t counts[] = {4, 2, 3, 2, 6, 1};
    for (const Overlay overlay : kOverlays) {
        SCOPED_TRACE(std::string(name(overlay)));
        const auto i = static_cast<std::size_t>(overlay);
        const std::string message = encode_overlay(overlay, stage, 1, {});
        std::uint32_t count = 0;
        ASSERT_GE(message.size(), 8u);
        std::memcpy(&count, message.data() + 4, 4);
        EXPECT_EQ(message.size(), 8 + count * sizes[i]);
        EXPECT_EQ(message[1], 1);
        EXPECT_EQ(count, counts[i]);
        EXPECT_EQ(overlay_named(name(overlay)), overlay);
    }
}

TEST(Overlay, TheAngleOfAHingePointsToItsSecondBody) {
    Stage stage = stage_of(R"({ "rigor": 1, "name": "pendulum on a wheel", "bodies": [
      { "name": "wheel", "position": [0, 0, 2], "angular_velocity": [0, 3, 0], "shapes": [ { "type": "sphere", "radius": 0.2 } ] },
      { "name": "arm", "position": [1, 0.5, 2], "shapes": [ { "type": "box", "size": [0.1, 0.1, 0.1] } ] } ],
      "joints": [ { "type": "ball", "a": "wheel", "anchor": [0, 0, 2] },
                  { "type": "hinge", "a": "wheel", "b": "arm", "anchor": [0, 0, 2], "axis": [0, 1, 0] } ] })");
    run(stage, 20);
    const std::string message = encode_overlay(Overlay::joints, stage, 0, {});
    ASSERT_EQ(message.size(), 8 + 2 * 76u);
    float field[19];
    std::memcpy(field, message.data() + 8 + 76, sizeof field);
    const auto point = [&](int at) { return Vec3d(field[at], field[at + 1], field[at + 2]); };
    const Vec3d anchor = point(1), axis = point(7), zero = point(16);
    const double angle = field[10];
    const Vec3d needle = zero * std::cos(angle) + cross(axis, zero) * std::sin(angle);
    const Vec3d arm =
        stage.world().state(body_at(stage.state(), slot_of(stage, "arm"))).position - anchor;
    const Vec3d across = arm - axis * dot(axis, arm);
    EXPECT_GT(std::abs(angle), 0.2);
    EXPECT_LT(length(needle - across / length(across)), 1e-3);
}

// However slow a client is, it gets the newest picture next, and all messages in order.
TEST(ClientFeed, SkipsPicturesButNoMessages) {
    const auto text = [](const char* what) { return std::make_shared<const std::string>(what); };
    ClientFeed feed;
    feed.set_id(3);
    Picture picture{1, 7, {}};
    picture.worlds.resize(1);
    feed.offer({Letter::Kind::answer, {}, text("for all, too early"), 0});
    feed.offer({Letter::Kind::answer, 4, text("for another"), 0});
    EXPECT_FALSE(feed.next(&picture).text);
    feed.offer({Letter::Kind::scene, 3, text("scene"), 7});
    feed.offer({Letter::Kind::state, {}, text("old state"), 7});
    feed.offer({Letter::Kind::answer, {}, text("added"), 7});
    feed.offer({Letter::Kind::state, {}, text("new state"), 7});
    EXPECT_EQ(*feed.next(&picture).text, "scene");
    EXPECT_EQ(*feed.next(&picture).text, "added");
    EXPECT_EQ(*feed.next(&picture).text, "new state");
    picture.sequence = 9;
    const ClientFeed::Out out = feed.next(&picture);
    ASSERT_TRUE(out.text);
    EXPECT_TRUE(out.binary);
    EXPECT_EQ(decode(*out.text).sequence, 9u);
    EXPECT_FALSE(feed.next(&picture).text); // it has it
    picture.sequence = 10, picture.generation = 8;
    EXPECT_FALSE(feed.next(&picture).text); // of a scene it knows nothing of
    EXPECT_FALSE(feed.is_overfull());
    for (int i = 0; i < 3000; ++i) feed.offer({Letter::Kind::answer, {}, text("x"), 7});
    EXPECT_TRUE(feed.is_overfull());
}

} // namespace
} // namespace rigor::view
