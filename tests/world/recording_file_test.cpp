// Recordings as bytes: small, exact, and checked.

#include <bit>
#include <filesystem>
#include <fstream>

#include "recorded_world.h"

namespace rigor {
namespace {

using namespace test;

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

// Recordings hold the fields of all kinds of joints: each kind must find its own again.
TEST(RecordingFields, JointsOfEveryKindComeBack) {
    const Vec3d p{1, 2, 3}, q{4, 5, 6};
    const Range range{-0.5, 0.25};
    const MotorDef motor{.target_position = 0.5, .max_force = 7};
    SixDofJoint six_dof{.frame = {0.5, 0.5, 0.5, 0.5}};
    six_dof.axes[4] = range;
    const JointKind kinds[] = {BallJoint{},
                               HingeJoint{p, range, motor},
                               SliderJoint{q, range, motor},
                               FixedJoint{},
                               DistanceJoint{q, range},
                               ConeTwistJoint{p, 0.75, range},
                               six_dof,
                               WheelJoint{p, q, range, motor},
                               GearJoint{{3, 1}, {5, 2}, -2},
                               TrackJoint{{p, q}, true, range, motor}};
    static_assert(std::size(kinds) == kJointTypeCount);
    for (const JointKind& kind : kinds) {
        const JointDef def{.name = "joint", .anchor = {7, 8, 9}, .kind = kind, .friction = 2};
        RecordingWriter written, again;
        written(def);
        RecordingReader reader(written.bytes().data(),
                               written.bytes().data() + written.bytes().size());
        JointDef read;
        reader(read);
        EXPECT_TRUE(reader.at_end() && !reader.failed());
        EXPECT_EQ(read.type(), def.type());
        again(read);
        EXPECT_EQ(again.bytes(), written.bytes()) << kJointTypeNames[kind.index()];
    }
}

TEST_F(RecordingFile, BadFilesGetOneSentence) {
    const std::vector<std::uint8_t> good = record(3).bytes();
    EXPECT_EQ(error_of({}), "is not a recording: it must begin with \"rigorrec\"");
    EXPECT_EQ(error_of({'h', 'e', 'l', 'l', 'o', ' ', 'w', 'o', 'r', 'l', 'd'}),
              "is not a recording: it must begin with \"rigorrec\"");
    EXPECT_EQ(error_of({good.begin(), good.begin() + 20}), "is cut off within its first 28 bytes");

    std::vector<std::uint8_t> other_format = good;
    other_format[8] = 99;
    EXPECT_EQ(error_of(other_format), "is a recording of format 99, this build reads format 6");

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

    RecordingWriter no_substeps;
    no_substeps(RecordingHeader{1, "me", {{}, Integrator::exact, /*substeps=*/0}});
    EXPECT_EQ(error_of(recording_file(no_substeps.bytes())),
              "holds settings that no world can have: substeps must be a whole "
              "number from 1 to 10000, got 0");
}

TEST_F(RecordingFile, OfWhatCannotBeReadOrWritten) {
    EXPECT_EQ(Recording::load(path_ + "/none").error().message, "there is no such file");
    EXPECT_EQ(Recording::load("/").error().message, "must be a regular file");
    EXPECT_EQ(record(0).save("/no/such/folder").error().message,
              "cannot be written: No such file or directory");
}

// Two bytes for every body that moves, in every step; and the shapes of a body take some dozens.
TEST(RecordingBytes, AreFew) {
    World world(settings_of(Method::fast));
    world.start_recording();
    world.add_body(ground()).value();
    const std::size_t before = world.recording().bytes().size();
    for (int i = 0; i < 100; ++i)
        world.add_body(body("box", BoxDef{}, {1.37 * i, 0.1, 0.6})).value();
    const std::size_t bodies = world.recording().bytes().size() - before;
    run_steps(world, 10);
    const std::size_t steps = world.recording().bytes().size() - before - bodies;
    EXPECT_LE(bodies, 100u * 120);
    EXPECT_LE(steps, 10u * (100 * 2 + 20) + 100);
}

// A thousand bodies of one mesh hold it once, recorded or not.
TEST(RecordingBytes, AMeshIsWrittenOnce) {
    World world(settings_of(Method::fast));
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

    World world({.method = Method::free}); // as deep as a world allows must come back
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
    const double doubles[] = {0, -0.0, 1, -1, 0.1, 1000, 5e-324, 1.7976931348623157e308, HUGE_VAL};
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
    World empty(settings_of(Method::fast));
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
