// Recordings: whatever was done to a world can be done again, and a difference has a name.

#include "rigor/recording.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>

#include "rigor/world.h"
#include "test_support.h"
#include "world/recorder.h"

namespace rigor {
namespace {

constexpr double kStep = 1.0 / 60;

WorldSettings fast_settings() {
    WorldSettings settings;
    settings.method = Method::fast;
    settings.substeps = 4;
    return settings;
}

std::shared_ptr<const TriangleSoup> tetrahedron() {
    return std::make_shared<TriangleSoup>(
        TriangleSoup{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                     {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
}

BodyDef body(const std::string& name, const ShapeGeometry& geometry, const Vec3d& position) {
    BodyDef def;
    def.name = name;
    def.position = position;
    def.shapes.push_back({geometry});
    return def;
}

BodyDef ground() {
    BodyDef def = body("ground", PlaneDef{}, {});
    def.type = BodyType::static_body;
    return def;
}

BodyDef hill() {
    HeightFieldDef field{10, 10, 5, 4, {}};
    for (int i = 0; i < 20; ++i) field.heights.push_back(0.01 * (i % 3));
    BodyDef def = body("hill", field, {20, 0, 0});
    def.type = BodyType::static_body;
    return def;
}

/// One of each kind that may move.
std::vector<BodyDef> movers() {
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

JointDef joint(JointType type, BodyId a, BodyId b, const Vec3d& anchor) {
    JointDef def;
    def.name = "joint";
    def.type = type;
    def.a = a;
    def.b = b;
    def.anchor = anchor;
    def.anchor_b = anchor + Vec3d{0, 0, 0.5};
    return def;
}

/// A row of balls, each joined to the one before in another way; a gear between two hinges.
std::vector<JointId> join_balls(World& world) {
    const JointType types[] = {JointType::ball,    JointType::hinge,    JointType::slider,
                               JointType::fixed,   JointType::distance, JointType::cone_twist,
                               JointType::six_dof, JointType::wheel,    JointType::hinge};
    std::vector<JointId> joints;
    BodyId last = world.add_body(body("ball 0", SphereDef{0.2}, {0, 10, 5})).value();
    for (const JointType type : types) {
        const double x = 0.5 * static_cast<double>(joints.size() + 1);
        const std::string name = "ball " + std::to_string(joints.size() + 1);
        const BodyId next = world.add_body(body(name, SphereDef{0.2}, {x, 10, 5})).value();
        JointDef def = joint(type, last, next, {x - 0.25, 10, 5});
        def.axis = {0, 1, 0};
        if (type == JointType::hinge) def.motor = MotorDef{2.0, {}, 5};
        if (type == JointType::slider) def.limits = Range{-0.1, 0.1};
        if (type == JointType::ball) def.spring = SpringDef{5, 0.5};
        if (type == JointType::cone_twist) def.cone = 0.5;
        joints.push_back(world.add_joint(def).value());
        last = next;
    }
    JointDef gear;
    gear.type = JointType::gear;
    gear.gear_a = joints[1];
    gear.gear_b = joints[8];
    gear.gear_ratio = 2;
    joints.push_back(world.add_joint(gear).value());
    return joints;
}

/// Everything that can be done to a world, over some seconds.
void live(World& world, int steps) {
    world.set_material_pair({0, 1, 0.3, {}, 0.5});
    const BodyId floor = world.add_body(ground()).value();
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

Recording record(int steps, const WorldSettings& settings = fast_settings()) {
    World world(settings);
    world.start_recording();
    live(world, steps);
    return world.recording();
}

std::vector<std::uint8_t> content_of(const Recording& recording) {
    return {recording.bytes().begin() + kRecordingContent, recording.bytes().end()};
}

Result<Recording> from_content(const std::vector<std::uint8_t>& content) {
    return Recording::parse(recording_file(content));
}

std::string words(const ReplayReport& report) {
    if (report.identical()) return "identical";
    const ReplayDifference& d = *report.difference;
    return test::message("step ", d.step, ", body ", d.name, ", ", d.bodies, " bodies: ", d.what);
}

// The same calls give the same bits, whatever the machine has of threads and lanes.
TEST(Recording, ReplaysToTheSameHashInEveryStepForAnyThreadsAndLanes) {
    const Recording recording = record(200);
    EXPECT_EQ(recording.step_count(), 200u);
    for (const int threads : {1, 2}) {
        for (const int lanes : {0, 1, 4, 8}) {
            const ReplayReport report =
                replay(recording, {.threads = threads, .lanes = lanes, .progress = {}});
            EXPECT_TRUE(report.identical()) << words(report);
            EXPECT_EQ(report.steps, 200u);
            EXPECT_EQ(report.bodies, 22u);
        }
    }
}

TEST(Recording, FreeMotionIsRecordedToo) {
    for (const Integrator integrator : {Integrator::euler, Integrator::exact}) {
        WorldSettings settings;
        settings.integrator = integrator;
        World world(settings);
        world.start_recording();
        const BodyId id = world.add_body(body("top", BoxDef{{1, 2, 3}}, {})).value();
        world.set_angular_velocity(id, {1, 2, 3});
        for (int i = 0; i < 20; ++i) world.step(kStep);
        EXPECT_TRUE(replay(world.recording()).identical());
    }
}

// Being recorded changes nothing: the recorder only looks.
TEST(Recording, TheRecordedWorldIsTheOneThatIsNot) {
    World plain(fast_settings()), recorded(fast_settings());
    recorded.start_recording();
    live(plain, 80);
    live(recorded, 80);
    EXPECT_EQ(plain.state_hash(), recorded.state_hash());
}

// Those who sleep cost no bytes: the recording of a quiet world grows by the same few a step.
TEST(Recording, SleepersAreWatchedOnlyUntilTheySleep) {
    World world(fast_settings());
    world.start_recording();
    world.add_body(ground()).value();
    std::vector<BodyId> boxes;
    for (int i = 0; i < 50; ++i)
        boxes.push_back(world.add_body(body("box", BoxDef{}, {2.0 * i, 0, 0.5})).value());
    for (int i = 0; i < 120; ++i) world.step(kStep);
    ASSERT_EQ(world.awake_count(), 0u);
    const std::size_t before = world.recording().bytes().size();
    for (int i = 0; i < 10; ++i) world.step(kStep);
    EXPECT_EQ(world.recording().bytes().size() - before, 10u * (1 + 9 + 8 + 1 + 1));
    world.apply_impulse_at(boxes[7], {0, 0, 2000}, {14, 0, 0.5});
    for (int i = 0; i < 120; ++i) world.step(kStep);
    const ReplayReport report = replay(world.recording());
    EXPECT_TRUE(report.identical()) << words(report);
}

// Two bytes for every body that moves, in every step; and the shapes of a body take some dozens.
TEST(Recording, IsSmall) {
    World world(fast_settings());
    world.start_recording();
    world.add_body(ground()).value();
    const std::size_t before = world.recording().bytes().size();
    for (int i = 0; i < 100; ++i)
        world.add_body(body("box", BoxDef{}, {1.37 * i, 0.1, 0.6})).value();
    const std::size_t bodies = world.recording().bytes().size() - before;
    for (int i = 0; i < 10; ++i) world.step(kStep);
    const std::size_t steps = world.recording().bytes().size() - before - bodies;
    EXPECT_LE(bodies, 100u * 120);
    EXPECT_LE(steps, 10u * (100 * 2 + 20) + 100);
}

// A thousand bodies of one mesh hold it once, recorded or not.
TEST(Recording, AMeshIsWrittenOnce) {
    World world(fast_settings());
    world.start_recording();
    const auto soup = tetrahedron();
    std::size_t size[3] = {};
    for (std::size_t& s : size) {
        world.add_body(body("mesh", MeshDef{soup}, {})).value();
        s = world.recording().bytes().size();
    }
    EXPECT_LT(size[1] - size[0] + 40, size[0]);
    EXPECT_EQ(size[2] - size[1], size[1] - size[0]);
}

// One bit of one impulse, and the first body to differ is the one it acted on, in the step that
// came after it.
TEST(Recording, AFlippedBitNamesTheStepAndTheBody) {
    const double impulse = 1.2345678901234567;
    World world(fast_settings());
    world.start_recording();
    world.add_body(ground()).value();
    std::vector<BodyId> crates;
    for (int i = 0; i < 8; ++i) {
        const std::string name = "crate[" + std::to_string(i) + "]";
        crates.push_back(world.add_body(body(name, BoxDef{}, {2.0 * i, 0, 0.6})).value());
    }
    for (int i = 1; i <= 60; ++i) {
        if (i == 37) world.apply_impulse_at(crates[3], {0, 0, impulse}, {6, 0, 0.6});
        world.step(kStep);
    }
    std::vector<std::uint8_t> content = content_of(world.recording());
    const auto bits = std::bit_cast<std::uint64_t>(impulse);
    std::vector<std::uint8_t> wanted;
    for (int shift = 56; shift >= 0; shift -= 8)
        wanted.push_back(static_cast<std::uint8_t>(bits >> shift));
    const auto at = std::search(content.begin(), content.end(), wanted.begin(), wanted.end());
    ASSERT_NE(at, content.end());
    at[1] ^= 1; // a sixteenth of it: the lower bits do not reach the floats of a solver

    const ReplayReport report = replay(from_content(content).value());
    ASSERT_FALSE(report.identical());
    EXPECT_EQ(report.difference->step, 37u);
    EXPECT_EQ(report.difference->body, crates[3]);
    EXPECT_EQ(report.difference->name, "crate[3]");
    EXPECT_EQ(report.difference->bodies, 1u);
    EXPECT_NE(report.difference->what.find("here at"), std::string::npos);
    EXPECT_EQ(report.steps, 36u);
}

// A body that wakes here and did not when it was recorded is named too.
TEST(Recording, AWakenedSleeperIsADifference) {
    World world(fast_settings());
    world.start_recording();
    world.add_body(ground()).value();
    const BodyId box = world.add_body(body("box", BoxDef{}, {0, 0, 0.5})).value();
    for (int i = 0; i < 120; ++i) world.step(kStep);
    ASSERT_FALSE(world.is_awake(box));
    const auto before = static_cast<std::ptrdiff_t>(content_of(world.recording()).size());
    world.step(kStep);
    std::vector<std::uint8_t> content = content_of(world.recording());
    RecordingWriter call;
    call(call_number<&World::wake>(), box);
    content.insert(content.begin() + before, call.bytes().begin(), call.bytes().end());

    const ReplayReport report = replay(from_content(content).value());
    ASSERT_FALSE(report.identical());
    EXPECT_EQ(report.difference->step, 121u);
    EXPECT_EQ(report.difference->name, "box");
    EXPECT_EQ(report.difference->what, "awake here, at rest in the recording");
}

// What the world refuses now, and did not when it was recorded, ends the replay with a reason.
TEST(Recording, ARefusedCallIsADifference) {
    World world;
    world.start_recording();
    world.step(kStep);
    std::vector<std::uint8_t> content = content_of(world.recording());
    RecordingWriter call;
    call(call_number<&World::remove_body>(), BodyId{5, 1});
    content.insert(content.end(), call.bytes().begin(), call.bytes().end());
    const ReplayReport report = replay(from_content(content).value());
    ASSERT_FALSE(report.identical());
    EXPECT_EQ(report.difference->step, 2u);
    EXPECT_EQ(report.steps, 1u);
    EXPECT_EQ(report.difference->what,
              "a call before it is refused here: stale body id: the body was removed");
}

// A call that fails changes nothing, so there is nothing to record.
TEST(Recording, CallsThatFailLeaveNoTrace) {
    World world(fast_settings());
    world.start_recording();
    const BodyId box = world.add_body(body("box", BoxDef{}, {})).value();
    const std::vector<std::uint8_t> before = world.recording().bytes();
    EXPECT_FALSE(world.add_body(body("flat", BoxDef{{1, 1, 0}}, {})).ok());
    EXPECT_FALSE(world.add_joint(joint(JointType::ball, box, box, {})).ok());
    EXPECT_THROW(world.apply_force(box, {NAN, 0, 0}), UsageError);
    EXPECT_THROW(world.apply_force_at(box, {1e300, 1, 0}, {1, 1e300, 0}), UsageError);
    EXPECT_THROW(world.remove_body({}), UsageError);
    EXPECT_THROW(world.set_settings({{}, Integrator::exact, 0, 1}), UsageError);
    EXPECT_THROW(world.set_material_pair({0, 1, -1.0, {}, {}}), UsageError);
    EXPECT_THROW(world.step(-1), UsageError);
    EXPECT_EQ(world.recording().bytes(), before);
    world.step(kStep);
    EXPECT_TRUE(replay(world.recording()).identical());
}

TEST(Recording, StartsOnANewWorldOnly) {
    World world;
    EXPECT_THROW(world.recording(), UsageError);
    world.set_settings(fast_settings()); // settings are no history
    world.start_recording();
    EXPECT_EQ(world.recording().step_count(), 0u);
    EXPECT_TRUE(replay(world.recording()).identical());
    World used;
    used.add_body(body("box", BoxDef{}, {})).value();
    EXPECT_THROW(used.start_recording(), UsageError);
    World stepped;
    stepped.step(1);
    EXPECT_THROW(stepped.start_recording(), UsageError);
}

// Functions have no bytes, and a snapshot may come from a world with another past.
TEST(Recording, HooksAndSnapshotsCannotBeRecorded) {
    World world;
    world.start_recording();
    EXPECT_THROW(world.restore(world.snapshot()), UsageError);
    ContactHooks hooks;
    hooks.filter = [](const ContactSide&, const ContactSide&) { return true; };
    EXPECT_THROW(world.set_contact_hooks(hooks), UsageError);
    world.set_contact_hooks({});
    World hooked;
    hooked.set_contact_hooks(hooks);
    EXPECT_THROW(hooked.start_recording(), UsageError);
}

TEST(Recording, OptionsOutOfRangeAreTheCallersMistake) {
    const Recording recording = record(0);
    EXPECT_THROW(replay(recording, {.threads = 0, .lanes = 0, .progress = {}}), UsageError);
    EXPECT_THROW(replay(recording, {.threads = 1, .lanes = 3, .progress = {}}), UsageError);
}

TEST(Recording, ProgressIsToldOfEveryStep) {
    std::vector<std::uint64_t> told;
    replay(record(5), {.threads = 1, .lanes = 0, .progress = [&](std::uint64_t step) {
                           told.push_back(step);
                       }});
    EXPECT_EQ(told, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
}

class RecordingFile : public ::testing::Test {
  protected:
    RecordingFile()
        : path_((std::filesystem::temp_directory_path() /
                 ("rigor_recording_" +
                  std::string(::testing::UnitTest::GetInstance()->current_test_info()->name())))
                    .string()) {}
    ~RecordingFile() override { std::filesystem::remove(path_); }

    std::string error_of(const std::vector<std::uint8_t>& bytes) const {
        std::ofstream(path_, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        const Result<Recording> loaded = Recording::load(path_);
        EXPECT_FALSE(loaded.ok());
        if (loaded) return "";
        EXPECT_EQ(loaded.error().where, path_);
        return loaded.error().message;
    }

    std::string path_;
};

TEST_F(RecordingFile, ComesBackAsItWas) {
    const Recording recording = record(10);
    ASSERT_TRUE(recording.save(path_).ok());
    const Result<Recording> loaded = Recording::load(path_);
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(loaded->bytes(), recording.bytes());
    EXPECT_EQ(loaded->step_count(), 10u);
    EXPECT_EQ(loaded->numerics(), recording.numerics());
    EXPECT_NE(loaded->recorded_by(), "");
}

TEST_F(RecordingFile, BadFilesGetOneSentence) {
    const std::vector<std::uint8_t> good = record(3).bytes();
    EXPECT_EQ(error_of({}), "is not a recording: it must begin with \"rigorrec\"");
    EXPECT_EQ(error_of({'h', 'e', 'l', 'l', 'o', ' ', 'w', 'o', 'r', 'l', 'd'}),
              "is not a recording: it must begin with \"rigorrec\"");
    EXPECT_EQ(error_of({good.begin(), good.begin() + 20}), "is cut off within its first 28 bytes");

    std::vector<std::uint8_t> other_format = good;
    other_format[8] = 99;
    EXPECT_EQ(error_of(other_format), "is a recording of format 99, this build reads format 1");

    const std::size_t size = good.size() - kRecordingContent;
    EXPECT_EQ(error_of({good.begin(), good.end() - 1}),
              test::message("is cut off: ", size - 1, " of ", size, " bytes are there"));
    std::vector<std::uint8_t> longer = good;
    longer.insert(longer.end(), 3, 0);
    EXPECT_EQ(error_of(longer), "has 3 bytes behind its end");

    std::vector<std::uint8_t> flipped = good;
    flipped[good.size() / 2] ^= 4;
    EXPECT_EQ(error_of(flipped), "is damaged: its checksum does not fit its bytes");

    std::vector<std::uint8_t> unknown_call = content_of(record(3));
    unknown_call.push_back(200);
    EXPECT_EQ(error_of(recording_file(unknown_call)), "makes no sense after step 3");
}

TEST_F(RecordingFile, OfWhatCannotBeReadOrWritten) {
    EXPECT_EQ(Recording::load(path_ + "/none").error().message, "there is no such file");
    EXPECT_EQ(Recording::load("/").error().message, "must be a regular file");
    EXPECT_EQ(record(0).save("/no/such/folder").error().message, "cannot be written");
}

// Compounds within compounds are followed only so far, or a file of 10 kB could use up the stack.
TEST(RecordingBytes, NestingHasAnEnd) {
    ShapeDef shape{SphereDef{}};
    for (int i = 0; i < 1000; ++i) shape = ShapeDef{CompoundDef{{shape}}};
    RecordingWriter writer;
    writer(shape);
    RecordingReader reader(writer.bytes().data(), writer.bytes().data() + writer.bytes().size());
    ShapeDef read;
    reader(read);
    EXPECT_TRUE(reader.failed());

    World world; // as deep as a world allows must come back
    world.start_recording();
    shape = ShapeDef{SphereDef{}};
    for (int i = 0; i < 64; ++i) shape = ShapeDef{CompoundDef{{shape}}};
    BodyDef def;
    def.shapes = {shape};
    world.add_body(def).value();
    world.step(kStep);
    EXPECT_TRUE(replay(world.recording()).identical());
}

TEST(RecordingBytes, NumbersComeBackToTheBit) {
    const double doubles[] = {0, -0.0, 1, -1, 0.1, 1000, 5e-324, 1.7976931348623157e308, INFINITY};
    const std::int32_t integers[] = {0, -1, 1, 63, 64, -65, INT32_MAX, INT32_MIN};
    const std::uint32_t naturals[] = {0, 127, 128, 16383, 16384, UINT32_MAX};
    RecordingWriter writer;
    for (const double x : doubles) writer(x);
    for (const std::int32_t x : integers) writer(x);
    for (const std::uint32_t x : naturals) writer(x);
    RecordingReader reader(writer.bytes().data(), writer.bytes().data() + writer.bytes().size());
    for (const double x : doubles) {
        double y = 7;
        reader(y);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(x), std::bit_cast<std::uint64_t>(y));
    }
    for (const std::int32_t x : integers) {
        std::int32_t y = 7;
        reader(y);
        EXPECT_EQ(x, y);
    }
    for (const std::uint32_t x : naturals) {
        std::uint32_t y = 7;
        reader(y);
        EXPECT_EQ(x, y);
    }
    EXPECT_TRUE(reader.at_end());
    EXPECT_FALSE(reader.failed());
}

// Whatever the bytes are: a recording or a sentence. The checksum is made to fit, so that the
// reader behind it is what is tried.
TEST(RecordingBytes, AnyTruncationIsFoundOrHarmless) {
    const std::vector<std::uint8_t> content = content_of(record(3));
    int whole = 0;
    for (std::size_t size = 0; size < content.size(); ++size) {
        const auto parsed =
            from_content({content.begin(), content.begin() + static_cast<std::ptrdiff_t>(size)});
        if (parsed) {
            ++whole; // cut between two calls
        } else {
            EXPECT_FALSE(parsed.error().message.empty());
        }
    }
    EXPECT_LT(whole, 100);
}

TEST(RecordingBytes, AnyFlippedBytesAreFoundOrReplayedToAnEnd) {
    const std::vector<std::uint8_t> content = content_of(record(3));
    World empty(fast_settings());
    empty.start_recording();
    const auto head = static_cast<std::ptrdiff_t>(content_of(empty.recording()).size());
    test::Random random(11);
    int replayed = 0;
    for (int i = 0; i < 3000; ++i) {
        std::vector<std::uint8_t> mutant = content;
        for (int flips = random.integer(1, 3); flips > 0; --flips) {
            const auto at = random.integer(0, static_cast<int>(content.size()) - 1);
            mutant[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random.bits() & 0xff);
        }
        const auto parsed = from_content(mutant);
        if (!parsed) {
            EXPECT_FALSE(parsed.error().message.empty());
            continue;
        }
        // Replaying takes time: a few, and only where the settings are those of the original.
        if (i % 8 != 0 || !std::equal(content.begin(), content.begin() + head, mutant.begin()))
            continue;
        const ReplayReport report = replay(*parsed);
        EXPECT_LE(report.steps, parsed->step_count());
        ++replayed;
    }
    EXPECT_GT(replayed, 20);
}

} // namespace
} // namespace rigor
