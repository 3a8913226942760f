// Recordings: whatever was done to a world can be done again, and a difference has a name.

#include "rigor/recording.h"

#include <bit>

#include "recorded_world.h"

namespace rigor {
namespace {

using namespace test;

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
        settings.method = Method::free;
        settings.integrator = integrator;
        World world(settings);
        world.start_recording();
        const BodyId id = world.add_body(body("top", BoxDef{{1, 2, 3}}, {})).value();
        world.set_angular_velocity(id, {1, 2, 3});
        run_steps(world, 20);
        EXPECT_TRUE(replay(world.recording()).identical());
    }
}

// Being recorded changes nothing: the recorder only looks.
TEST(Recording, TheRecordedWorldIsTheOneThatIsNot) {
    World plain(settings_of(Method::fast)), recorded(settings_of(Method::fast));
    recorded.start_recording();
    live(plain, 80);
    live(recorded, 80);
    EXPECT_EQ(plain.state_hash(), recorded.state_hash());
}

// Those who sleep cost no bytes: the recording of a quiet world grows by the same few a step.
TEST(Recording, SleepersAreWatchedOnlyUntilTheySleep) {
    World world(settings_of(Method::fast));
    world.start_recording();
    world.add_body(ground()).value();
    std::vector<BodyId> boxes;
    for (int i = 0; i < 50; ++i)
        boxes.push_back(world.add_body(body("box", BoxDef{}, {2.0 * i, 0, 0.5})).value());
    run_steps(world, 120);
    ASSERT_EQ(world.awake_count(), 0u);
    const std::size_t before = world.recording().bytes().size();
    run_steps(world, 10);
    EXPECT_EQ(world.recording().bytes().size() - before, 10u * (1 + 9 + 8 + 1 + 1));
    world.apply_impulse_at(boxes[7], {0, 0, 2000}, {14, 0, 0.5});
    run_steps(world, 120);
    const ReplayReport report = replay(world.recording());
    EXPECT_TRUE(report.identical()) << words(report);
}

// One bit of one impulse, and the first body to differ is the one it acted on, in the step that
// came after it.
TEST(Recording, AFlippedBitNamesTheStepAndTheBody) {
    const double impulse = 1.2345678901234567;
    World world(settings_of(Method::fast));
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
    World world(settings_of(Method::fast));
    world.start_recording();
    world.add_body(ground()).value();
    const BodyId box = world.add_body(body("box", BoxDef{}, {0, 0, 0.5})).value();
    run_steps(world, 120);
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
    World world({.method = Method::free});
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
              "a call is refused here: no such body in this world: it was removed, or the id is of "
              "another world");
}

// A call that fails changes nothing, so there is nothing to record.
TEST(Recording, CallsThatFailLeaveNoTrace) {
    World world(settings_of(Method::fast));
    world.start_recording();
    const BodyId box = world.add_body(body("box", BoxDef{}, {})).value();
    const std::vector<std::uint8_t> before = world.recording().bytes();
    EXPECT_FALSE(world.add_body(body("flat", BoxDef{{1, 1, 0}}, {})).ok());
    EXPECT_FALSE(world.add_joint({.a = box, .b = box, .kind = BallJoint{}}).ok());
    EXPECT_THROW(world.apply_force(box, {HUGE_VAL, 0, 0}), UsageError);
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
    World world({.method = Method::free});
    EXPECT_THROW(world.recording(), UsageError);
    world.set_settings(settings_of(Method::fast)); // settings are no history
    world.start_recording();
    EXPECT_EQ(world.recording().step_count(), 0u);
    EXPECT_TRUE(replay(world.recording()).identical());
    World used({.method = Method::free});
    used.add_body(body("box", BoxDef{}, {})).value();
    EXPECT_THROW(used.start_recording(), UsageError);
    World stepped({.method = Method::free});
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

TEST(ContactHooks, AreRefusedWhereNobodyAsksThem) {
    ContactHooks hooks;
    hooks.modify = [](const ContactView&, ContactChoice&) {};
    World world({.method = Method::faithful});
    EXPECT_THROW(world.set_contact_hooks(hooks), UsageError);
    world.set_contact_hooks({});
    World hooked;
    hooked.set_contact_hooks(hooks);
    WorldSettings settings = hooked.settings();
    settings.method = Method::kenwright;
    EXPECT_THROW(hooked.set_settings(settings), UsageError);
    EXPECT_EQ(hooked.settings().method, Method::fast);
    hooked.set_contact_hooks({});
    hooked.set_settings(settings);
    EXPECT_EQ(hooked.settings().method, Method::kenwright);
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

} // namespace
} // namespace rigor
