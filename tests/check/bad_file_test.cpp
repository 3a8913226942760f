// Files that are no certificates: one sentence, exit code 2.

#include <sys/stat.h>

#include "run_checker.h"

namespace rigor::app {
namespace {

/// One line on standard error that names the file, exit code 2.
void expect_refused(const std::string& path, const std::string& says,
                    const std::string& options = "") {
    const CheckOutcome outcome = run_checker(path + options);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
    EXPECT_NE(outcome.output.find(says), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find(path), std::string::npos) << outcome.output;
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1) << outcome.output;
}

class BadFile : public testing::Test {
  protected:
    void SetUp() override {
        const Result<std::string> file = certify("flat_stick", 0.2);
        ASSERT_TRUE(file);
        lines_ = lines_of(*file);
    }
    std::string written() const {
        write_lines(path_, lines_);
        return path_;
    }

    const std::string path_ = scratch_file("bad.jsonl");
    std::vector<std::string> lines_;
};

TEST_F(BadFile, IsCutOff) {
    lines_.resize(lines_.size() / 2);
    expect_refused(written(), "cut off");
    lines_.back().resize(lines_.back().size() / 2);
    expect_refused(written(), "line");
}

TEST_F(BadFile, LacksALine) {
    lines_.erase(lines_.begin() + 5);
    expect_refused(written(), "lines are missing");
}

TEST_F(BadFile, IsOfAnotherVersion) {
    lines_[0].replace(lines_[0].find(":1,"), 3, ":2,");
    expect_refused(written(), "version 2");
}

TEST_F(BadFile, HasANumberThatIsNone) {
    const std::size_t at = lines_[3].find("\"states\":[[");
    ASSERT_NE(at, std::string::npos);
    for (const char* number : {"NaN,", "1e999,", "null,", "\"1\","}) {
        const std::vector<std::string> whole = lines_;
        lines_[3].insert(at + 11, number);
        expect_refused(written(), "line 4");
        lines_ = whole;
    }
}

TEST_F(BadFile, HasAnIndexOutOfRange) {
    const std::size_t at = lines_[3].find("\"bodies\":[");
    lines_[3].insert(at + 10, "99,");
    expect_refused(written(), "out of range");
}

// What nodes are computed from is there, and of bodies that are there: the world is none.
TEST_F(BadFile, HasARecordWithoutStatesOrOfTheWorld) {
    const std::vector<std::string> whole = lines_;
    const std::size_t at = lines_[3].find("\"states\"");
    lines_[3].replace(at, 8, "\"others\"");
    expect_refused(written(), "states");
    lines_ = whole;
    lines_[3].replace(lines_[3].find("\"bodies\":[") + 10, 1, "-1");
    expect_refused(written(), "out of range");
    lines_ = whole;
    lines_[3].insert(lines_[3].find("\"bodies\":[") + 10, "0.5,");
    expect_refused(written(), "no whole number");
}

// Nobody writes to it: it must not be waited for.
TEST_F(BadFile, IsAPipe) {
    const std::string path = scratch_file("pipe.jsonl");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    expect_refused(path, "cannot be read");
    std::filesystem::remove(path);
}

TEST_F(BadFile, IsTooLarge) {
    const std::string path = scratch_file("large.jsonl");
    std::ofstream(path).close();
    std::filesystem::resize_file(path, 2'000'000'000); // sparse: it takes no room
    expect_refused(path, "more than the 1000 MB");
    std::filesystem::remove(path);
    expect_refused(written(), "MB", " --max-mb 0.001");
}

TEST_F(BadFile, IsSomethingElse) {
    lines_ = {"{}"};
    expect_refused(written(), "no certificate");
    lines_ = {"not JSON"};
    expect_refused(written(), "line 1");
    lines_ = {""};
    expect_refused(written(), "line 1");
    expect_refused(scratch_file("does_not_exist.jsonl"), "cannot be read");
    expect_refused(testing::TempDir(), "");
}

} // namespace
} // namespace rigor::app
