// Results that a command writes: whole or absent, and never over an input.

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program.h"

namespace rigor::test {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class Outputs : public ProgramTest {
  protected:
    /// A scene of a mesh and an included scene, all in the folder of the test.
    std::string scene() const {
        fs::copy_file(RIGOR_SOURCE_DIR "/scenes/meshes/pyramid.obj", file("pyramid.obj"),
                      fs::copy_options::overwrite_existing);
        write("part.json", R"({ "rigor": 1, "bodies": [ { "name": "ball", "type": "dynamic",
            "position": [0, 0, 9], "shapes": [ { "type": "sphere", "radius": 0.5 } ] } ] })");
        return write("scene.json", R"({ "rigor": 1, "include": [ { "file": "part.json" } ],
            "bodies": [ { "name": "mesh", "type": "static",
                          "shapes": [ { "type": "mesh", "file": "pyramid.obj" } ] } ] })");
    }

    int shell(const std::string& command) const {
        const int status = std::system(("cd '" + file("") + "' && " + command + " 2>err").c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    std::string error_text() const { return read_file(file("err")); }
    const std::string program = "'" RIGOR_BUILD_DIR "/rigor' ";
};

TEST_F(Outputs, NoInputIsOverwritten) {
    const std::string path = scene();
    fs::create_symlink("pyramid.obj", file("link.obj"));
    fs::create_hard_link(file("part.json"), file("hard.json"));
    rigor("run " + path + " --steps 1 --record " + file("run.rec"));
    for (const auto& [arguments, input] : std::vector<std::pair<std::string, std::string>>{
             {"run scene.json --steps 1 --json pyramid.obj", "pyramid.obj"},
             {"run scene.json --steps 1 --csv link.obj", "pyramid.obj"},
             {"run scene.json --steps 1 --record hard.json", "part.json"},
             {"run scene.json --steps 1 --csv ./part.json", "part.json"},
             {"compare scene.json --methods free --steps 1 --json pyramid.obj", "pyramid.obj"},
             {"compare scene.json --methods free --steps 1 --json scene.json", "scene.json"},
             {"mass pyramid.obj --json pyramid.obj", "pyramid.obj"},
             {"mass pyramid.obj --json link.obj", "pyramid.obj"},
             {"replay run.rec --json run.rec", "run.rec"}}) {
        const std::string before = read_file(file(input));
        EXPECT_EQ(shell(program + arguments + " >out"), 2) << arguments;
        EXPECT_THAT(error_text(), HasSubstr("would overwrite the input")) << arguments;
        EXPECT_EQ(read_file(file(input)), before) << arguments;
    }
}

TEST_F(Outputs, AResultThatCannotBeWrittenLeavesTheOldOne) {
    scene();
    for (const std::string flag : {"--csv", "--json", "--record"}) {
        write("result", "old");
        const std::string limited = "trap '' XFSZ; ulimit -f 1; "; // one block a file
        EXPECT_EQ(shell("{ " + limited + program + "run scene.json --steps 400 --all-bodies " +
                        flag + " result >/dev/null; }"),
                  2)
            << flag << error_text();
        EXPECT_THAT(error_text(), EndsWith("result: cannot be written: File too large\n"));
        EXPECT_EQ(read_file(file("result")), "old") << flag;
    }
    for (const auto& entry : fs::directory_iterator(file("")))
        EXPECT_THAT(entry.path().string(), ::testing::Not(EndsWith(".tmp")));
}

TEST_F(Outputs, AFailedRunLeavesNoFile) {
    scene();
    EXPECT_EQ(shell(program + "run scene.json --method nope --csv a --json b --record c"), 2);
    EXPECT_EQ(shell(program + "run none.json --csv a --json b --record c"), 2);
    for (const std::string name : {"a", "b", "c"}) EXPECT_FALSE(fs::exists(file(name))) << name;
}

TEST_F(Outputs, ASignalEndsARunWithWholeResults) {
    scene();
    for (const std::string signal : {"INT", "TERM"}) {
        const std::string run =
            "run scene.json --steps 100000000 --every 1000 --quiet --csv a.csv "
            "--json b.json --record c.rec & ";
        EXPECT_EQ(shell("{ " + program + run + "sleep 1; kill -" + signal + " $!; wait $!; }"), 3);
        EXPECT_THAT(error_text(), HasSubstr("interrupted by SIG" + signal)) << error_text();
        const std::string csv = read_file(file("a.csv"));
        EXPECT_THAT(csv, EndsWith("\n"));
        const std::string last = csv.substr(csv.rfind('\n', csv.size() - 2) + 1);
        EXPECT_EQ(std::count(last.begin(), last.end(), ','), 14);
        const auto summary = nlohmann::json::parse(read_file(file("b.json")));
        EXPECT_GT(summary["steps"], 0);
        EXPECT_THAT(summary["warnings"].dump(), HasSubstr("interrupted by SIG" + signal));
        EXPECT_EQ(shell(program + "replay c.rec >out"), 0) << error_text();
        for (const std::string name : {"a.csv", "b.json", "c.rec"}) fs::remove(file(name));
    }
}

TEST_F(Outputs, AKilledRunLeavesNothing) {
    scene();
    write("a.csv", "old");
    shell("{ " + program +
          "run scene.json --steps 100000000 --csv a.csv --json b.json & sleep 1; "
          "kill -KILL $!; wait $!; }");
    EXPECT_EQ(read_file(file("a.csv")), "old");
    EXPECT_FALSE(fs::exists(file("b.json")));
}

} // namespace
} // namespace rigor::test
