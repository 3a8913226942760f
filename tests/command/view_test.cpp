// rigor view as a user starts and ends it.

#include <gmock/gmock.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "program.h"

namespace rigor::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ViewCommand : public ProgramTest {};

TEST_F(ViewCommand, BadInputIsOneSentence) {
    const ProgramResult missing = rigor("view nowhere.json --no-open --port 0");
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_EQ(
        missing.err,
        "rigor: nowhere.json: there is no such file, here or in the gallery; rigor run --list "
        "lists the scenes of the gallery\n");
    const std::string bad = write("bad.json", "{ \"rigor\": 1,\n  \"bodys\": [] }");
    const ProgramResult unknown = rigor("view " + bad + " --no-open --port 0");
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("bad.json:2:3: the scene has an unknown key \"bodys\""));
    for (const char* arguments :
         {"--port 70000", "--listen nowhere", "--threads 0", "--page /nowhere", "--scenes /nowhere",
          "--history-mb 0", "--methods fast", "wall --methods fast,nope", "--port abc"}) {
        const ProgramResult refused = rigor(std::string("view --no-open ") + arguments);
        EXPECT_EQ(refused.exit_code, 2) << arguments;
        EXPECT_THAT(refused.err, StartsWith("rigor: ")) << arguments;
    }
}

/// A program that runs until it is told to end.
TEST_F(ViewCommand, ServesUntilCtrlCAndSaysWhere) {
    const std::string out = file("address"), pid = file("pid");
    const std::string start = "cd '" RIGOR_SOURCE_DIR "' && ('" RIGOR_BUILD_DIR
                              "/rigor' view scenes/tower.json --no-open --port 0 >'" +
                              out + "' 2>&1 & echo $! >'" + pid + "'; wait; echo $? >'" +
                              file("code") + "') &";
    ASSERT_EQ(std::system(start.c_str()), 0);
    const auto wait_for = [&](const std::string& path, const std::string& text) {
        for (int i = 0; i < 200; ++i) {
            if (read_file(path).find(text) != std::string::npos) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return false;
    };
    ASSERT_TRUE(wait_for(out, "Rigor is at http://127.0.0.1:")) << read_file(out);
    const std::string text = read_file(out);
    const std::string port =
        text.substr(text.find("127.0.0.1:") + 10, text.find("/  (") - text.find("127.0.0.1:") - 10);
    const ProgramResult second = rigor("view --no-open --port " + port);
    EXPECT_EQ(second.exit_code, 2);
    EXPECT_THAT(second.err, HasSubstr("port " + port + " is in use: choose another with --port"));
    ASSERT_EQ(kill(std::stoi(read_file(pid)), SIGTERM), 0);
    EXPECT_TRUE(wait_for(file("code"), "\n"));
}

} // namespace
} // namespace rigor::test
