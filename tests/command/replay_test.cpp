// rigor run --record and rigor replay: the output that scripts rely on.

#include <nlohmann/json.hpp>

#include "program.h"
#include "rigor/version.h"
#include "rigor/world.h"
#include "world/recorder.h"

namespace rigor {
namespace {

using nlohmann::json;

class ReplayCommand : public test::ProgramTest {
  protected:
    /// Eight crates in free fall for 60 steps, with something put in front of step 37.
    std::string write_crates(const RecordingWriter& extra, const RecordingHeader& header) const {
        World world({.method = Method::free});
        world.start_recording();
        const std::size_t begin = world.recording().bytes().size();
        for (int i = 0; i < 8; ++i) {
            BodyDef def;
            def.name = "crate[" + std::to_string(i) + "]";
            def.shapes.push_back({BoxDef{}});
            world.add_body(def).value();
        }
        for (int i = 1; i < 37; ++i) world.step(1.0 / 60);
        const std::size_t middle = world.recording().bytes().size();
        for (int i = 37; i <= 60; ++i) world.step(1.0 / 60);

        const std::vector<std::uint8_t> bytes = world.recording().bytes();
        const auto at = [&](std::size_t i) {
            return bytes.begin() + static_cast<std::ptrdiff_t>(i);
        };
        RecordingWriter head;
        head(header);
        std::vector<std::uint8_t> content = head.bytes();
        content.insert(content.end(), at(begin), at(middle));
        content.insert(content.end(), extra.bytes().begin(), extra.bytes().end());
        content.insert(content.end(), at(middle), bytes.end());
        Recording::parse(recording_file(content)).value().save(file("crates.rec")).value();
        return file("crates.rec");
    }
};

// One file that needs nothing else. tests/browser/replay_tests.mjs of the page plays one.
TEST_F(ReplayCommand, WritesAPageThatPlaysIt) {
    const std::string recording = file("shapes.rec"), page = file("shapes.html");
    ASSERT_EQ(rigor("run thrown_shapes --steps 20 --quiet --record " + recording).exit_code, 0);
    const auto r = rigor("replay " + recording + " --html " + page);
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_TRUE(r.out.starts_with("identical: 20 steps"));
    const std::string text = test::read_file(page);
    EXPECT_EQ(text.find("http"), std::string::npos);
    const std::string begin = "id=\"movie\">";
    const std::size_t from = text.find(begin) + begin.size();
    const json movie = json::parse(text.substr(from, text.find("</script>", from) - from));
    EXPECT_EQ(movie["frames"].size(), 20u);
    for (const json& geometry : movie["geometries"])
        EXPECT_GE(geometry.get<std::string>().size(), 48u);
    for (const json& body : movie["bodies"]) EXPECT_FALSE(body["parts"].empty()) << body;
    const auto out = rigor("replay " + recording + " --html -");
    EXPECT_EQ(out.out, text);
    EXPECT_EQ(rigor("replay " + recording + " --html " + recording).exit_code, 2);
    EXPECT_EQ(rigor("replay " + recording + " --html " + file("none/page.html")).exit_code, 2);
}

TEST_F(ReplayCommand, ARecordedRunIsIdenticalWhenReplayed) {
    const std::string recording = file("pyramid.rec");
    const auto run =
        rigor("run scenes/pyramid.json --steps 30 --threads 2 --json - --record " + recording);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const std::string bodies = std::to_string(json::parse(run.out)["bodies"].get<int>());
    for (const char* threads : {"", " --threads 1", " --threads 2"}) {
        const auto r = rigor("replay " + recording + threads);
        EXPECT_EQ(r.exit_code, 0) << r.err;
        EXPECT_EQ(r.out, "identical: 30 steps, " + bodies + " bodies\n");
        EXPECT_EQ(r.err, "");
    }
}

// Forces and keyframes of a scene act through the world, so they are in the recording.
TEST_F(ReplayCommand, ForcesAndKeyframesAreRecorded) {
    const std::string scene = write("driven.json", R"({
      "rigor": 1, "name": "driven", "method": "fast",
      "bodies": [
        { "name": "ball", "type": "dynamic", "position": [0, 0, 2],
          "shapes": [ { "type": "sphere", "radius": 0.5 } ] },
        { "name": "lift", "type": "kinematic", "shapes": [ { "type": "box", "size": [3, 3, 1] } ],
          "driver": { "keyframes": [ [0, [0, 0, 0]], [1, [0, 0, 1]] ] } } ],
      "forces": [ { "body": "ball", "force": [100, 0, 0], "from": 0.1, "to": 0.4 } ] })");
    ASSERT_EQ(rigor("run " + scene + " --time 1 --record " + file("driven.rec")).exit_code, 0);
    EXPECT_EQ(rigor("replay " + file("driven.rec")).out, "identical: 60 steps, 2 bodies\n");
}

TEST_F(ReplayCommand, JsonSaysTheSame) {
    ASSERT_EQ(rigor("run scenes/see_saw.json --steps 5 --record " + file("a.rec")).exit_code, 0);
    const json j = rigor_json("replay " + file("a.rec"));
    EXPECT_EQ(j["identical"], true);
    EXPECT_EQ(j["steps"], 5);
    EXPECT_EQ(j["numerics"], j["recorded_numerics"]);
    EXPECT_FALSE(j.contains("difference"));
}

TEST_F(ReplayCommand, TheFirstDifferenceIsNamedAndTheCheckFails) {
    RecordingWriter push;
    push(call_number<&World::apply_impulse_at>(), BodyId{3, 1}, Vec3d{1, 0, 0}, Vec3d{});
    const std::string recording =
        write_crates(push, {version_info().numerics, "me", {.method = Method::free}});
    const auto r = rigor("replay " + recording);
    EXPECT_EQ(r.exit_code, 1) << r.err;
    EXPECT_EQ(r.out.find("step 37: body \"crate[3]\" differs (here at ("), 0u) << r.out;
    const auto as_json = rigor("replay " + recording + " --json -");
    EXPECT_EQ(as_json.exit_code, 1);
    const json j = json::parse(as_json.out);
    EXPECT_EQ(j["identical"], false);
    EXPECT_EQ(j["steps"], 36);
    EXPECT_EQ(j["recorded_steps"], 60);
    EXPECT_EQ(j["difference"]["step"], 37);
    EXPECT_EQ(j["difference"]["body"], "crate[3]");
    EXPECT_EQ(j["difference"]["bodies"], 1);
}

// Another numerics version is no error, but it is said.
TEST_F(ReplayCommand, AnotherNumericsVersionIsSaid) {
    const int here = version_info().numerics;
    const auto r =
        rigor("replay " + write_crates({}, {here + 1, "someone", {.method = Method::free}}));
    EXPECT_EQ(r.exit_code, 0);
    EXPECT_EQ(r.out, "identical: 60 steps, 8 bodies\n");
    EXPECT_NE(r.err.find("recorded with numerics version " + std::to_string(here + 1)),
              std::string::npos)
        << r.err;
}

TEST_F(ReplayCommand, BadFilesAndFlagsAreRefusedWithASentence) {
    const auto fails = [&](const std::string& arguments, const std::string& sentence) {
        const auto r = rigor(arguments);
        EXPECT_EQ(r.exit_code, 2) << arguments;
        EXPECT_EQ(r.out, "");
        EXPECT_NE(r.err.find(sentence), std::string::npos) << r.err;
        EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1);
    };
    fails("replay " + file("none.rec"), "none.rec: there is no such file");
    fails("replay scenes/pyramid.json", "pyramid.json: is not a recording");
    fails("replay " + write("a.rec", "rigorrec"), "is cut off");
    fails("replay scenes/pyramid.json --threads 0",
          "--threads must be a whole number from 1 to 1024, got 0");
    fails("run scenes/pyramid.json --steps 1 --record /no/such/folder/a.rec", "cannot be written");
    ASSERT_EQ(rigor("run scenes/see_saw.json --steps 5 --record " + file("b.rec")).exit_code, 0);
    std::string bytes = test::read_file(file("b.rec"));
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    fails("replay " + write("b.rec", bytes), "is damaged: its checksum does not fit its bytes");
}

} // namespace
} // namespace rigor
