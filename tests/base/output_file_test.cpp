// Files that are written whole or not at all.

#include "base/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace rigor {
namespace {

namespace fs = std::filesystem;

class OutputFiles : public ::testing::Test {
  protected:
    OutputFiles() { fs::create_directories(folder); }
    ~OutputFiles() override { fs::remove_all(folder); }

    std::string path(const std::string& name) const { return (folder / name).string(); }
    static std::string content(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    long files() const {
        return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
    }

    fs::path folder = fs::temp_directory_path() / ("rigor_output_" + std::to_string(getpid()));
};

TEST_F(OutputFiles, AreWhole) {
    ASSERT_TRUE(write_file(path("a"), "first"));
    EXPECT_EQ(content(path("a")), "first");
    ASSERT_TRUE(write_file(path("a"), std::string(1 << 20, 'x')));
    EXPECT_EQ(content(path("a")).size(), 1u << 20);
    ASSERT_TRUE(write_file(path("a"), ""));
    EXPECT_EQ(content(path("a")), "");
    EXPECT_EQ(files(), 1) << "nothing is left beside it";
}

TEST_F(OutputFiles, AreAbsentWithoutCommit) {
    ASSERT_TRUE(write_file(path("old"), "kept"));
    for (const std::string name : {"old", "new"}) {
        Result<OutputFile> file = OutputFile::create(path(name));
        ASSERT_TRUE(file);
        ASSERT_TRUE(file->write("half of"));
        EXPECT_FALSE(fs::exists(path("new")));
        EXPECT_EQ(content(path("old")), "kept");
    }
    EXPECT_EQ(files(), 1);
    EXPECT_EQ(content(path("old")), "kept");
}

TEST_F(OutputFiles, FollowLinksAndKeepPermissions) {
    ASSERT_TRUE(write_file(path("target"), "old"));
    ASSERT_EQ(chmod(path("target").c_str(), 0640), 0);
    fs::create_symlink("target", path("link"));
    ASSERT_TRUE(write_file(path("link"), "new"));
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(content(path("target")), "new");
    EXPECT_EQ(static_cast<int>(fs::status(path("target")).permissions()), 0640);
}

TEST_F(OutputFiles, MayBeDevices) {
    EXPECT_TRUE(write_file("/dev/null", "gone"));
    const Result<void> full = write_file("/dev/full", "too much");
    ASSERT_FALSE(full);
    EXPECT_EQ(to_string(full.error()), "/dev/full: cannot be written: No space left on device");
}

TEST_F(OutputFiles, SayWhyTheyCannotBeWritten) {
    EXPECT_EQ(to_string(write_file(folder.string(), "x").error()),
              folder.string() + ": cannot be written: it is a folder");
    EXPECT_EQ(to_string(write_file(path("none/x"), "x").error()),
              path("none/x") + ": cannot be written: No such file or directory");
}

} // namespace
} // namespace rigor
