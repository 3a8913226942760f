// The rigor program, run as a user runs it.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "test_support.h"

namespace rigor::test {

struct ProgramResult {
    int exit_code = -1;
    std::string out, err;
};

/// How often `word` occurs in `text`.
inline int count(const std::string& text, const std::string& word) {
    int n = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
    return n;
}

/// Sets an environment variable until the end of its scope; an empty value removes it.
class ScopedEnvironment {
  public:
    ScopedEnvironment(const char* name, const std::string& value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        set(value);
    }
    ~ScopedEnvironment() { set(before_); }
    ScopedEnvironment(const ScopedEnvironment&) = delete;
    ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

  private:
    void set(const std::string& value) {
        if (value.empty())
            unsetenv(name_);
        else
            setenv(name_, value.c_str(), 1);
    }

    const char* name_;
    std::string before_;
};

/// A folder of its own for each test, removed at the end.
class ProgramTest : public ::testing::Test {
  protected:
    ProgramTest() {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        dir_ = std::filesystem::temp_directory_path() /
               (std::string("rigor_") + info->name() + "_" + std::to_string(getpid()));
        std::filesystem::create_directories(dir_);
    }
    ~ProgramTest() override { std::filesystem::remove_all(dir_); }

    /// Runs `rigor ARGUMENTS` in the source folder.
    ProgramResult rigor(const std::string& arguments) const {
        const std::string command = "cd '" RIGOR_SOURCE_DIR "' && '" RIGOR_BUILD_DIR "/rigor' " +
                                    arguments + " >'" + file("out") + "' 2>'" + file("err") +
                                    "' </dev/null";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(file("out")),
                read_file(file("err"))};
    }

    /// The document that `rigor ARGUMENTS --json -` prints.
    nlohmann::json rigor_json(const std::string& arguments, int exit_code = 0) const {
        const ProgramResult r = rigor(arguments + " --json -");
        EXPECT_EQ(r.exit_code, exit_code) << r.err;
        return nlohmann::json::parse(r.out);
    }

    std::string file(const std::string& name) const { return (dir_ / name).string(); }

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(file(name), std::ios::binary) << text;
        return file(name);
    }

  private:
    std::filesystem::path dir_;
};

} // namespace rigor::test
