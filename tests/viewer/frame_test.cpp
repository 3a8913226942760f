// Frames: packing and unpacking, and only changed bodies are sent.

#include "viewer/frame.h"

#include <cstring>

#include "viewer/frame_builder.h"
#include "viewer/send_queue.h"
#include "viewer_support.h"

namespace rigor::viewer {
namespace {

TEST(PackedPose, IsAsGoodAsItsGrid) {
    test::Random random;
    const Grid grid{{100, -200, 3}, 1e-4f};
    for (int i = 0; i < 10000; ++i) {
        const Posed pose{grid.center + random.vec() * 100, random.rotation()};
        const PackedPose packed = pack(pose, i % 2 == 0, grid);
        EXPECT_EQ((packed.position & kAsleep) != 0, i % 2 == 0);
        const Posed back = unpack(packed, grid);
        EXPECT_LE(max_component(abs(back.p - pose.p)), 0.51e-4);
        // Three components of at most half a count of sqrt(2)/32767 each.
        EXPECT_LE(1 - std::abs(dot(back.q, pose.q)), 1e-8);
        EXPECT_EQ(packed.orientation >> 47, 0u);
    }
}

TEST(PackedPose, ClampsPositionsOutsideTheGrid) {
    const Grid grid{{}, 1};
    const Posed far{{1e9, -1e9, 0}, {}};
    EXPECT_FALSE(fits(far.p, grid));
    EXPECT_EQ(unpack(pack(far, false, grid), grid).p,
              (Vec3d{Grid::kMaxCount, -Grid::kMaxCount, 0}));
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
    read(frame.grid.center), read(frame.grid.unit);
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
    Session session = make_session(kStackScene);
    FrameBuilder frame_builder(session);
    WorldFrame first = frame_builder.build(session, 0, 1, {});
    Decoded all = decode(encode_frame(first.poses, nullptr, 0, 1, 0));
    EXPECT_EQ(all.bodies.size(), 12u);
    EXPECT_EQ(all.flags, 1);
    run(session, 1);
    WorldFrame second = frame_builder.build(session, 0, 2, {});
    const Decoded some = decode(encode_frame(second.poses, nullptr, 0, 2, 1));
    EXPECT_EQ(some.flags, 0);
    EXPECT_LT(some.bodies.size(), 12u); // the floor never
    EXPECT_GE(some.bodies.size(), 1u);
    // Nothing happened since: nothing is in it.
    EXPECT_TRUE(decode(encode_frame(second.poses, nullptr, 0, 3, 2)).bodies.empty());
}

// A client that skips frames knows every pose as well as one that received them all.
TEST(Frame, AClientThatMissesFramesIsUpToDateAllTheSame) {
    Session session = make_session(kStackScene);
    FrameBuilder frame_builder(session);
    std::map<std::uint32_t, PackedPose> seen;
    std::uint32_t last = 0;
    test::Random random;
    Grid grid;
    for (std::uint32_t sequence = 1; sequence < 300; ++sequence) {
        session.step();
        const WorldFrame world_frame = frame_builder.build(session, 0, sequence, {});
        if (random.integer(0, 4) != 0) continue;
        const Decoded frame = decode(encode_frame(world_frame.poses, nullptr, 0, sequence, last));
        if ((frame.flags & 1) != 0) seen.clear();
        grid = frame.grid;
        for (const auto& [slot, packed] : frame.bodies) seen[slot] = packed;
        last = sequence;
        for (const SessionBody& body : *session.state().bodies) {
            const Posed shown = unpack(seen.at(body.id.index), grid);
            const Posed real = session.world().pose(body.id);
            const double unit = static_cast<double>(grid.unit);
            ASSERT_LE(max_component(abs(shown.p - real.p)), 0.51 * unit + 1e-12);
        }
    }
}

/// Two balls without gravity; the second moves away at a speed in m/s.
Session ball_that_leaves(const std::string& speed) {
    return make_session(
        R"({ "rigor": 1, "name": "two", "gravity": [0, 0, 0], "method": "free", "bodies": [
      { "name": "a", "shapes": [ { "type": "sphere", "radius": 1 } ] },
      { "name": "b", "position": [10, 0, 0], "velocity": [)" +
        speed + R"(, 0, 0], "shapes": [ { "type": "sphere", "radius": 1 } ] } ] })");
}

TEST(Frame, AllIsSentAnewWhenTheWorldOutgrowsItsGrid) {
    Session session = ball_that_leaves("100");
    FrameBuilder frame_builder(session);
    float unit = frame_builder.build(session, 0, 1, {}).poses.grid.unit;
    EXPECT_NEAR(unit, 1.5 * 5 / (1 << 20), 1e-7);
    for (std::uint32_t i = 2; i < 100; ++i) {
        session.step();
        const QuantizedPoses poses = frame_builder.build(session, 0, i, {}).poses;
        const Decoded frame = decode(encode_frame(poses, nullptr, 0, i, i - 1));
        EXPECT_EQ((frame.flags & 1) != 0, poses.grid.unit != unit);
        EXPECT_EQ(frame.bodies.size(), poses.grid.unit != unit ? 2u : 1u);
        EXPECT_TRUE(fits(session.world().pose(body_at(session.state(), 1)).p, poses.grid));
        unit = poses.grid.unit;
    }
}

TEST(Frame, ABodyThatFliesAwayDoesNotCoarsenTheGrid) {
    Session session = ball_that_leaves("1e6");
    FrameBuilder frame_builder(session);
    for (std::uint32_t i = 1; i < 200; ++i) {
        session.step();
        EXPECT_LE(frame_builder.build(session, 0, i, {}).poses.grid.unit, 1e-3f);
    }
}

TEST(Frame, ColorsComeWithTheBodiesAndAlsoWhenOnlyTheyChange) {
    Session session = make_session(kStackScene);
    FrameBuilder frame_builder(session);
    for (const ColorMode color : kColorModes) {
        SCOPED_TRACE(std::string(name(color)));
        Subscriptions subscriptions;
        subscriptions.colors.add(color);
        session.step();
        const auto sequence = static_cast<std::uint32_t>(session.current_step());
        const WorldFrame world_frame = frame_builder.build(session, 0, sequence, subscriptions);
        const ColorValues& values = world_frame.colors.at(color);
        const Decoded frame = decode(encode_frame(world_frame.poses, &values, 0, sequence, 0));
        EXPECT_EQ(frame.flags, 3);
        EXPECT_EQ(frame.values.size(), 12u);
        EXPECT_EQ(color_mode_named(name(color)), color);
    }
    Subscriptions subscriptions;
    subscriptions.colors.add(ColorMode::sleep);
    WorldFrame before = frame_builder.build(session, 0, 100, subscriptions);
    ASSERT_TRUE(session.act({1, Freeze{5, true}}, 1));
    WorldFrame after = frame_builder.build(session, 0, 101, subscriptions);
    const Decoded frame =
        decode(encode_frame(after.poses, &after.colors.at(ColorMode::sleep), 0, 101, 100));
    ASSERT_EQ(frame.bodies.size(), 1u);
    EXPECT_EQ(frame.bodies[0].first, 5u);
    EXPECT_EQ(frame.values[0], 3);
}

TEST(ColorMode, IslandsAreBodiesInContact) {
    Session session = make_session(kStackScene);
    run(session, 3);
    ColorScale scale;
    const auto values = color_values(session, ColorMode::island, scale);
    const std::uint32_t ball = slot_of(session, "ball"), low = slot_of(session, "tower[0]");
    EXPECT_EQ(values[0], 0); // the floor is in none
    EXPECT_NE(values[ball], values[low]);
    for (int i = 1; i < 10; ++i)
        EXPECT_EQ(values[slot_of(session, "tower[" + std::to_string(i) + "]")], values[low]);
}

// An impact raises the scale; some seconds of rest bring it down again.
TEST(ColorMode, TheScaleDecaysAfterAnImpact) {
    Session session = make_session(R"({ "rigor": 1, "name": "fall", "method": "fast", "bodies": [
      { "name": "floor", "type": "static", "shapes": [ { "type": "plane", "normal": [0, 0, 1] } ] },
      { "name": "box", "position": [0, 0, 3], "can_sleep": false, "shapes": [ { "type": "box", "size": [1, 1, 1] } ] } ] })");
    ColorScale scale;
    double most = 0;
    for (int i = 0; i < 600; ++i) {
        run(session, 1);
        color_values(session, ColorMode::stress, scale);
        most = std::max(most, scale.max);
    }
    const auto values = color_values(session, ColorMode::stress, scale);
    EXPECT_STREQ(scale.unit, "N");
    EXPECT_GE(most, 100e3); // 7.7 kN s in one step
    EXPECT_GE(scale.max, 9810);
    EXPECT_LE(scale.max, 3 * 9810);
    EXPECT_EQ(values[0], 0);
    EXPECT_NEAR(values[1] * scale.max / 255, 9810, 0.02 * 9810);
}

TEST(Overlay, EveryOneHasTheSizeItSays) {
    Session session = make_session(R"({ "rigor": 1, "name": "all", "bodies": [
      { "name": "floor", "type": "static", "shapes": [ { "type": "plane", "normal": [0, 0, 1] } ] },
      { "name": "box", "position": [0, 0, 0.5], "velocity": [1, 0, 0], "shapes": [ { "type": "box", "size": [1, 2, 1] } ] },
      { "name": "arm", "position": [5, 0, 2], "shapes": [ { "type": "box", "size": [1, 1, 1] } ] } ],
      "joints": [ { "name": "pin", "type": "hinge", "a": "arm", "anchor": [4, 0, 2], "axis": [0, 1, 0], "limits": [-1, 1] } ] })");
    run(session, 2);
    const std::size_t sizes[] = {64, 24, 24, 24, 24, 76, 24};
    const std::size_t counts[] = {4, 2, 3, 2, 6, 1, 0};
    for (const Overlay overlay : kOverlays) {
        SCOPED_TRACE(std::string(name(overlay)));
        const auto i = static_cast<std::size_t>(overlay);
        const std::string message = encode_overlay(overlay, session, 1, {});
        std::uint32_t count = 0;
        ASSERT_GE(message.size(), 8u);
        std::memcpy(&count, message.data() + 4, 4);
        EXPECT_EQ(message.size(), 8 + count * sizes[i]);
        EXPECT_EQ(message[1], 1);
        EXPECT_EQ(count, counts[i]);
        EXPECT_EQ(overlay_named(name(overlay)), overlay);
    }
}

TEST(Overlay, ATrackThatTwoJointsShareIsDrawnOnce) {
    Session session = make_session(R"({ "rigor": 1, "name": "coaster", "bodies": [
      { "name": "car", "position": [1, 0, 2], "shapes": [ { "type": "box", "size": [1, 1, 1] } ] } ],
      "joints": [ { "type": "track", "a": "car", "anchor": [0.5, 0, 2], "curve": [[0, 0, 2], [4, 0, 2]] },
                  { "type": "track", "a": "car", "anchor": [1.5, 0, 2], "curve": [[0, 0, 2], [4, 0, 2]] } ] })");
    const std::string message = encode_overlay(Overlay::tracks, session, 0, {1, 0, 0});
    ASSERT_EQ(message.size(), 8u + 399 * 24);
    float last[3];
    std::memcpy(last, message.data() + message.size() - 12, 12);
    EXPECT_EQ(last[0], 3);
    EXPECT_EQ(last[2], 2);
}

TEST(Overlay, TheAngleOfAHingePointsToItsSecondBody) {
    Session session = make_session(R"({ "rigor": 1, "name": "pendulum on a wheel", "bodies": [
      { "name": "wheel", "position": [0, 0, 2], "angular_velocity": [0, 3, 0], "shapes": [ { "type": "sphere", "radius": 0.2 } ] },
      { "name": "arm", "position": [1, 0.5, 2], "shapes": [ { "type": "box", "size": [0.1, 0.1, 0.1] } ] } ],
      "joints": [ { "type": "ball", "a": "wheel", "anchor": [0, 0, 2] },
                  { "type": "hinge", "a": "wheel", "b": "arm", "anchor": [0, 0, 2], "axis": [0, 1, 0] } ] })");
    run(session, 20);
    const std::string message = encode_overlay(Overlay::joints, session, 0, {});
    ASSERT_EQ(message.size(), 8 + 2 * 76u);
    float field[19];
    std::memcpy(field, message.data() + 8 + 76, sizeof field);
    const auto point = [&](int at) { return Vec3d(field[at], field[at + 1], field[at + 2]); };
    const Vec3d anchor = point(1), axis = point(7), zero = point(16);
    const double angle = field[10];
    const Vec3d needle = zero * std::cos(angle) + cross(axis, zero) * std::sin(angle);
    const Vec3d arm =
        session.world().state(body_at(session.state(), slot_of(session, "arm"))).position - anchor;
    const Vec3d across = arm - axis * dot(axis, arm);
    EXPECT_GT(std::abs(angle), 0.2);
    EXPECT_LT(length(needle - across / length(across)), 1e-3);
}

// A slow client gets the newest frames next, and all messages in order.
TEST(SendQueue, SkipsFramesButNoMessages) {
    const auto text = [](const char* what) { return std::make_shared<const std::string>(what); };
    SendQueue queue(3);
    FrameSet frames{1, 7, {}};
    frames.worlds.resize(1);
    queue.add_if_addressed({OutgoingMessage::Kind::reply, {}, text("for all, too early"), 0});
    queue.add_if_addressed({OutgoingMessage::Kind::reply, 4, text("for another"), 0});
    EXPECT_FALSE(queue.next(&frames).text);
    queue.add_if_addressed({OutgoingMessage::Kind::scene, 3, text("scene"), 7});
    queue.add_if_addressed({OutgoingMessage::Kind::state, {}, text("old state"), 7});
    queue.add_if_addressed({OutgoingMessage::Kind::reply, {}, text("added"), 7});
    queue.add_if_addressed({OutgoingMessage::Kind::state, {}, text("new state"), 7});
    EXPECT_EQ(*queue.next(&frames).text, "scene");
    EXPECT_EQ(*queue.next(&frames).text, "added");
    EXPECT_EQ(*queue.next(&frames).text, "new state");
    frames.sequence = 9;
    const SendQueue::Payload out = queue.next(&frames);
    ASSERT_TRUE(out.text);
    EXPECT_TRUE(out.binary);
    EXPECT_EQ(decode(*out.text).sequence, 9u);
    EXPECT_FALSE(queue.next(&frames).text); // it has it
    frames.sequence = 10, frames.generation = 8;
    EXPECT_FALSE(queue.next(&frames).text); // of a scene it knows nothing of
    EXPECT_FALSE(queue.has_overflowed());
    for (int i = 0; i < 3000; ++i)
        queue.add_if_addressed({OutgoingMessage::Kind::reply, {}, text("x"), 7});
    EXPECT_TRUE(queue.has_overflowed());
}

} // namespace
} // namespace rigor::viewer
