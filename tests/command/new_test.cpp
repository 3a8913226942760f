// rigor new: a starter scene that runs as it is.

#include <nlohmann/json.hpp>

#include "program.h"

namespace rigor::test {
namespace {

using NewCommand = ProgramTest;

TEST_F(NewCommand, WritesASceneThatRunsUnderBothPipelines) {
    const ProgramResult made = rigor("new " + file("my scene").insert(0, "'") + "'");
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const std::string scene = "'" + file("my scene.json") + "'";
    // The ball is there after 0.76 s. Each box that then meets another is an event of `faithful`:
    // by 0.85 s the stack has moved, and the second after it would take a minute.
    for (const auto& [method, seconds] :
         {std::pair<std::string, std::string>{"fast", "2"}, {"faithful", "0.85"}}) {
        const ProgramResult run =
            rigor("run " + scene + " --json - --method " + method + " --time " + seconds);
        ASSERT_EQ(run.exit_code, 0) << run.err;
        if (method == "fast") {
            EXPECT_EQ(run.err, "") << "a starter scene gives no warnings";
        }
        const auto summary = nlohmann::json::parse(run.out);
        EXPECT_EQ(summary["scene"], "my scene");
        EXPECT_GT(summary["final"]["tower[0]"]["position"][0], 0.05) << "the ball hit the stack";
    }
}

TEST_F(NewCommand, OverwritesNothing) {
    write("old.json", "mine");
    for (const std::string name : {"old", "old.json"}) {
        const ProgramResult r = rigor("new " + file(name));
        EXPECT_EQ(r.exit_code, 2);
        EXPECT_EQ(r.err, "rigor: " + file("old.json") +
                             ": there is such a file already; rigor new does not overwrite it\n");
    }
    EXPECT_EQ(read_file(file("old.json")), "mine");
    EXPECT_EQ(rigor("new " + file("none/x")).exit_code, 2);
}

} // namespace
} // namespace rigor::test
